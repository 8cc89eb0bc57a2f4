{% from pathjoin('languages', 'names.jinja') import own with context %}
{% set check, first = own('check', item.given_names), item.a %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}.floating()
    {{ check }}.factors(‹"{{ item.b }}", {{ item.b }}›)
{% set product = pass.row_out.name if item.written else pass.first if pass.first != item.first else '' %}
{% if product %}
    {{ check }}.product(‹"{{ product }}", {{ product }}, "{{ item.b }}", {{ item.b }}›)
{% endif %}
{% set of = item.b %}
{% include pathjoin('variants', 'kernel', 'columns.py') %}
