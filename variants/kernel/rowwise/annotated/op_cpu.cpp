{% from pathjoin('variants', 'kernel', 'rowwise/annotated/spelled.jinja') import finish, loaded, of_element, value
  with context %}
{% set read = item.rows | rejectattr('kind', 'equalto', 'row') | selectattr('read') | list %}
{% macro load(x, at) %}
{{ x.value }} {{ x.name }}_value{{ ' = ' ~ loaded(x, at) if x.read and not x.optional else '{}' }};
{{ 'if (args.%s) %s_value = %s;\n' % (x.name, x.name, loaded(x, at)) if x.optional }}
{% endmacro %}
{% macro store(x, at) %}
{{ 'if (args.%s) ' % x.name if x.optional }}args.{{ x.name }}[{{ at }}] = {{ x.name ~ '_value'
  if x.value != item.value_t else 'static_cast<%s>(%s_value)' % (x.type, x.name) }};
{% endmacro %}
// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../kit/cpu_row.h"

namespace {{ project }} {

// Computes a row. Adjacent elements are added to different states, as by the threads of a GPU.
{{ item.template -}}
static void {{ item.name }}_row(int64_t at, const {{ item.args_type }}& args) {
  using {{ item.value_t }} = {{ item.value_type }};
  const int64_t start = at * args.{{ item.columns }};
{% for x in item.of_row %}
  {{ load(x, 'at') | trim | indent(2) }}
{% endfor %}
  constexpr int kStates = 32;
  {{ item.class_name }}State<{{ item.value_t }}> states[kStates];
  for (int64_t column = 0; column < args.{{ item.columns }}; ++column) {
{% for x in read %}
    {{ load(x, 'start + column' if x.kind == 'element' else 'column') | trim | indent(4) }}
{% endfor %}
    states[column % kStates].add(‹{{ cpp.list(item.arguments, value) }}, column›);
  }
{{ '  %sRow<%s> row;\n' % (item.class_name, item.value_t) if item.elements -}}
{{ '  %sState<%s> state = merge_all(states);' % (item.class_name, item.value_t) }}
  {{ finish(item) }};
{% for x in item.of_row if x.write %}
  {{ store(x, 'at') | trim }}
{% endfor %}
{% if item.elements %}
  for (int64_t column = 0; column < args.{{ item.columns }}; ++column) {
{% for x in read + item.elements | rejectattr('read') | list %}
    {{ load(x, 'start + column' if x.kind == 'element' else 'column') | trim | indent(4) }}
{% endfor %}
    {{ of_element(item, '_value') }};
{% for x in item.elements %}
    {{ store(x, 'start + column') | trim }}
{% endfor %}
  }
{% endif %}
}

{{ item.template -}}
void {{ item.args_type }}::run_on_cpu(int64_t begin, int64_t end) const {
  for (int64_t i = begin; i < end; ++i) {{ item.name }}_row(i, *this);
}

{% if not item.fixed %}
#define INSTANTIATE(T) template struct {{ item.class_name }}Args<T>;

{{ item.list_name }}(INSTANTIATE)
#undef INSTANTIATE

{% endif %}
}  // namespace {{ project }}
