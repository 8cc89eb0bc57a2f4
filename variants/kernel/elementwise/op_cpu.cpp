// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../cpu_tile.h"

namespace {{ project }} {

// A tile is what one step handles: 32 elements of each tensor, of which the compiler makes vector
// instructions, or one of those that are left. for_tile in cpu_tile.h decides which.
{% for pass in item.passes %}

template <{{ pass.template }}>
void {{ pass.name }}_cpu({{ pass.pointers }}, int64_t begin, int64_t end) {
  for_tile<T>(begin, end, [&](auto tile) {
{% for name in pass.arrays %}
    compute_t<T> {{ name }}_values[tile.kSize];
{% endfor %}
{% for x in pass.inputs %}
    {{ x.guard }}tile.load({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
    for (int i = 0; i < tile.kSize; ++i) {
{% for line in pass.pointers_at_i %}
      {{ line }}
{% endfor %}
      {{ pass.name }}_element<compute_t<T>>({{ pass.values_at_i }});
    }
{% for x in pass.outputs %}
    {{ x.guard }}tile.store({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
  });
}
{% endfor %}

// The dtypes it is compiled for.
#define INSTANTIATE(T){% for pass in item.passes %}{% for types in pass.cpu_instances %} template void {{ pass.name }}_cpu({{ types }}, int64_t, int64_t);{% endfor %}{% endfor %}


INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(c10::Half)
INSTANTIATE(c10::BFloat16)
#undef INSTANTIATE

}  // namespace {{ project }}
