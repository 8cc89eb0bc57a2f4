{% include pathjoin('variants', 'autograd', 'needed.py') %}
    if {{ item.needed_now }} and only_autograd_looks():
        return {{ item.class_name }}Function.apply({{ item.call }})  # what `_op` comes to, sooner
    return _op({{ item.pass_on }})
