            tensors = { {{- item.tensor_items -}} }
            given = {name: tensor for name, tensor in tensors.items() if tensor is not None}

            def forward(given):
{% if item.reference_part %}
                outs = {{ item.name }}_reference(**(tensors | given){{ item.reference_rest }})
                return outs{{ item.reference_part }}
{% else %}
                return {{ item.name }}_reference(**(tensors | given){{ item.reference_rest }})
{% endif %}

            _, vjp = torch.func.vjp(forward, given)
            (found,) = vjp({{ vjp_of }})
{% for input in item.inputs %}
            {{ input.found }}
{% endfor %}
