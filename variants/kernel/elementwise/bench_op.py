{% set x = item.names.index(item.first) %}
{% set op = project ~ '.' ~ item.name %}
{% set op = 'by_position(%s)' % op if item.by_name else op %}
{% set reference = 'by_position(%s_reference)' % item.name if item.by_name else item.name ~ '_reference' %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

{% for _ in item.by_name[:1] %}
from functools import wraps

{% endfor %}
import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference


{% for _ in item.by_name[:1] %}
{% include pathjoin('variants', 'kernel', 'bench_by_position.py') %}
{% endfor %}
# EDIT: arguments such as the formula takes, as in the tests.
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
    main({{ op }}, {{ reference }}, make_args, NBYTES_OF)
