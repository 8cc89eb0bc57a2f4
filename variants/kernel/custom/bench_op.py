{% from pathjoin('languages', 'py_shapes.jinja') import argument, numel_line, sample, zero_lines %}
{% set of = item.sample_sizes %}
{% if item.columns | default('') in of %}
{% set of = of | combine({item.columns: 1024}) %}
{% endif %}
{% set op = project ~ '.' ~ item.name %}
{# The first variable of dtypes is the benchmark's own. #}
{% set names = item.first_dtypes | combine({item.variables[0].name: 'dtype'} if item.variables else {}) %}
{# What grows with numel: the rows of `...` or of a tensor of any shape, else the first dimension of an argument that
   a further tensor has, too, else the first size that no tensor has twice. Of the tensors with this size, the one
   with the most dimensions has numel elements. #}
{% set tensors = item.shapes.tensors %}
{% set inputs = tensors | rejectattr('result') | rejectattr('optional') | list %}
{% set open = inputs | selectattr('leading') | list or inputs[:1] | rejectattr('shaped') | rejectattr('branches')
  | list %}
{% set rows = ['rows', 'leading', 'rows_of_' ~ item.name] | reject('in', item.shapes.taken) | first %}
{% set found = namespace(first='', any='') %}
{% for tensor in inputs | selectattr('one', 'equalto', item.source) | list + inputs if not open %}
{% for size in tensor.sizes if size.name in of and size.name not in item.shapes.ints %}
{% set has = namespace(most=0, tensors=0) %}
{% for x in tensors %}
{% set times = x.sizes | map(attribute='names') | sum(start=[]) | select('equalto', size.name) | list | length %}
{% set has.most = [has.most, times] | max %}
{% set has.tensors = has.tensors + (1 if times else 0) %}
{% endfor %}
{% set found.any = found.any or (size.name if has.most == 1 else '') %}
{% set found.first = found.first or (size.name if has.most == 1 and has.tensors > 1 and tensor.sizes[0] == size
  else '') %}
{% endfor %}
{% endfor %}
{% set grown = namespace(name=rows if open else found.first or found.any, of=open[0] if open else {}) %}
{% for tensor in tensors if not open and grown.name in tensor.sizes | map(attribute='name') %}
{% set known = tensor.sizes | map(attribute='names') | sum(start=[]) | reject('in', of) | list == [] %}
{% set grown.of = tensor if known and tensor.sizes | length > (grown.of.sizes | default([]) | length) else grown.of %}
{% endfor %}
{% set of_group = grown.name in item.shapes.groups %}
{% set factors = grown.of.sizes | map(attribute='text') | reject('in', [grown.name, '*' ~ grown.name])
  | map('regex_replace',
  '^(.*\\W.*)$', '(\\1)') | map('regex_replace', '^[(][*](.*)[)]$', 'torch.Size(\\1).numel()') | list if grown.name
  else [] %}
{% set factors = '(%s)' % factors | join(' * ') if factors | length > 1 else factors | join %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

import {{ project }}
from {{ project }}.ops.{{ item.name }} import «{{ 'DTYPES, ' if not item.fixed }}{{ item.name }}_reference»


# EDIT: return arguments of usual sizes, whose tensors have about numel elements{{ '; these stay small' if not grown.name }}.
# The benchmark assumes that the kernel reads or writes each tensor once. If not, pass work_of to
# main: functions that return the bytes of a call.
def make_args(numel, dtype, device, requires_grad):
{% for name, value in of.items() if name != grown.name %}
    {{ name }} = {{ value }}
{% endfor %}
{% if grown.name %}
    {{ grown.name }} = {{ ('(%s,)' if of_group else '%s') % ('max(‹1, numel // %s›)' % factors if factors else 'numel') }}
{% endif %}
{% set zero = zero_lines(item.shapes) | trim %}
{{ zero | indent(4, true) ~ '\n' if zero -}}
{% for tensor in tensors if not tensor.result %}
    {{ tensor.name }} = {{ argument(tensor, [rows] if open else ['2', '3'], facts=item.shapes, names=names) }}
{% set line = numel_line(item.shapes, tensor) | trim %}
{{ "    %s\n" % line if line -}}
{% endfor %}
    return [‹{% for arg in item.args %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of or arg.tensor
      else sample(arg, names.get(arg.name, 'dtype'), aliases=item.shapes.aliases) }}{% endfor %}›]


if __name__ == "__main__":
    dtypes = {{ '["%s"]' % item.fixed if item.fixed else '[str(x).removeprefix("torch.") for x in DTYPES]' }}
    main(‹{{ op }}, {{ item.name }}_reference, make_args, dtypes=dtypes, timed=dtypes{{ ', waits=True'
      if item.sized or item.as_numbers }}›)
