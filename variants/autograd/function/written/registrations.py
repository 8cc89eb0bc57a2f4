{% include pathjoin('variants', 'autograd', 'written', 'registrations.py') %}
