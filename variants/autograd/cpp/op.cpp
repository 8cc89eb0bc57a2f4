{% from pathjoin('variants', 'macros.jinja') import cpp, cpp_any, cpp_assign, cpp_call %}
{% set forward = item.passes[0] %}
{% set backward = item.passes[1] %}
{# What is not registered need not take the arguments of what is, and a reference costs no count of references. #}
{% set inputs = forward.cpp_args | map('replace', 'Tensor ', 'const Tensor& ') | list %}
{% set backward_inputs = backward.cpp_args | map('replace', 'Tensor ', 'const Tensor& ') | list %}

// ---- Gradient

namespace gradient_of_{{ item.name }} {

// The dispatcher, and not the functions above: under torch.compile other kernels are behind it.
template <typename Function>
auto find_op(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
}

{{ cpp('Tensor forward_op(', [['@', inputs]], ') {') }}
{{ cpp_assign('  static const auto op', 'find_op<decltype(' ~ item.name ~ ')>(', [['"' ~ project ~ '::@"', [item.name]]], ');') }}
  const at::AutoDispatchBelowADInplaceOrView guard;
{{ cpp_call('  return op.call(', [['@', item.names]], ');') }}
}

{{ cpp(backward.cpp_returns ~ ' backward_op(', [['@', backward_inputs]], ') {') }}
{{ cpp_assign('  static const auto op', 'find_op<decltype(' ~ backward.name ~ ')>(', [['"' ~ project ~ '::@"', [backward.name]]], ');') }}
  const at::AutoDispatchBelowADInplaceOrView guard;
{{ cpp_call('  return op.call(', [['@', ['grad_out'] + item.names]], ');') }}
}

// EDIT: what the gradient needs, and how it is computed.
struct {{ item.class_name }}Function{{ ' ' if item.class_name | length <= 22 else '\n    ' }}: torch::autograd::Function<{{ item.class_name }}Function> {
{{ cpp('  static Tensor forward(', [['@', ['torch::autograd::AutogradContext* ctx'] + inputs]], ') {') }}
{{ cpp_call('    ctx->save_for_backward({', [['@', item.tensors]], '});') }}
{% for name in item.scalars %}
    ctx->saved_data["{{ name }}"] = {{ name }};
{% endfor %}
{{ cpp_call('    return forward_op(', [['@', item.names]], ');') }}
  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* ctx,
      torch::autograd::variable_list grads) {
    const Tensor& grad_out = grads[0];
    const torch::autograd::variable_list saved = ctx->get_saved_variables();
{% for name in item.tensors %}
    const Tensor& {{ name }} = saved[{{ loop.index0 }}];
{% endfor %}
{% for line in item.saved_scalars %}
    {{ line }}
{% endfor %}
    // One for each argument; those of numbers stay undefined.
    torch::autograd::variable_list gradients({{ item.names | length }});
    if (at::GradMode::is_enabled()) {
      // Under create_graph=True the gradient will be differentiated in turn. The fused kernel has
      // no derivative; PyTorch's own operators have all of them.
{% for line in item.gradient_aten %}
      {{ line }}
{% endfor %}
    } else {
{{ cpp_assign('      const auto result', 'backward_op(', [['@', ['grad_out'] + item.names]], ');') }}
{% for line in item.gradient_result %}
      {{ line }}
{% endfor %}
    }
    return gradients;
  }
};

// Forward mode counts too: the Function refuses it, where the kernels would drop the tangent.
bool needs_gradient(const Tensor& tensor) {
  return (at::GradMode::is_enabled() && tensor.requires_grad()) || tensor._fw_grad(0).defined();
}

{{ cpp('Tensor autograd(', [['@', forward.cpp_args]], ') {') }}
{{ cpp_any('  if (', [['needs_gradient(@)', item.tensors]], ') {') }}
{{ cpp_call('    return ' ~ item.class_name ~ 'Function::apply(', [['@', item.names]], ');') }}
  }
{{ cpp_call('  return forward_op(', [['@', item.names]], ');') }}
}

}  // namespace gradient_of_{{ item.name }}

TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
{{ cpp_call('  m.impl(', [['"@"', [item.name]], ['&gradient_of_@::autograd', [item.name]]], ');') }}
}
