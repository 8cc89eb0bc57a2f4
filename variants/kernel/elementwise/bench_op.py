{% set x = item.names.index(item.first) %}
{% set op = project ~ '.' ~ item.name %}
{% set op = 'by_position(%s)' % op if item.by_name else op %}
{% set reference = 'by_position(%s_reference)' % item.name if item.by_name else item.name ~ '_reference' %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

{% if item.by_name %}
from functools import wraps

{% endif %}
import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference


{% if item.by_name %}
{% include pathjoin('variants', 'kernel', 'bench_by_position.py') %}
{% endif %}
# EDIT: arguments such as the formula takes, as in the tests.
def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

{% if item.written %}
    def output():
        return torch.randn(numel, dtype=dtype, device=device)

{% endif %}
    return [{{ item.samples }}]


# The bytes that a pass has to move, for it reads or writes each of its tensors once.
NBYTES_OF = {
{% for pass in item.passes %}
    "{{ ['forward', 'backward'][loop.index0] }}": lambda args: {{ (pass.inputs + pass.outputs) | length }} * args[{{ x }}].nbytes,
{% endfor %}
}


if __name__ == "__main__":
    main({{ op }}, {{ reference }}, make_args, NBYTES_OF)
