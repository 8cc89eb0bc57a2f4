{% include pathjoin('variants', 'autograd', 'function', 'test_op.py') %}
