{% extends pathjoin('variants', 'kernel', 'bench_op.py') %}
{% block imports %}
from {{ project }}.ops.{{ item.name }} import «CHANNELS_IN, {{ reference }}»
{% endblock %}
{% block make %}
    def tensor():
        shape = (numel // CHANNELS_IN, CHANNELS_IN)
        return (torch.rand(shape, device=device) * 255).to(dtype)

{% endblock %}
{% block further %}, dtypes=("uint8", "float32"), timed=("uint8", "float32"){% endblock %}
