"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

from {{ project }} import {{ item.name }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference


def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

    return [{{ item.samples }}]


if __name__ == "__main__":
    main({{ item.name }}, {{ item.name }}_reference, make_args, {{ ['forward', 'backward'][:item.passes | length] | to_json }})
