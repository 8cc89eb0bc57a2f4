{% from pathjoin('languages', 'py_shapes.jinja') import made_arguments, tuple %}
{% set of = item.sample_sizes | combine({item.columns: 1024} if item.columns in item.sample_sizes else {}) %}
{% set grown | from_json %}{% include pathjoin('variants', 'kernel', 'custom', 'growth.jinja') %}{% endset %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import ‹{{ item.variables[0].list ~ ', '
  if not item.fixed }}{{ item.name }}_reference›


# EDIT: return arguments of usual sizes, whose tensors have about numel elements{{ '; these stay small'
  if not grown.name }}.
# The benchmark assumes that the kernel reads or writes each tensor once. If not, pass work_of to
# main: functions that return the bytes of a call.
def make_args(numel, dtype, device, requires_grad):
{% for name, value in of.items() if name != grown.name %}
    {{ name }} = {{ value }}
{% endfor %}
{{ '    %s = %s\n' % (grown.shape, tuple(grown.others)) if grown.shape -}}
{{ '    %s = %s\n' % (grown.name, grown.value) if grown.name -}}
{{ made_arguments(item.shapes.tensors | rejectattr('result'), item.shapes, item.variables, 'timed', grown.leading)
  | indent(4, true) | trim('\n') }}
    return [‹{{ item.names | map('extract', item.passed | combine({item.variables[0].name: 'dtype'}
      if item.variables and item.variables[0].chosen else {})) | join(', ') }}›]


if __name__ == "__main__":
    dtypes = {{ '["%s"]' % item.fixed if item.fixed
      else '[str(x).removeprefix("torch.") for x in %s]' % item.variables[0].list }}
    main(‹{{ project }}.{{ item.name }}, {{ item.name }}_reference, make_args, dtypes=dtypes, timed=dtypes{{
      ', waits=True' if item.sized or item.as_numbers }}›)
