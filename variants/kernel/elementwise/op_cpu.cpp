{% import pathjoin('languages', 'cpp.jinja') as cpp %}
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
    {{ 'const ' if x not in pass.outputs }}auto {{ x.bare }}_values = tile.{{ 'load_optional' if x.optional
      else 'load' }}({{ x.name }});
{% endfor %}
{% for x in pass.outputs if x not in pass.inputs %}
    Values<T, tile.kSize> {{ x.bare }}_values;
{% endfor %}
    for (int i = 0; i < tile.kSize; ++i) {
{% for x in pass.reads + pass.writes if x.optional %}
      {{ 'const ' if x.role == 'in' }}opmath_t<T>* {{ x.bare }}_value = nullptr;
      if ({{ x.name }}) {{ x.bare }}_value = &{{ x.bare }}_values[i];
{% endfor %}
      {{ pass.name }}_element<opmath_t<T>>(«{{ cpp.list(pass.fields, cpp.element_value) }}»);
    }
{% for x in pass.outputs %}
    {{ cpp.guard(x) }}tile.store({{ x.name }}, {{ x.bare }}_values);
{% endfor %}
  });
}
{% endfor %}

{% for pass in item.passes %}
{% if pass.typed %}
{% for type in item.cpu_types %}
{% for out in item.cpu_types %}
template struct {{ pass.class_name }}Args<{{ type }}, {{ out }}>;
{% endfor %}
{% endfor %}
{% else %}
INSTANTIATE_FLOATS({{ pass.class_name }}Args);
{% endif %}
{% endfor %}

}  // namespace {{ project }}
