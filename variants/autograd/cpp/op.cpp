{% set forward = item.passes[0] %}
{% set backward = item.passes[1] %}
{# What is not registered need not take the arguments of what is, and a reference costs no count of references. #}
{% set inputs = forward.parameters | replace('Tensor ', 'const Tensor& ') %}

// ---- Gradient

namespace gradient_of_{{ item.name }} {

// The dispatcher, and not the functions above: under torch.compile other kernels are behind it.
template <typename Function>
auto find_op(const char* name, Function*) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
}

Tensor forward_op({{ inputs }}) {
  static const auto op = find_op("{{ project }}::{{ item.name }}", {{ item.name }});
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call({{ item.call }});
}

{{ backward.returns }} backward_op(const Tensor& grad_out, {{ inputs }}) {
  static const auto op = find_op("{{ project }}::{{ backward.name }}", {{ backward.name }});
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call(grad_out, {{ item.call }});
}

// EDIT: what the gradient needs, and how it is computed.
struct {{ item.class_name }}Function : torch::autograd::Function<{{ item.class_name }}Function> {
  static Tensor forward(torch::autograd::AutogradContext* ctx, {{ inputs }}) {
    ctx->save_for_backward({ {{- item.tensors | join(', ') -}} });
{% for name in item.scalars | map(attribute='name') %}
    ctx->saved_data["{{ name }}"] = {{ name }};
{% endfor %}
    return forward_op({{ item.call }});
  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* ctx,
      torch::autograd::variable_list grads) {
    const Tensor& grad_out = grads[0];
    const torch::autograd::variable_list saved = ctx->get_saved_variables();
{% for name in item.tensors %}
    const Tensor& {{ name }} = saved[{{ loop.index0 }}];
{% endfor %}
{% for scalar in item.scalars %}
    const {{ scalar.cpp }} = ctx->saved_data["{{ scalar.name }}"].{{ {'float': 'toDouble', 'int': 'toInt', 'bool': 'toBool'}[scalar.type] }}();
{% endfor %}
    // One for each argument; those of numbers stay undefined.
    torch::autograd::variable_list gradients({{ item.names | length }});
    if (at::GradMode::is_enabled()) {
      // Under create_graph=True the gradient will be differentiated in turn. The fused kernel has
      // no derivative; PyTorch's own operators have all of them.
{% include pathjoin('variants', 'kernel', item.kernel, 'gradient.cpp') %}
    } else {
      const auto result = backward_op(grad_out, {{ item.call }});
{% for name in item.tensors %}
      gradients[{{ item.names.index(name) }}] = {{ 'std::get<' ~ loop.index0 ~ '>(result)' if item.tensors | length > 1 else 'result' }};
{% endfor %}
    }
    return gradients;
  }
};

// Forward mode counts too: the Function refuses it, where the kernels would drop the tangent.
bool needs_gradient(const Tensor& tensor) {
  return (at::GradMode::is_enabled() && tensor.requires_grad()) || tensor._fw_grad(0).defined();
}

Tensor autograd({{ forward.parameters }}) {
  if ({{ item.tensors | map('regex_replace', '(.+)', 'needs_gradient(\\1)') | join(' || ') }}) {
    return {{ item.class_name }}Function::apply({{ item.call }});
  }
  return forward_op({{ item.call }});
}

}  // namespace gradient_of_{{ item.name }}

TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
  m.impl("{{ item.name }}", &gradient_of_{{ item.name }}::autograd);
}
