{% set forward = item.passes[0] %}
{% set backward = item.passes[1] %}
{# An unregistered function need not take the arguments of a registered one, and a reference costs no count of references. #}
{% set by_reference = '(std::optional<Tensor>|std::vector<[^>]*>|std::string|\\bTensor) ' %}
{% set inputs = forward.parameters | regex_replace(by_reference, 'const \\1& ') %}
{% set backward_inputs = backward.parameters | regex_replace(by_reference, 'const \\1& ') %}

// ---- Gradient

namespace gradient_of_{{ item.name }} {

// The dispatcher, and not the functions above: under torch.compile other kernels are behind it.
template <typename Function>
auto find_op(const char* name, Function*) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
}

{{ forward.returns }} forward_op({{ inputs }}) {
  static const auto op = find_op("{{ project }}::{{ item.name }}", {{ item.name }});
{% if item.maybe_unwritten %}
  // torch.compile takes no operator that writes where that has nothing to write to (PyTorch 2.15).
  static const auto unwritten_op = find_op("{{ project }}::{{ item.name }}_unwritten", {{ item.name }});
  const bool unwritten = {{ item.written | map(attribute='name') | map('regex_replace', '^', '!') | join(' && ') }};
  const at::AutoDispatchBelowADInplaceOrView guard;
  const auto& chosen = unwritten ? unwritten_op : op;
  return chosen.call({{ item.call }});
{% else %}
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call({{ item.call }});
{% endif %}
}

{{ backward.returns }} backward_op({{ backward_inputs }}) {
  static const auto op = find_op("{{ project }}::{{ backward.name }}", {{ backward.name }});
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call({{ backward.call }});
}

// EDIT: what the gradient needs, and how it is computed.
struct {{ item.class_name }}Function : torch::autograd::Function<{{ item.class_name }}Function> {
  static {{ item.cpp_forward_type }} forward(torch::autograd::AutogradContext* ctx, {{ inputs }}) {
{% include pathjoin('variants', 'autograd', 'cpp', 'keep_needed.cpp' if item.kept_for_others else 'keep.cpp') %}
{% for scalar in item.scalars %}
    ctx->saved_data["{{ scalar.name }}"] = {{ scalar.name }};
{% endfor %}
{% for tensor in item.edges if tensor.write and tensor.optional %}
    ctx->saved_data["{{ tensor.name }}"] = {{ tensor.name }}.has_value();
{% endfor %}
{% for line in item.cpp_forward %}
    {{ line }}
{% endfor %}
  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* ctx,
      torch::autograd::variable_list grads) {
    const torch::autograd::variable_list saved = ctx->get_saved_variables();
{% for result in item.results %}
    const Tensor{{ '' if item.dtype else '&' }} grad_{{ result }} = grads[{{ loop.index0 }}]{{ '.to(saved[%d].scalar_type())' % item.first_input if item.dtype else '' }};
{% endfor %}
{% include pathjoin('variants', 'autograd', 'cpp', 'saved_needed.cpp' if item.kept_for_others else 'saved.cpp') %}
{% for scalar in item.scalars %}
    const {{ scalar.cpp }} = ctx->saved_data["{{ scalar.name }}"].{{ scalar.to_cpp }}();
{% endfor %}
    // One for each argument; the gradients of numbers stay undefined.
    torch::autograd::variable_list gradients({{ item.names | length }});
    if (at::GradMode::is_enabled()) {
      // Under create_graph=True the gradient will be differentiated in turn. The fused kernel has
      // no derivative; PyTorch's own operators have all of them.
{% include pathjoin('variants', 'kernel', 'gradient.cpp') %}
    } else {
{% if item.needed %}
      size_t edge = 0;  // of the graph, one for each tensor that is there
{% endif %}
{% for tensor in item.edges %}
      {{ tensor.count_edge }}
{% endfor %}
      const auto computed = backward_op({{ backward.call }});
{% for input in item.inputs %}
      gradients[{{ item.names.index(input.name) }}] = {{ 'std::get<' ~ loop.index0 ~ '>(computed)' if item.inputs | length > 1 else 'computed' }};
{% endfor %}
    }
    return gradients;
  }
};

bool has_tangent(const Tensor& tensor) {
  return tensor._fw_grad(0).defined();
}

bool needs_gradient(const Tensor& tensor) {
  return at::GradMode::is_enabled() && tensor.requires_grad();
}

bool in_torch_func() {
  const auto keys = c10::impl::tls_local_dispatch_key_set().included_;
  return keys.has(c10::DispatchKey::FuncTorchDynamicLayerBackMode);
}

{% for feature in item.cpp_features %}
{% include pathjoin('variants', 'autograd', 'cpp', feature ~ '.cpp') %}

{% endfor %}
{{ forward.returns }} autograd({{ forward.parameters }}) {
{% set differentiated = (['in_torch_func()'] + (item.inputs + item.written) | map(attribute='has_tangent') | list) | join(' || ') %}
  // torch.func and forward mode have no part in a Function in C++, but in all of PyTorch's operators.
{% include pathjoin('variants', 'autograd', 'cpp', 'refuse_transform.cpp' if item.written else 'transform.cpp') %}
{% for x in item.written %}
  {{ x.guard }}prepare_to_write("{{ x.name }}", {{ x.star }}{{ x.name }});
{% endfor %}
  if ({{ item.inputs | map(attribute='needs_gradient') | join(' || ') }}) {
{% for line in item.cpp_apply %}
    {{ line }}
{% endfor %}
  }
  return forward_op({{ item.call }});
}

}  // namespace gradient_of_{{ item.name }}

TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
  m.impl("{{ item.name }}", &gradient_of_{{ item.name }}::autograd);
}
