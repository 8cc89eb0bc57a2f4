{% include pathjoin('variants', 'autograd', 'test_transforms.py') %}
