{% from pathjoin('languages', 'names.jinja') import own with context %}
{% from pathjoin('languages', 'py.jinja') import check_lengths %}
{% set check, first = own('check', item.given_names), pass.first %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}.floating()
{% for x in pass.given if x.name != first %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{% set lengths = check_lengths(item) | trim if not pass.grads else '' %}
{{ '    %s\n' % lengths | indent(4) if lengths -}}
