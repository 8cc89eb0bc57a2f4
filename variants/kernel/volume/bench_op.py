{% extends pathjoin('variants', 'kernel', 'bench_op.py') %}
{% block make %}
    def tensor():
        return torch.randint(0, 256, (numel,), device=device).to(dtype)

{% if item.bounds %}
    def bound(share):
        return 255 * share

{% endif %}
{% endblock %}
{% block dtypes %}
DTYPES = ("uint8", "int16", "uint16", "int32", "float32")


{% endblock %}
{% block further %}, dtypes=DTYPES, timed=("uint16", "float32"){% endblock %}
