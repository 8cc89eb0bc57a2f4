"""`{{ item.name }}` against its reference, on CPU and GPU."""

import torch
from {{ project }}_suite import ‹Custom, CustomTests›

from {{ project }} import ‹{{ item.name }}›
from {{ project }}.ops.{{ item.name }} import ‹{{ (item.variables | rejectattr('made') | map(attribute='list')
  | sort + [item.name ~ '_reference']) | join(', ') }}›


{% include pathjoin('variants', 'kernel', 'custom', 'make_args.py') %}


OPERATOR = Custom(
    {{ item.name }},
    {{ item.name }}_reference,
    torch.ops.{{ project }}.{{ item.name }}.default,
    make_args,
    differentiable={{ item.of_reference }},
    dtypes={{ item.variables[0].list if item.variables else '[torch.%s]' % item.dtypes[0] }},
{% set variables = item.variables[1:] | rejectattr('made') | list %}
{% for line in [
  'variables={‹%s›},' % variables | join(', ', 'tried') if variables,
  'shaped=[‹%s›],  # arguments whose shapes are checked' % item.shaped | map('to_json') | join(', '),
  'conditions={‹%s›},  # what shapes and dtypes depend on' % (item.conditions | string)[1:-1] | replace("'", '"')
    if item.conditions,
  'strided=[‹%s›],  # the kernel gets their strides' % item.strided | map('to_json') | join(', ') if item.strided,
  'over={‹%s›},  # arguments that may be the same tensor as a written one' % (item.over | to_json)[1:-1] if item.over,
  'empty={%s},  # EDIT: sizes that make the result empty' % ('"%s": 0' % item.empty if item.empty),
  'large="%s",  # EDIT: the size to enlarge for a tensor of more than 2^31 elements, or ""' % item.grown if item.grown,
  'many="%s",  # EDIT: a size along which threads add to the same element, or ""' % item.many if item.many,
  'sized=True,  # the kernel counts the results' if item.sized,
  'waits=True,  # the function reads a number that the kernel wrote' if item.as_numbers,
  'fixed=[],  # EDIT: sizes and numbers of make_args that cannot have other values' if item.sample_sizes,
  'no_effect=[],  # EDIT: arguments that change no result',
  'tolerance={},  # EDIT: larger rounding errors, as in {"float16": {"rtol": 0, "atol": 2e-3}}',
  'columns="%s",' % item.columns if item.by_rows,
  'constant=[],  # EDIT: floating-point tensors that have no gradient, detached in the reference'
    if item.of_reference,
] | select %}
    {{ line }}
{% endfor %}
)


class Test{{ item.class_name }}(CustomTests):
    """Runs the tests of custom operators on `{{ item.name }}`. A method here replaces a test."""

    OPERATOR = OPERATOR


# EDIT: your own tests.
