{% for _ in ([] if item.optional_inputs else ['once']) %}
    try:
        needed = {{ item.requires_grad }}
    except AttributeError:  # it is no Tensor; PyTorch says which argument
        needed = False
{% endfor %}
