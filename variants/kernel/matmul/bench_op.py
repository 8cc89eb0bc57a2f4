{% set a, b = item.names.index(item.a), item.names.index(item.b) %}
"""Times `{{ item.name }}` against plain PyTorch, torch.compile and the bare product."""

from math import isqrt

import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import ‹{{ item.name }}_reference›


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    size = isqrt(numel)

    def make(*shape):
        return torch.randn(shape, dtype=dtype, device=device, requires_grad=requires_grad)

    a, b = make(size, size), make(size, size)
    {{ 'c = torch.empty(size, size, dtype=dtype, device=device)\n    ' if item.written -}}
    return [‹{{ item.samples | join(', ') | replace('column()', 'make(size)') }}›]


# The floating-point operations of a pass. The gradient has two products.
OPERATIONS_OF = {
    "forward": lambda args: 2 * args[{{ a }}].shape[0] ** 3,
{{ '    "backward": lambda args: 4 * args[%d].shape[0] ** 3,\n' % a if item.passes[1:] -}}
}


def product(args, operations, device):
    """Return PyTorch's product, which is cuBLAS's on a GPU."""
    a, b = args[{{ a }}].detach(), args[{{ b }}].detach()
    return 2 * a.shape[0] ** 3, lambda: a @ b


if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, {{ item.name }}_reference, make_args, OPERATIONS_OF, product, "GFLOP/s"›)
