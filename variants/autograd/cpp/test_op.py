{% include pathjoin('variants', 'autograd', 'test_gradient.py') %}
