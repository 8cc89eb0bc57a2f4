{% set x = item.names.index(item.first) %}
{% set eager = 'eager' if item.eager else item.name ~ '_reference' %}
{% set op = project ~ '.' ~ item.name %}
{% set op = 'by_position(%s)' % op if item.by_name else op %}
{% set reference = 'by_position(%s)' % eager if item.by_name else eager %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

{% for _ in item.by_name[:1] %}
from functools import wraps

{% endfor %}
import torch
from common import main

import {{ project }}
{% if not item.eager %}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference
{% endif %}


{% for _ in item.by_name[:1] %}
{% include pathjoin('variants', 'kernel', 'bench_by_position.py') %}
{% endfor %}
# EDIT: arguments such as the formula takes, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    size = min(numel, 4096)
    rows = torch.randn(numel // size, size, dtype=dtype, device=device, requires_grad=requires_grad)

{% for _ in item.columns[:1] %}
    def column():
        return torch.randn(size, dtype=dtype, device=device, requires_grad=requires_grad)

{% endfor %}
    return [{{ item.samples }}]


{% if item.eager %}
# EDIT: what PyTorch has for it.
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
    main({{ op }}, {{ reference }}, make_args, NBYTES_OF)
