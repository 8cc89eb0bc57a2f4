    if is_watched():
        return _op({{ item.pass_on }})
{% include pathjoin('variants', 'autograd', 'needed.py') %}
    if {{ item.needed_now }} and torch.is_grad_enabled():
        return {{ item.class_name }}Function.apply({{ item.call }})
    return _forward_op({{ item.pass_on }})
