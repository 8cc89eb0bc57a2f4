{% set read = item.rows | rejectattr('kind', 'equalto', 'row') | selectattr('read') | list %}
{# Variables with the values of these tensors, each in a line. #}
{% macro load(rows) %}
{% for x in rows %}
{{ '\n%s %s_value%s;' % (x.value, x.name, ' = ' ~ x.loaded if x.read and not x.optional else '{}')
  ~ ('\n%s%s_value = %s;' % (x.given, x.name, x.loaded) if x.optional) -}}
{% endfor %}
{% endmacro %}
// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../kit/cpu_row.h"

namespace {{ project }} {

// Computes a row. Adjacent elements are added to different states, as by the threads of a GPU.
{{ item.template -}}
static void {{ item.name }}_row(int64_t at, const {{ item.args_type }}& args) {
  using {{ item.value_t }} = {{ item.value_type }};
  const int64_t start = at * args.{{ item.columns }}; {{- load(item.of_row) | indent(2) }}
  constexpr int kStates = 32;
  {{ item.class_name }}State<{{ item.value_t }}> states[kStates];
  for (int64_t column = 0; column < args.{{ item.columns }}; ++column) { {{- load(read) | indent }}
    states[column % kStates].add(‹{{ item.arguments | join(', ', 'argument') }}, column›);
  }
{{ '  %sRow<%s> row;\n' % (item.class_name, item.value_t) if item.elements -}}
{{ '  %sState<%s> state = merge_all(states);' % (item.class_name, item.value_t) }}
  state.finish(‹{{ item.finish_arguments | join(', ') }}›);
{% for x in item.of_row if x.write %}
  {{ x.given }}args.{{ x.place }} = {{ x.stored }};
{% endfor %}
{% if item.elements %}
  for (int64_t column = 0; column < args.{{ item.columns }}; ++column) { {{- load(read + item.elements
    | rejectattr('read') | list) | indent }}
    {{ item.name }}_element<{{ item.value_t }}>(‹{{ [item.arguments | join(', ', 'argument'), 'column, row',
      item.elements | rejectattr('read') | join(', ', 'argument')] | select | join(', ') }}›);
    {{ cpp.each(item.elements, '{given}args.{place} = {stored};') | indent }}
  }
{% endif %}
}

{{ item.template -}}
void {{ item.args_type }}::run_on_cpu(int64_t begin, int64_t end) const {
  for (int64_t i = begin; i < end; ++i) {{ item.name }}_row(i, *this);
}
{% include pathjoin('variants', 'kernel', 'custom', 'instantiate.h') %}

}  // namespace {{ project }}
