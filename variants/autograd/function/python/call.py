    if is_watched():
        return _op({{ item.pass_on }})
    if {{ item.needs_gradient }}:
        return {{ item.class_name }}Function.apply({{ item.call }})
    return _forward_op({{ item.pass_on }})
