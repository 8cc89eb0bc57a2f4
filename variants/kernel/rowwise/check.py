    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ pass.first }}", {{ pass.first }}›)
    {{ check }}.floating()
    {{ check }}.rows()
{% for x in pass.rows if x.name != pass.first %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{% for x in pass.columns %}
    {{ check }}.columns(‹"{{ x.name }}", {{ x.name }}, "{{ pass.first }}", {{ pass.first }}›)
{% endfor %}
