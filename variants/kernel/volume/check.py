{% from pathjoin('languages', 'names.jinja') import own with context %}
{% set check, first = own('check', item.given_names), pass.first %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}(‹"{{ first }}", {{ first }}, [{{ item.torch_dtypes }}]›)
