{% if not item.optional_inputs %}
    try:
        needed = {{ item.requires_grad }}
    except AttributeError:  # it is no Tensor; PyTorch says which argument
        needed = False
{% endif %}
