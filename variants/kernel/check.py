{% from pathjoin('languages', 'names.jinja') import own with context %}
{% from pathjoin('languages', 'py.jinja') import check_lengths %}
{% set check, first = own('check', item.given_names), item.a if item.kernel == 'matmul' else pass.first %}
    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
{% if item.kernel in ['image', 'volume'] %}
    {{ check }}(‹"{{ first }}", {{ first }}, [{{ item.torch_dtypes }}]›)
{% else %}
    {{ check }}.floating()
{% endif %}
{% if item.kernel == 'elementwise' %}
{% for x in pass.given if x.name != first %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{% set lengths = check_lengths(item) | trim if not pass.grads else '' %}
{{ '    %s\n' % lengths | indent(4) if lengths -}}
{% elif item.kernel == 'rowwise' %}
    {{ check }}.rows()
{% for x in pass.given if x.name not in [first] + pass.column_names %}
    {{ check }}.like(‹"{{ x.name }}", {{ x.name }}›)
{% endfor %}
{% elif item.kernel == 'matmul' %}
    {{ check }}.factors(‹"{{ item.b }}", {{ item.b }}›)
{% set product = pass.row_out.name if item.written else pass.first if pass.first != item.first else '' %}
{% if product %}
    {{ check }}.product(‹"{{ product }}", {{ product }}, "{{ item.b }}", {{ item.b }}›)
{% endif %}
{% elif item.kernel == 'image' %}
    {{ check }}.channels(CHANNELS_IN)
{% endif %}
{% set of = item.b if item.kernel == 'matmul' else first %}
{% for name in pass.column_names | default([]) %}
    {{ check }}.columns(‹"{{ name }}", {{ name }}, "{{ of }}", {{ of }}›)
{% endfor %}
