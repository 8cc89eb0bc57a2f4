{# The arguments of a call in an example, `args` and `keywords`, of what the tensors.py of a kernel makes. #}
{% from pathjoin('languages', 'py.jinja') import usual %}
{% set samples = usual(item.args, item.samples | map('regex_replace', '^dtype$', 'torch.float32')
  | map('replace', 'column()', 'torch.randn(1000, device=device%s)' % requires_grad) | list).splitlines() %}
{% set count = (item.names | length) - (item.by_name | length) %}
{% include pathjoin('variants', 'kernel', item.kernel, 'tensors.py') %}
# EDIT: arguments from the formula's domain, as in the tests.
args = [‹{{ samples[:count] | join(', ') }}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for name in item.by_name %}"{{ name }}": {{ samples[count + loop.index0] }}{{ '' if loop.last
  else ', ' }}{% endfor %}›{{ '}' }}
{% endif %}
