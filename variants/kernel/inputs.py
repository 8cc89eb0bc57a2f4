{# Arguments of the samples that the inputs.py of a kernel sets. #}
{% set count = (item.names | length) - (item.by_name | length) %}
# EDIT: arguments from the formula's domain, as in the tests.
args = [‹{{ samples[:count] | join(', ') }}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for name in item.by_name %}"{{ name }}": {{ samples[count + loop.index0] }}{{ '' if loop.last
  else ', ' }}{% endfor %}›{{ '}' }}
{% endif %}
