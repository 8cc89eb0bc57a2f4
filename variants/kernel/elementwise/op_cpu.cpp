// `{{ item.name }}` on the CPU. Each step handles one tile; for_tile in cpu_tile.h chooses its size.
#include "{{ item.name }}.h"

#include "../kit/cpu_tile.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T{{ ', typename Out' if pass.typed }}>
void {{ pass.class_name }}Args<T{{ ', Out' if pass.typed }}>::run_on_cpu(int64_t begin, int64_t end) const {
  for_tile<T>(begin, end, [&](auto tile) {
{% for x in pass.inputs %}
    {{ 'const ' if x not in pass.outputs }}auto {{ x.bare }}_values = {{ cpp.of_tile(x) }};
{% endfor %}
{% for x in pass.outputs if x not in pass.inputs %}
    Values<T, tile.kSize> {{ x.bare }}_values{{ '{}' if x.optional }};
{% endfor %}
    for (int i = 0; i < tile.kSize; ++i) { {{- cpp.pointers(pass.fields, 6, value='opmath_t<T>') }}
      {{ pass.name }}_element<opmath_t<T>>(‹{{ cpp.list(pass.fields, cpp.field, 'element_value') }}›);
    }
    {{ cpp.each(pass.outputs, '{guard}tile.store({name}, {bare}_values);') | indent }}
  });
}
{% endfor %}

{{ cpp.instantiated(item, item.cpu_types if item.dtype else []) | trim }}

}  // namespace {{ project }}
