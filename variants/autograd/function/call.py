{% include pathjoin('variants', 'autograd', 'function', 'dispatch.py') %}
