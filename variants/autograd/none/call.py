    return _op({{ item.pass_on }})
