{% set forward = item.passes[0] %}
{% set backward = item.passes[1] %}
{# An unregistered function need not take the arguments of a registered one, and a reference costs no count of
   references. #}
{% set by_reference = '(std::optional<Tensor>|std::vector<[^>]*>|std::string|\\bTensor) ' %}
{% set autograd = 'gradient_of_%s::autograd' % item.name %}
{% set inputs = cpp.parameters(forward) | regex_replace(by_reference, 'const \\1& ') %}
{% set tensors = item.args | selectattr('tensor') | list %}
{% set edges = tensors[: tensors.index(item.inputs[-1]) + 1] if item.needed else [] %}

// ---- Gradient

namespace gradient_of_{{ item.name }} {

{{ cpp.result_type(forward) }} autograd(‹{{ cpp.parameters(forward) }}›);

{{ cpp.result_type(forward) }} forward_op(‹{{ inputs }}›) {
  static const auto op = ‹find_op("{{ project }}::{{ item.name }}", {{ autograd }})›;
{% if item.maybe_unwritten %}
  // torch.compile refuses an operator that writes if there is nothing to write to (PyTorch 2.15).
  static const auto unwritten_op = ‹find_op("{{ project }}::_{{ item.name }}_unwritten", {{ autograd }})›;
  const bool unwritten = !{{ item.written | map(attribute='name') | join(' && !') }};
  const at::AutoDispatchBelowADInplaceOrView guard;
  const auto& chosen = unwritten ? unwritten_op : op;
  return chosen.call(‹{{ item.names | join(', ') }}›);
{% else %}
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call(‹{{ item.names | join(', ') }}›);
{% endif %}
}

{{ cpp.result_type(backward) }} backward_op(‹{{ cpp.parameters(backward)
  | regex_replace(by_reference, 'const \\1& ') }}›) {
  static const auto op = ‹find_op("{{ project }}::{{ backward.registered[0] }}", {{ backward.name }})›;
  const at::AutoDispatchBelowADInplaceOrView guard;
  return op.call(‹{{ backward.names | join(', ') }}›);
}

// EDIT: the tensors that the gradient needs, and the gradient.
struct {{ item.class_name }}Function : torch::autograd::Function<{{ item.class_name }}Function> {
  static {{ 'torch::autograd::variable_list' if item.results | length > 1
    else 'Tensor' }} forward(‹torch::autograd::AutogradContext* ctx, {{ inputs }}›) {
    ctx->save_for_backward(‹{ {{- item.inputs | map(attribute='name') | map('regex_replace',
      '^(%s)$' % item.optional_tensors | map(attribute='name') | join('|'), '\\1.value_or(Tensor())')
      | join(', ') -}} }›);
{% for x in item.scalars + edges | selectattr('write') | selectattr('optional') | list %}
    ctx->saved_data["{{ x.name }}"] = {{ x.name }}{{ '.has_value()' if x.tensor }};
{% endfor %}
    {{ 'return' if item.results | length == 1 else 'const auto [%s] =' % item.results
      | join(', ') }} forward_op(‹{{ item.names | join(', ') }}›);
{{ '    return {' ~ item.results | join(', ') ~ '};\n' if item.results[1:] }}  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* ctx,
      torch::autograd::variable_list grads) {
    const torch::autograd::variable_list saved = ctx->get_saved_variables();
{% for result in item.results %}
    const Tensor{{ '&' if not item.dtype }} grad_{{ result }} = grads[{{ loop.index0 }}]{{
      '.to(saved[%d].scalar_type())' % item.first_input if item.dtype }};
{% endfor %}
{% for x in item.inputs %}
    const {{ 'std::optional<Tensor>' if x.optional else 'Tensor&' }} {{ x.name }} = {{
      'saved[{0}].defined() ? std::optional(saved[{0}]) : std::nullopt'.format(loop.index0) if x.optional
      else 'saved[%d]' % loop.index0 }};
{% endfor %}
{% for scalar in item.scalars %}
    const {{ cpp.argument(scalar) }} = ctx->saved_data["{{ scalar.name }}"].{{
      cpp.field(scalar.field, 'of_ivalue') }}();
{% endfor %}
    // One gradient for each argument. The gradients of numbers stay undefined.
    torch::autograd::variable_list gradients({{ item.names | length }});
    if (at::GradMode::is_enabled()) {
      // With create_graph=True, the gradient will be differentiated, too. The fused kernel has no
      // derivative; PyTorch's own operators have all derivatives.
      {{ item.second | join('\n      ') }}
    } else {
{% for tensor in edges %}
{{ '      size_t edge = 0;  // an edge of the graph for each given tensor\n' if loop.first }}      {{
        'const bool needs_%s = %sctx->needs_input_grad(edge++);' % (tensor.name, tensor.name ~ ' && '
          if tensor.optional else '') if not tensor.write
        else 'edge += ctx->saved_data["%s"].toBool();' % tensor.name if tensor.optional else '++edge;' }}
{% endfor %}
      const auto computed = backward_op(‹{{ backward.names | join(', ') }}›);
{% for input in item.inputs %}
      gradients[{{ item.names.index(input.name) }}] = {{
        'std::get<%d>(computed)' % loop.index0 if item.inputs | length > 1 else 'computed' }};
{% endfor %}
    }
    return gradients;
  }
};

{{ cpp.result_type(forward) }} autograd(‹{{ cpp.parameters(forward) }}›) {
{% for name in item.required %}
  check_defined("{{ item.name }}", {{ cpp.named(item, name) }}, {{ name }});
{% endfor %}
  // torch.func and forward mode do not support a C++ Function. They support PyTorch's operators.
  if (‹in_torch_func() || has_tangent({{ (item.inputs + item.written) | map(attribute='name') | join(', ') }})›) {
{% if item.written %}
    TORCH_CHECK(‹false, "{{ item.name }}: torch.func and forward mode do not support an operator that writes; call {{
      item.name }}_reference there"›);
{% else %}
    static const auto reference_op = ‹find_op("{{ project }}::_{{ item.name }}_reference", {{ autograd }})›;
    return reference_op.call(‹{{ item.names | join(', ') }}›);
{% endif %}
  }
{% for x in item.written %}
  {{ cpp.guard(x) }}prepare_to_write("{{ item.name }}", {{ cpp.named(item, x.name) }}, {{ cpp.value(x) }});
{% endfor %}
  if (‹needs_gradient({{ item.inputs | map(attribute='name') | join(', ') }})›) {
    {{ 'return' if item.results | length == 1
      else 'const auto results =' }} {{ item.class_name }}Function::apply(‹{{ item.names | join(', ') }}›);
{{ '    return std::make_tuple(‹%s›);\n' % range(item.results | length)
  | map('regex_replace', '(.+)', 'results[\\1]') | join(', ') if item.results[1:] }}  }
  return forward_op(‹{{ item.names | join(', ') }}›);
}

}  // namespace gradient_of_{{ item.name }}

TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
  m.impl("{{ item.name }}", &gradient_of_{{ item.name }}::autograd);
}
