{# What becomes benchmarks/bench_<op>.py. The bench_args.py of a kernel makes what `samples` need. #}
{% set reference = item.name ~ '_reference' %}
{% set imported = ['CHANNELS_IN'] * (item.kernel == 'image') + [reference] * (not item.eager) %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
{{ 'from %s.ops.%s import ‹%s›\n' % (project, item.name, imported | join(', ')) if imported }}

# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
{% include pathjoin('variants', 'kernel', item.kernel, 'bench_args.py') %}
    return [‹{{ item.samples | join(', ') | replace('column()', 'make(size)') }}›]


{% if item.eager %}
# EDIT: {{ "PyTorch's own operator for the formula" if item.kernel == 'rowwise' else 'the usual code in PyTorch' }}.
def eager(‹{{ item.args | join(', ', 'typed') | replace('Tensor', 'torch.Tensor') }}›):
    {{ item.eager | join('\n    ') }}


{% endif %}
if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, {{ 'eager' if item.eager else reference }}, make_args{{
      ', dtypes=("%s"), timed=("%s")' % (item.dtypes | join('", "'), item.timed | join('", "')) if item.timed }}›)
