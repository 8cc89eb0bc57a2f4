{% from pathjoin('variants', 'macros.jinja') import py, py_any %}
{{ py_any('    if ', [['@.requires_grad', item.tensors]], ' and torch.is_grad_enabled():') }}
{{ py('        return ' ~ item.class_name ~ 'Function.apply(', [['@', item.names]], ')') }}
{{ py('    return _forward_op(', [['@', item.names]], ')') }}
