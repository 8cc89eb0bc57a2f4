{% extends pathjoin('variants', 'kernel', 'bench_op.py') %}
{% block imports %}
{% endblock %}
{% block make %}
    def tensor():
        return torch.randint(0, 256, (numel,), device=device).to(dtype)

{% if item.bounds %}
    def bound(share):
        return 255 * share

{% endif %}
{% endblock %}
{% block eager %}
# EDIT: the usual code in PyTorch.
def eager(‹{{ parameters(item.args, false) | replace('Tensor', 'torch.Tensor') }}›):
    {{ item.eager | join('\n    ') }}


DTYPES = ("uint8", "int16", "uint16", "int32", "float32")


{% endblock %}
{% block rest %}eager, make_args, dtypes=DTYPES, timed=("uint16", "float32"){% endblock %}
