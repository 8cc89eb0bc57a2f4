{% set requires_grad = item.tensors | map('regex_replace', '$', '.requires_grad') | join(' or ') %}
    if {{ '(%s)' % requires_grad if item.tensors | length > 1 else requires_grad }} and torch.is_grad_enabled():
        return {{ item.class_name }}Function.apply({{ item.call }})
    return _forward_op({{ item.call }})
