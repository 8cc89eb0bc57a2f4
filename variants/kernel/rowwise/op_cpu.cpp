// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"
{% if item.passes[-1].sums %}

#include <algorithm>
{% endif %}

#include "../cpu_row.h"

namespace {{ project }} {

// A tile is what one step handles: 32 elements of a row, of which the compiler makes vector
// instructions, or one of those that are left. for_tile in cpu_tile.h decides which. Each of the 32
// has a state of its own.
{% for pass in item.passes %}

template <typename T>
void {{ pass.name }}_cpu({{ pass.cpu_pointers }}, int64_t size, int64_t begin, int64_t end) {
  using Value = compute_t<T>;
  using State = {{ pass.class_name }}State<Value>;
{% for x in pass.sums %}
  if ({{ x.name }}) std::fill_n({{ x.name }}, size, Value(0));
{% endfor %}
  for (int64_t index = begin; index < end; ++index) {
    const int64_t start = index * size;
    State states[kCpuTileSize];
    for_tile<T>(0, size, [&](auto tile) {
{% for name in pass.added_arrays %}
      Value {{ name }}_values[tile.kSize];
{% endfor %}
{% for x in pass.rows %}
      tile.load({{ x.name }} + start, {{ x.bare }}_values);
{% endfor %}
{% for x in pass.added_columns %}
      {{ x.guard }}tile.load({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
      for (int i = 0; i < tile.kSize; ++i) {
{% for line in pass.added_pointers_at_i %}
        {{ line | replace('compute_t<T>', 'Value') }}
{% endfor %}
        states[i].add({{ pass.added_at_i }});
      }
    });
    {{ pass.class_name }}Row<Value> row;
    State state = merge_all(states);
    state.finish({{ item.finish_call }}, row);

{% include pathjoin('variants', 'kernel', 'elements_of_row.cpp') %}
  }
}
{% endfor %}

// The dtypes it is compiled for.
#define INSTANTIATE(T){% for pass in item.passes %} template void {{ pass.name }}_cpu({{ pass.cpu_types }}, int64_t, int64_t, int64_t);{% endfor %}


INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(c10::Half)
INSTANTIATE(c10::BFloat16)
#undef INSTANTIATE

}  // namespace {{ project }}
