{% set requires_grad = item.inputs | map(attribute='requires_grad') | join(' or ') %}
    if {{ '(%s)' % requires_grad if item.inputs | length > 1 else requires_grad }} and torch.is_grad_enabled():
        return {{ item.class_name }}Function.apply({{ item.call }})
    return {{ item.run }}({{ item.pass_on }})
