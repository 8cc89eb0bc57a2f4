{# How the public function calls the operator. #}
{% from pathjoin('languages', 'names.jinja') import as_list, own with context %}
{% set call = '‹%s›' % arguments(item.args) %}
{% set apply = '%sFunction.apply(‹%s›)' % (item.class_name,
  (item.names + item.lists | map('regex_replace', '^', '*') | list) | join(', ')) %}
{# It returns tuples. #}
{% set apply = as_list(apply, item.given_names) if item.listed else apply %}
{% for name in item.lists %}
    _checks.check_not_empty(‹"{{ item.name }}", "{{ name }}", {{ name }}›)
{% endfor %}
{# The tensors of these numbers are read after the call. #}
{% set places = namespace(all=[]) %}
{% for name in item.results if name in item.as_numbers %}
{% set places.all = places.all + [item.results.index(name)] %}
{% endfor %}
{% macro read(results) %}
{{ results if not item.as_numbers else results ~ '.item()' if item.results | length == 1
  else '_checks.with_numbers(‹%s, %s›)' % (results, places.all | join(', ')) -}}
{% endmacro %}
{% set defined = '_checks.check_defined(‹"%s", %s›)' % (item.name, named(item.required)) %}
{# PyTorch refuses a call without a tensor before any kernel runs, and kernels refuse each other one. #}
{% set asked = item.required[0] if item.required and not item.lists else '' %}
{% set differentiable = '‹%s›' % item.grad_inputs | map(attribute='name') | join(', ') %}
{% if asked %}
    if {{ asked }} is None:
        {{ defined }}
{% endif %}
{% if item.written %}
{% for x in item.written if x.name in item.returned and x.optional %}
    if {{ x.name }} is None:
{{ '        %s\n' % defined if not asked }}        {{ x.name }} = {{ item.first }}.new_empty(‹{{ item.first }}.shape›)
{% endfor %}
{% if item.results and item.results == item.returned %}
    return {{ read('_op(%s)' % call) if not item.listed else '[_op(%s)]' % call if item.results | length == 1
      else as_list('_op(%s)' % call, item.given_names) }}
{% else %}
    {{ '«%s» = ' % item.results | join(', ') if item.results }}_op({{ call }})
{% if item.returned %}
    return {{ ('[‹%s›]' if item.listed else '«%s»') % item.returned
      | map('regex_replace', '^(%s)$' % item.as_numbers | join('|'), '\\1.item()') | join(', ') }}
{% endif %}
{% endif %}
{% elif item.dispatch == 'cpp' %}
    if _checks.only_autograd_records({{ differentiable }}):
        return {{ read(apply) }}  # faster than `_op`
    return {{ read('_op(%s)' % call) }}
{% elif item.dispatch == 'python' %}
    if _checks.is_watched(‹{{ item.inputs | map(attribute='name') | join(', ') }}›):
        return {{ read('_op(%s)' % call) }}
    try:
        if _checks.needs_gradient({{ differentiable }}):
            return {{ read(apply) }}
        return {{ read('_forward_op(%s)' % call) }}
    except RuntimeError as {{ own('error', item.given_names) }}:
        if "_{{ item.name }}_forward" not in {{ ('f"{%s}"' if 'str' in item.given_names else 'str(%s)')
          % own('error', item.given_names) }}:
            raise
    return {{ read('_op(%s)' % call) }}  # errors about the schema then name the called operator
{% else %}
{% if item.refuses_gradient %}
    if _checks.needs_gradient({{ differentiable }}):
        raise RuntimeError(
            "{{ item.name }}: {{ item.first }} requires a gradient, and there is none; detach it, or call "
            "`{{ item.name }}_reference`, which PyTorch differentiates"
        )
{% endif %}
    return {{ read('_op(%s)' % call) }}
{% endif %}
