    if {{ item.needs_gradient }}:
        return {{ item.class_name }}Function.apply({{ item.call }})
    return {{ item.run }}({{ item.pass_on }})
