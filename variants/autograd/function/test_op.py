{% include pathjoin('variants', 'autograd', 'test_gradient.py') %}
{% include pathjoin('variants', 'autograd', 'function', item.dispatch or 'written', 'test_op.py') %}
