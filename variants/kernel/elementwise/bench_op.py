{% set x = item.names.index(item.first) %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

from {{ project }} import {{ item.name }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference


def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

{% for _ in item.written[:1] %}
    def output():
        return torch.randn(numel, dtype=dtype, device=device)

{% endfor %}
    return [{{ item.samples }}]


# The bytes that a pass has to move, for it reads or writes each of its tensors once.
NBYTES_OF = {
{% for pass in item.passes %}
    "{{ ['forward', 'backward'][loop.index0] }}": lambda args: {{ (pass.inputs + pass.outputs) | length }} * args[{{ x }}].nbytes,
{% endfor %}
}


if __name__ == "__main__":
    main({{ item.name }}, {{ item.name }}_reference, make_args, NBYTES_OF)
