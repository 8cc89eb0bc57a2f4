{% include pathjoin('variants', 'autograd', 'function', item.dispatch, 'call.py') %}
