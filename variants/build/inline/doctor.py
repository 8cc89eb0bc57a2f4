{% include pathjoin('variants', 'build', 'doctor', 'at_import.py') %}
