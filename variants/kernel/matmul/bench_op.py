{% set op = project ~ '.' ~ item.name %}
{% set op = 'by_position(%s)' % op if item.by_name else op %}
{% set reference = 'by_position(%s_reference)' % item.name if item.by_name else item.name ~ '_reference' %}
{% set a, b = item.names.index(item.a), item.names.index(item.b) %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile, over the product alone."""

{% for _ in item.by_name[:1] %}
from functools import wraps
{% endfor %}
from math import isqrt

import torch
from common import Limit, main, seconds

import {{ project }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference


{% for _ in item.by_name[:1] %}
{% include pathjoin('variants', 'kernel', 'bench_by_position.py') %}
{% endfor %}
# EDIT: arguments such as the formula takes, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    size = isqrt(numel)

    def make(*shape):
        return torch.randn(shape, dtype=dtype, device=device, requires_grad=requires_grad)

{% for _ in item.columns[:1] %}
    def column():
        return make(size)

{% endfor %}
    a, b = make(size, size), make(size, size)
    return [{{ item.samples }}]


# The operations that a pass has to make: the gradient has two products.
OPERATIONS_OF = {
{% for pass in item.passes %}
    "{{ ['forward', 'backward'][loop.index0] }}": lambda args: {{ 2 * loop.index }} * args[{{ a }}].shape[0] ** 3,
{% endfor %}
}


def product(args, operations, device):
    """Return the speed of PyTorch's product, which is that of cuBLAS on a GPU."""
    a, b = args[{{ a }}].detach(), args[{{ b }}].detach()
    return 2 * a.shape[0] ** 3 / seconds(lambda: a @ b, device)


if __name__ == "__main__":
    main({{ op }}, {{ reference }}, make_args, OPERATIONS_OF, Limit("product", "GFLOP/s", product))
