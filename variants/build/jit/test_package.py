{% include pathjoin('variants', 'build', 'test_package.py') %}
