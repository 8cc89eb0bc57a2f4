{% from pathjoin('languages', 'names.jinja') import own with context %}
{% set check, first = own('check', item.given_names), pass.first %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}.floating()
    {{ check }}.rows()
{% for x in pass.given if x.name not in [first] + pass.column_names %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{% set of = first %}
{% include pathjoin('variants', 'kernel', 'columns.py') %}
