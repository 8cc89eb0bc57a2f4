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


def _load_operators(name: str, directory: Path, cuda: bool, cpp: list[str], **options) -> None:
    os.environ["{{ project | upper }}_DEFINE"] = "1"
    try:
        _load_inline(name, directory, cuda, [_DEFINE_ONCE, *cpp], **options)
    finally:
        del os.environ["{{ project | upper }}_DEFINE"]
