{% set x = item.names.index(item.first) %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

from {{ project }} import {{ item.name }}
{% if not item.eager %}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference
{% endif %}


def make_args(numel, dtype, device, requires_grad):
    size = min(numel, 4096)
    rows = torch.randn(numel // size, size, dtype=dtype, device=device, requires_grad=requires_grad)

{% for _ in item.columns[:1] %}
    def column():
        return torch.randn(size, dtype=dtype, device=device, requires_grad=requires_grad)

{% endfor %}
    return [{{ item.samples }}]


{% if item.eager %}
def eager({{ item.plain_parameters | replace('Tensor', 'torch.Tensor') }}):
    return {{ item.eager }}


{% endif %}
# The bytes of the rows that a pass has to move, for it reads or writes each of these tensors once.
NBYTES_OF = {
{% for pass in item.passes %}
    "{{ ['forward', 'backward'][loop.index0] }}": lambda args: {{ pass.rows | length + 1 }} * args[{{ x }}].nbytes,
{% endfor %}
}


if __name__ == "__main__":
    main({{ item.name }}, {{ 'eager' if item.eager else item.name ~ '_reference' }}, make_args, NBYTES_OF)
