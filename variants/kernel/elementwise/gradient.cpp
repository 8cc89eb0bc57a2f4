{% for name in item.tensors %}
{% set gradient = 'gradients[' ~ item.names.index(name) ~ ']' %}
{% set others = item.tensors | reject('equalto', name) | list %}
{% set product = gradient ~ ' = grad_out' ~ others | map('regex_replace', '(.+)', '.mul(\\1)') | join ~ ';' %}
{% set factors = others | map('regex_replace', '(.+)', gradient ~ ' = ' ~ gradient ~ '.mul(\\1);') | list %}
{% for line in ([product] if product | length <= 94 else [gradient ~ ' = grad_out;'] + factors) %}
      {{ line }}
{% endfor %}
{% endfor %}
