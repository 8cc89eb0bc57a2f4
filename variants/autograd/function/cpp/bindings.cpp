{% from pathjoin('languages', 'names.jinja') import kit, own with context %}
{% set items = ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
// ---- Autograd. If a tensor requires a gradient and no_grad is off, or if a tensor has a
// forward-mode tangent, a call goes to _<operator>_autograd, which is Python. Otherwise it goes to
// the kernels.

{% for item in items %}
{% set forward, given_names = item.passes[0], item.given_names %}
{% set op, tensors = own('op', given_names), item.grad_inputs | map(attribute='name') | join(', ') %}
{{ cpp.result_type(forward) }} autograd_of_{{ item.name }}(‹{{ cpp.parameters(forward, symbolic=true) }}›) {
  if (‹{{ kit('needs_gradient', given_names) }}({{ tensors }}) || {{ kit('has_tangent', given_names) }}({{
    tensors }})›) {
    static const auto {{ op }} = ‹{{ kit('find_gradient', given_names) }}("{{ project }}::_{{ item.name
      }}_autograd", autograd_of_{{ item.name }})›;
    return {{ op }}.call(‹{{ item.names | join(', ') }}›);
  }
  static const auto {{ op }} = ‹{{ kit('find_op', given_names) }}("{{ project }}::{{ item.name }}", autograd_of_{{
    item.name }})›;
  const at::AutoDispatchBelowADInplaceOrView {{ own('guard', given_names) }};
  return {{ op }}.call(‹{{ item.names | join(', ') }}›);
}

{% endfor %}
TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
{% for item in items %}
  m.impl("{{ item.name }}", &autograd_of_{{ item.name }});
{% endfor %}
}
