{# What becomes benchmarks/bench_<op>.py. The blocks are in the bench_op.py of a kernel, which extends this file. #}
{% from pathjoin('languages', 'py.jinja') import parameters, samples %}
{% set reference = item.name ~ '_reference' %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
{% block imports %}
from {{ project }}.ops.{{ item.name }} import «{{ reference }}»
{% endblock %}


# EDIT: return arguments from the formula's domain, as in the tests.
def make_args(numel, dtype, device, requires_grad):
{% block make %}
{% endblock %}
    return [‹{{ (item.samples if item.samples is defined else samples(item.args) | from_json) | join(', ') }}›]


{% block eager %}
{% endblock %}
if __name__ == "__main__":
    main(‹{{ project }}.{{ item.name }}, {% block rest %}{{ reference }}, make_args{% endblock %}›)
