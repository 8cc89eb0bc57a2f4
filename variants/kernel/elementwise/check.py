{% set first = pass.first %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}.floating()
{% for x in pass.given if x.name != first %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{{ check_lengths(item) | regex_replace('(?m)^(?=.)', '    ') if not pass.grads -}}
