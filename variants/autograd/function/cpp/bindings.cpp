{% import pathjoin('languages', 'cpp.jinja') as cpp with context %}
{% from pathjoin('languages', 'names.jinja') import kit, own with context %}
{% set items = ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
// ---- Autograd. If a tensor requires a gradient and no_grad is off, or if a tensor has a
// forward-mode tangent, a call goes to _<operator>_autograd, which is Python. Otherwise it goes to
// the kernels.

bool needs_gradient(const Tensor& tensor) {
  return (at::GradMode::is_enabled() && tensor.requires_grad()) || tensor._fw_grad(0).defined();
}

{% if items | map(attribute='grad_inputs') | sum(start=[]) | selectattr('optional') | list %}
bool needs_gradient(const std::optional<Tensor>& tensor) {
  return tensor && needs_gradient(*tensor);
}

{% endif %}
template <typename Function>
auto find_op(const char* name, Function*) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
  TORCH_CHECK(«op.hasKernelForDispatchKey(c10::DispatchKey::Autograd), name, ": the gradient needs Python: import {{
    project }}. Without Python, call the operator under at::NoGradGuard"»);
  return op.typed<Function>();
}

{% for item in items %}
{% set forward, given_names = item.passes[0], item.given_names %}
{% set op, find_op, needs_gradient = own('op', given_names), kit('find_op', given_names),
  kit('needs_gradient', given_names) %}
{{ cpp.result_type(forward) }} autograd_of_{{ item.name }}(‹{{ cpp.parameters(forward, symbolic=true) }}›) {
  if («{{ item.grad_inputs | map(attribute='name') | map('regex_replace', '(.+)', needs_gradient ~ '(\\1)')
    | join(' || ') }}») {
    static const auto {{ op }} = «{{ find_op }}("{{ project }}::_{{ item.name }}_autograd", autograd_of_{{
      item.name }})»;
    return {{ op }}.call(«{{ item.names | join(', ') }}»);
  }
  static const auto {{ op }} = «{{ find_op }}("{{ project }}::{{ item.name }}", autograd_of_{{ item.name }})»;
  const at::AutoDispatchBelowADInplaceOrView {{ own('guard', given_names) }};
  return {{ op }}.call(«{{ item.names | join(', ') }}»);
}

{% endfor %}
TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
{% for item in items %}
  m.impl("{{ item.name }}", &autograd_of_{{ item.name }});
{% endfor %}
}
