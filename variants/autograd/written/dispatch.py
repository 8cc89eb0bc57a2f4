    return {{ item.run }}({{ item.pass_on }})
