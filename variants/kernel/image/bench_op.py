{% from pathjoin('languages', 'py.jinja') import samples %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import «CHANNELS_IN, {{ item.name }}_reference»


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    def tensor():
        shape = (numel // CHANNELS_IN, CHANNELS_IN)
        return (torch.rand(shape, device=device) * 255).to(dtype)

    return [‹{{ samples(item.args) | from_json | join(', ') }}›]


if __name__ == "__main__":
{% set dtypes = '("uint8", "float32")' %}
    main(‹{{ project }}.{{ item.name }}, {{ item.name }}_reference, make_args, dtypes={{ dtypes }}, timed={{ dtypes }}›)
