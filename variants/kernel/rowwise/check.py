{% set first = pass.first %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}.floating()
    {{ check }}.rows()
{% for x in pass.rows if x.name != first %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{% for x in pass.columns %}
    {{ check }}.columns(‹"{{ x.name }}", {{ x.name }}, "{{ first }}", {{ first }}›)
{% endfor %}
