{# How the public function calls the operator. #}
{% set called = '_op(%s)' % call %}
{% set applied = '%sFunction.apply(‹%s›)' % (item.class_name,
  (item.names + item.lists | map('regex_replace', '^', '*') | list) | join(', ')) %}
{# It returns tuples. #}
{% set applied = as_list(applied, given_names) if item.listed else applied %}
{# The tensors of these numbers are read after the call. #}
{% set places %}
{% for name in item.results if name in item.as_numbers %}
{{ ', ' if not loop.first }}{{ item.results.index(name) -}}
{% endfor %}
{% endset %}
{% set with_numbers = '%s' if not item.as_numbers else '%s.item()' if item.results | length == 1
  else '_checks.with_numbers(‹%%s, %s›)' % places %}
{% set defined = '_checks.check_defined(‹"%s", %s›)' % (item.name, named(item.required)) %}
{# PyTorch refuses a call without a tensor before any kernel runs, and kernels refuse each other one. #}
{% set asked = item.required[0] if item.required and not item.lists else '' %}
{% set differentiable = '‹%s›' % item.grad_inputs | map(attribute='name') | join(', ') %}
{{ '    _checks.check_not_empty(‹"%s", %s›)\n' % (item.name, named(item.lists)) if item.lists -}}
{{ '    if %s is None:\n        %s\n' % (asked, defined) if asked -}}
{% for x in item.written if x.name in item.returned and x.optional %}
    if {{ x.name }} is None:
{{ '        %s\n' % defined if not asked }}        {{ x.name }} = {{ item.first }}.new_empty(‹{{ item.first }}.shape›)
{% endfor %}
{{ '    _checks.check_no_gradient(‹"%s", "requires a gradient, which only `%s_reference` has", %s›)\n'
  % (item.name, item.name, named([item.first])) if item.refuses_gradient -}}
{% if item.wrapped or not item.returned %}
    {{ '«%s» = ' % item.results | join(', ') if item.results }}{{ called }}
{% elif item.dispatch == 'cpp' %}
    if _checks.only_autograd_records({{ differentiable }}):
        return {{ with_numbers % applied }}  # faster than `_op`
{% elif item.dispatch == 'python' %}
    if _checks.is_watched(‹{{ item.inputs | map(attribute='name') | join(', ') }}›):
        return {{ with_numbers % called }}
    try:
        if _checks.needs_gradient({{ differentiable }}):
            return {{ with_numbers % applied }}
        return {{ with_numbers % ('_forward_op(%s)' % call) }}
    except {{ free_name(['RuntimeError', 'Exception', 'BaseException'], given_names) }} as {{
      own('error', given_names) }}:
        if "_{{ item.name }}_forward" not in {{ ('f"{%s}"' if 'str' in given_names else 'str(%s)')
          % own('error', given_names) }}:
            raise
{% endif %}
{% if item.returned %}
    return {{ ('[‹%s›]' if item.listed else '«%s»') % item.returned
      | map('regex_replace', '^(%s)$' % item.as_numbers | join('|'), '\\1.item()') | join(', ') if item.wrapped
      else with_numbers % called if not item.listed or not item.written
      else '[%s]' % called if item.results | length == 1 else as_list(called, given_names) }}{{
      '  # errors about the schema then name the called operator' if item.dispatch == 'python' }}
{% endif %}
