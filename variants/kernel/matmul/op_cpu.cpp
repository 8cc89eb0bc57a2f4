// `{{ item.name }}` on the CPU, from PyTorch's product in the type to compute in, float for 16-bit
// types.
#include "{{ item.name }}.h"
{{ '\n#include <algorithm>\n' if item.passes[-1].sums }}
#include "../kit/cpu_row.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

// Each step handles one tile of a row; for_tile in cpu_tile.h chooses its size.
{% for pass in item.passes %}

template <typename T>
void {{ pass.class_name }}Args<T>::run_on_cpu(int64_t begin, int64_t end) const {
  using Value = opmath_t<T>;
{{ '  const int64_t size = columns;\n' if loop.first -}}
{% for x in pass.sums %}
  if ({{ x.name }}) std::fill_n({{ x.name }}, size, Value(0));
{% endfor %}
  for (int64_t index = begin; index < end; ++index) {
    const int64_t start = index * size;
{% include pathjoin('variants', 'kernel', 'elements_of_row.cpp') %}
  }
}
{% endfor %}

{{ cpp.instantiated(item) | trim }}

}  // namespace {{ project }}
