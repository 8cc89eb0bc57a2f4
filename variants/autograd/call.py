{# How the public function calls the operator. #}
{% set call = '‹%s›' % arguments(item.args) %}
{% set lists = item.lists | map('regex_replace', '^', '*') | list %}
{% set apply = item.class_name ~ 'Function.apply(‹' ~ (item.names + lists) | join(', ') ~ '›)' %}
{# It returns tuples. #}
{% set apply = 'list(‹' ~ apply ~ '›)' if item.listed else apply %}
{% for name in item.lists %}
    check_not_empty(‹"{{ item.name }}", "{{ name }}", {{ name }}›)
{% endfor %}
{% set defined = 'check_defined(‹"%s", %s›)' % (item.name, named(item.required)) %}
{# PyTorch refuses a call without a tensor before any kernel runs, and kernels refuse each other one. #}
{% set asked = item.required[0] if item.required and not item.lists else '' %}
{% set tensors = '‹%s›' % item.inputs | map(attribute='name') | join(', ') %}
{% set differentiable = '‹%s›' % item.grad_inputs | map(attribute='name') | join(', ') %}
{% if asked %}
    if {{ asked }} is None:
        {{ defined }}
{% endif %}
{% if item.written %}
{% for x in item.written if x.name in item.returned and x.optional %}
    if {{ x.name }} is None:
{% if not asked %}
        {{ defined }}
{% endif %}
        {{ x.name }} = {{ item.first }}.new_empty(‹{{ item.first }}.shape›)
{% endfor %}
{% if item.results and item.results == item.returned %}
    return {{ '[_op(%s)]' % call if item.listed and item.results | length == 1 else 'list(‹_op(%s)›)' % call
      if item.listed else '_op(%s)' % call }}
{% else %}
    {{ '«%s» = ' % item.results | join(', ') if item.results }}_op({{ call }})
{% if item.returned %}
    return «{{ item.returned | join(', ') }}»
{% endif %}
{% endif %}
{% elif item.dispatch == 'cpp' %}
    if only_autograd_looks({{ differentiable }}):
        return {{ apply }}  # faster than `_op`
    return _op({{ call }})
{% elif item.dispatch == 'python' %}
    if is_watched({{ tensors }}):
        return _op({{ call }})
    try:
        if needs_gradient({{ differentiable }}):
            return {{ apply }}
        return _forward_op({{ call }})
    except RuntimeError as error:
        if "{{ item.name }}_forward" not in str(error):
            raise
    return _op({{ call }})  # errors about the schema then name the called operator
{% else %}
{% if item.refuses_gradient %}
    if needs_gradient({{ differentiable }}):
        raise RuntimeError(
            "{{ item.name }}: {{ item.first }} requires a gradient, and there is none; detach it, or call "
            "`{{ item.name }}_reference`, which PyTorch differentiates"
        )
{% endif %}
    return _op({{ call }})
{% endif %}
