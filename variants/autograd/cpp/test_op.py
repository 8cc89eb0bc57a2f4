{% include pathjoin('variants', 'autograd', 'test_gradient.py') %}
{% for _ in [1] if not item.written %}
{% include pathjoin('variants', 'autograd', 'test_transforms.py') %}
{% endfor %}
