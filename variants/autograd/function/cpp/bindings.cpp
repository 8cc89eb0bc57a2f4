{% from pathjoin('languages', 'names.jinja') import kit, own with context %}
{% set items = ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
// ---- Autograd. If a tensor requires a gradient and no_grad is off, or if a tensor has a
// forward-mode tangent, a call goes to _<operator>_autograd, which is Python. Otherwise it goes to
// the kernels.

{% for item in items %}
{% set given_names = item.given_names %}
{% set op, tensors = own('op', given_names), item.grad_inputs | map(attribute='name') | join(', ') %}
{{ cpp.result_type(item.passes[0]) }} autograd_of_{{ item.name }}(‹{{ cpp.parameters(item.passes[0], 'symbolic') }}›) {
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
  {{ items | map(attribute='name') | map('regex_replace', '(.+)', 'm.impl("\\1", &autograd_of_\\1);') | join('\n  ') }}
}
