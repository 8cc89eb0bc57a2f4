{% if full and not item.written %}

# Whether autocast lowers its dtype, as for PyTorch's products.
LOWERED = True
{% endif %}
