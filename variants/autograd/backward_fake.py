{% from pathjoin('variants', 'macros.jinja') import py, py_bare %}
_backward_op = _namespace.{{ item.name }}_backward.default


@torch.library.register_fake(_backward_op)
{{ py('def _backward_fake(', [['grad_out: Tensor', ['']], ['@', item.py_args]], '):') }}
{{ py_bare('    return ', [['@.new_empty(@.shape)', item.tensors]]) }}
