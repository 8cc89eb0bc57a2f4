{# Compiles the kernels for each dtype, or each combination of dtypes. #}
{% if not item.fixed %}

{% set all = item.variables | map(attribute='short') | list %}
#define INSTANTIATE({{ all | join(', ') }}) template struct {{ item.class_name }}Args<{{ all | join(', ') }}>;
{% for x in item.variables[1:] | reverse %}
#define INSTANTIATE_{{ x.before | last }}({{ x.before | join(', ') }}) {{ x.macro }}(INSTANTIATE{{ '' if loop.first
  else '_' ~ x.short }}, {{ x.before | join(', ') }})
{% endfor %}

{{ item.list_name }}(INSTANTIATE{{ '_' ~ all[0] if all | length > 1 }})
{% for name in all[:-1] %}
#undef INSTANTIATE_{{ name }}
{% endfor %}
#undef INSTANTIATE
{% endif %}
