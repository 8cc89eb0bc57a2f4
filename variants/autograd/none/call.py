    return _op({{ item.call }})
