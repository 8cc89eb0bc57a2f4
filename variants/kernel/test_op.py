{% from pathjoin('languages', 'py_shapes.jinja') import tuple %}
"""`{{ item.name }}` against its reference, in every dtype and layout, on CPU and GPU."""

import torch
from {{ project }}_suite import ‹{{ 'LAYOUTS, ' if item.kernel == 'elementwise' }}{{ item.kernel
  | capitalize }}›
{{ '\nfrom %s.ops.%s import ‹CHANNELS_IN›\n' % (project, item.name) if item.kernel == 'image' -}}
{{ '\n' if item.kernel in ['elementwise', 'matmul'] }}
{% include pathjoin('variants', 'kernel', item.kernel, 'make_args.py') %}


# EDIT: your own tests. You can replace tests and attributes of the suite, such as rtol and atol.
class Test{{ item.class_name }}({{ item.kernel | capitalize }}):
    """Runs the tests of {{ item.kernel }} operators on `{{ item.name }}`."""

    name = "{{ item.name }}"
    make_args = staticmethod(make_args)
{{ '    returned = %s\n' % tuple(item.returned | reject('in', item.results) | map('to_json') | list)
  if item.wrapped -}}
