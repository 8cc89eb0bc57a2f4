{% include pathjoin('variants', 'autograd', 'none', 'call.py') %}
