// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"
{{ '\n#include <algorithm>\n' if item.passes[-1].sums }}
#include "../kit/cpu_row.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

// Each step handles one tile of a row; for_tile in cpu_tile.h chooses its size. Each element of
// the tile has its own state.
{% for pass in item.passes %}

template <typename T>
void {{ pass.class_name }}Args<T>::run_on_cpu(int64_t begin, int64_t end) const {
  using Value = opmath_t<T>;
  using State = {{ pass.class_name }}State<Value>;
{% for x in pass.sums %}
  if ({{ x.name }}) std::fill_n({{ x.name }}, size, Value(0));
{% endfor %}
  for (int64_t index = begin; index < end; ++index) {
    const int64_t start = index * size;
    State states[kCpuTileSize];
    for_tile<T>(0, size, [&](auto tile) {
{% for x in pass.added %}
      const auto {{ x.bare }}_values = {{ cpp.of_tile(x, ' + start' if x in pass.rows else '') }};
{% endfor %}
      for (int i = 0; i < tile.kSize; ++i) { {{- cpp.pointers(pass.added, 8) }}
        states[i].add(‹{{ cpp.list(pass.added, cpp.field, 'element_value') }}›);
      }
    });
    {{ pass.class_name }}Row<Value> row;
    State state = merge_all(states);
    state.finish(‹{{ item.finish_fields | join(', ', 'name') }}, row›);

{% include pathjoin('variants', 'kernel', 'elements_of_row.cpp') %}
  }
}
{% endfor %}

{{ cpp.instantiated(item) | trim }}

}  // namespace {{ project }}
