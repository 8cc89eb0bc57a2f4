{% include pathjoin('variants', 'autograd', 'test_gradient.py') %}
{% if not item.written %}
{% include pathjoin('variants', 'autograd', 'test_transforms.py') %}
{% endif %}
