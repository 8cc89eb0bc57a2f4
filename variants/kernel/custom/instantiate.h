{# A kernel for each dtype that is not fixed. #}
{% if not item.fixed %}

{% set all = item.variables | map(attribute='cpp') | map('replace', 'scalar_t', 'T') | list
  if item.variables | length > 1 else ['T'] %}
#define INSTANTIATE({{ all | join(', ') }}) template struct {{ item.class_name }}Args<{{ all | join(', ') }}>;
{% for x in item.variables[1:] | reverse %}
{% set before = all[:loop.revindex] %}
#define INSTANTIATE_{{ before | last }}({{ before | join(', ') }}) {{ x.macro }}(INSTANTIATE{{ '' if loop.first
  else '_' ~ x.cpp }}, {{ before | join(', ') }})
{% endfor %}

{{ item.list_name }}(INSTANTIATE{{ '_' ~ all[0] if all | length > 1 }})
{% for name in all[:-1] %}
#undef INSTANTIATE_{{ name }}
{% endfor %}
#undef INSTANTIATE
{% endif %}
