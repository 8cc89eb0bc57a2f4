    if {{ item.needs_gradient }} and not is_watched():
        return {{ item.class_name }}Function.apply({{ item.call }})  # what `_op` comes to, sooner
    return _op({{ item.pass_on }})
