{% from pathjoin('languages', 'py.jinja') import parameters %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
{% if not item.eager %}
from {{ project }}.ops.{{ item.name }} import «{{ item.name }}_reference»
{% endif %}


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    size = min(numel, 4096)
    rows = torch.randn(numel // size, size, dtype=dtype, device=device, requires_grad=requires_grad)

{% if item.columns %}
    def column():
        return torch.randn(size, dtype=dtype, device=device, requires_grad=requires_grad)

{% endif %}
    return [‹{{ item.samples | join(', ') }}›]


{% if item.eager %}
# EDIT: PyTorch's own operator for the formula.
def eager(‹{{ parameters(item.args, false) | replace('Tensor', 'torch.Tensor') }}›):
    return {{ item.eager }}


{% endif %}
if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, {{ 'eager' if item.eager else item.name ~ '_reference' }}, make_args›)
