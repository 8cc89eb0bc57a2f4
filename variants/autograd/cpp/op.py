

# ---- Gradient, which is computed in csrc/{{ item.name }}/{{ item.name }}.cpp

{% include pathjoin('variants', 'autograd', 'backward_fake.py') %}
