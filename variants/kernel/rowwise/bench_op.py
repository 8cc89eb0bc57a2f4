{% extends pathjoin('variants', 'kernel', 'bench_op.py') %}
{% block imports %}
{% if not item.eager %}
{{ super() }}
{%- endif %}
{% endblock %}
{% block make %}
    size = min(numel, 4096)
    rows = torch.randn(numel // size, size, dtype=dtype, device=device, requires_grad=requires_grad)

{% if item.columns %}
    def column():
        return torch.randn(size, dtype=dtype, device=device, requires_grad=requires_grad)

{% endif %}
{% endblock %}
{% block eager %}
{% if item.eager %}
# EDIT: PyTorch's own operator for the formula.
def eager(‹{{ parameters(item.args, false) | replace('Tensor', 'torch.Tensor') }}›):
    return {{ item.eager }}


{% endif %}
{% endblock %}
{% block rest %}{{ 'eager' if item.eager else reference }}, make_args{% endblock %}
