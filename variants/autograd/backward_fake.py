_backward_op = _namespace.{{ item.name }}_backward.default


@torch.library.register_fake(_backward_op)
def _backward_fake(grad_out: Tensor, {{ item.parameters }}):
    return {{ item.tensors | map('regex_replace', '(.+)', '\\1.new_empty(\\1.shape)') | join(', ') }}
