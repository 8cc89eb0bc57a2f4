{% from pathjoin('languages', 'py.jinja') import check_lengths, named %}
{% if item.kernel == 'elementwise' %}
    _checks.check(‹"{{ item.name }}", {{ named([pass.first] + pass.given | map(attribute='name') | reject('equalto',
      pass.first) | list) }}›)
{% set lengths = check_lengths(item) | trim if not pass.grads else '' %}
{{ '    %s\n' % lengths | indent(4) if lengths -}}
{% elif item.kernel == 'rowwise' %}
    _checks.check(‹"{{ item.name }}", {{ named([pass.first] + pass.given | map(attribute='name') | reject('in', [pass.first]
      + pass.column_names) | list) }}›)
    _checks.check_rows(‹"{{ item.name }}", "{{ pass.first }}", {{ pass.first }}{{ ', ' ~ named(pass.column_names)
      if pass.column_names }}›)
{% elif item.kernel == 'matmul' %}
{% set product = pass.row_out.name if item.written else pass.first if pass.first != item.first else '' %}
    {{ 'shape = ' if not product }}_checks.check_factors(‹"{{ item.name }}", {{ named([item.a, item.b] + ([product] if product
      else [])) }}›)
{% if item.columns %}
    _checks.check_rows(‹"{{ item.name }}", "{{ item.b }}", {{ item.b }}, {{ named(pass.column_names) }}›)
{% endif %}
{% elif item.kernel == 'image' %}
    _checks.check_dtype(‹"{{ item.name }}", "{{ item.first }}", {{ item.first }}, {{ item.dtype_strings }}›)
    _checks.check_channels(‹"{{ item.name }}", "{{ item.first }}", {{ item.first }}, CHANNELS_IN›)
{% elif item.kernel == 'volume' %}
    _checks.check_dtype(‹"{{ item.name }}", "{{ item.first }}", {{ item.first }}, {{ item.dtype_strings }}›)
{% endif %}
