# A process can define an operator once. So the library that it loads first defines them, and those
# that it loads later only register their kernels, which replace the ones before.
_DEFINE_ONCE = r"""
#include <{{ header }}>

#include <cstdlib>

#undef {{ macro }}
#define {{ macro }}(ns, m) \
  template <typename Library> \
  void define_operators(Library& m); \
  {{ macro }}_FRAGMENT(ns, m) { \
    if (std::getenv("{{ project | upper }}_DEFINE")) define_operators(m); \
  } \
  template <typename Library> \
  void define_operators(Library& m)
"""


def _defining_operators(load: Callable, *args, **options) -> None:
    os.environ["{{ project | upper }}_DEFINE"] = "1"
    try:
        load(*args, **options)
    finally:
        del os.environ["{{ project | upper }}_DEFINE"]
