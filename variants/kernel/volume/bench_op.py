{% from pathjoin('languages', 'py.jinja') import parameters %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randint(0, 256, (numel,), device=device).to(dtype)

{% if item.bounds %}
    def bound(share):
        return 255 * share

{% endif %}
    return [‹{{ item.samples | join(', ') }}›]


# EDIT: the usual code in PyTorch.
def eager(‹{{ parameters(item.args, false) | replace('Tensor', 'torch.Tensor') }}›):
{% for line in item.eager %}
    {{ line }}
{% endfor %}


DTYPES = ("uint8", "int16", "uint16", "int32", "float32")


if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, eager, make_args, dtypes=DTYPES, timed=("uint16", "float32")›)
