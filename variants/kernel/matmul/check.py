    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ item.a }}", {{ item.a }}›)
    {{ check }}.floating()
    {{ check }}.factors(‹"{{ item.b }}", {{ item.b }}›)
{% set product = pass.row_out.name if item.written else pass.first if pass.first != item.first else '' %}
{{ '    %s.product(‹"%s", %s, "%s", %s›)\n' % (check, product, product, item.b, item.b) if product -}}
{% for x in pass.columns %}
    {{ check }}.columns(‹"{{ x.name }}", {{ x.name }}, "{{ item.b }}", {{ item.b }}›)
{% endfor %}
