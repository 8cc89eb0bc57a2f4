{# What becomes benchmarks/bench_<op>.py. The blocks are in the bench_op.py of a kernel, which extends this file. #}
{% from pathjoin('languages', 'py.jinja') import parameters %}
{% set reference = item.name ~ '_reference' %}
{% set eager = item.eager | default([]) %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
{% block imports %}
{{ 'from %s.ops.%s import «%s»\n' % (project, item.name, reference) if not eager -}}
{% endblock %}


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
{% block make %}
{% endblock %}
    return [‹{{ item.samples | join(', ') }}›]


{% if eager %}
# EDIT: {{ "PyTorch's own operator for the formula" if item.kernel == 'rowwise' else 'the usual code in PyTorch' }}.
def eager(‹{{ parameters(item.args, false) | replace('Tensor', 'torch.Tensor') }}›):
    {{ eager | join('\n    ') }}


{% endif %}
{% block dtypes %}
{% endblock %}
if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, {{ 'eager' if eager
      else reference }}, make_args{% block further %}{% endblock %}›)
