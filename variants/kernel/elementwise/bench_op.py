{% from pathjoin('languages', 'py.jinja') import samples %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import «{{ item.name }}_reference»


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

{% if item.written %}
    def output():
        return torch.randn(numel, dtype=dtype, device=device)

{% endif %}
    return [‹{{ samples(item.args) | from_json | join(', ') }}›]


if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, {{ item.name }}_reference, make_args›)
