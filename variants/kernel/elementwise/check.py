    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ pass.first }}", {{ pass.first }}›)
    {{ check }}.floating()
{% for x in pass.given if x.name != pass.first %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{{ check_lengths(item) | regex_replace('(?m)^(?=.)', '    ') if not pass.grads -}}
