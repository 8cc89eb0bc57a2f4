{# The functions of the operators, and their registration with PyTorch's dispatcher. #}
{% import pathjoin('languages', 'cpp.jinja') as cpp with context %}
{% from pathjoin('languages', 'schema.jinja') import schema %}
{% set library = 'STABLE_TORCH_LIBRARY' if registration == 'torch_stable' else 'TORCH_LIBRARY' %}
{% set passes = ops | map(attribute='passes') | sum(start=[]) %}
{% for pass in passes %}
{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›);
{% endfor %}

{{ library }}({{ project }}, m) {
{% for pass, name in passes | subelements('defined') %}
  m.def(‹"{{ name }}{{ schema(pass, name) }}"›);
{% endfor %}
}
{% for device in ['CPU', 'CUDA'] %}

{{ library }}_IMPL({{ project }}, {{ device }}, m) {
{% for pass, name in passes | subelements('registered') %}
  m.impl(‹"{{ name }}", {{ ('TORCH_BOX(&%s)' if registration == 'torch_stable' else '&%s') % pass.name }}›);
{% endfor %}
}
{% endfor %}

{% if ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
{% include pathjoin('variants', 'autograd', 'function', 'cpp', 'bindings.cpp') %}

{% endif %}
