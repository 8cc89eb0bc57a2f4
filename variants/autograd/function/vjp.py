            def forward({{ tensors }}):
{% if item.reference_part %}
                outs = {{ item.name }}_reference({{ item.reference_call }})
                return outs{{ item.reference_part }}
{% else %}
                return {{ item.name }}_reference({{ item.reference_call }})
{% endif %}

            _, vjp = torch.func.vjp(forward, {{ tensors }})
            {{ pattern % gradients }} = vjp({{ vjp_of }})
