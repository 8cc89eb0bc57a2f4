{% if full and not item.written %}

# Whether autocast lowers the dtype of its tensors, as for PyTorch's products.
LOWERED = True
{% endif %}
