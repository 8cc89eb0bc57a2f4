{% from pathjoin('questions', 'dtypes.jinja') import named_list %}
{% from pathjoin('languages', 'py_shapes.jinja') import argument, numel_line, places_of, zero_lines %}
{% set of = item.sample_sizes %}
{% set drawn = namespace(lines=[], guessed=[]) %}
{% for tensor in item.shapes.tensors if not tensor.result %}
{# Rows of tests have more elements than int16 has numbers. An argument may be called `min`. #}
{% set places = places_of(tensor, item.shapes, of)
  | replace(' or 1', ' % 2**15 or 1' if item.by_rows and tensor.fixed == 'int16' else ' or 1') %}
{% set value = argument(tensor, item.variables, 'argument', places=places) %}
{% set drawn.lines = drawn.lines + ['%s = %s' % (tensor.name, value)]
  + (numel_line(item.shapes, tensor) | trim).splitlines() %}
{% set drawn.guessed = drawn.guessed + [tensor.name] * (tensor.fixed != 'bool' and 'torch.randint(‹0, ' ~ places
  ~ ',' in value) %}
{% endfor %}
{% set few = named_list(drawn.guessed) if drawn.guessed %}
# EDIT: return arguments that the operator accepts.{{ ' The bounds of %s are a guess.' % ('integers'
  if few | length > 30 else few) if drawn.guessed }}
def make_args(‹{{ ([item.variables[0].parameter if item.variables else 'dtype=torch.float32', 'device="cpu"']
  + of.items() | map('join', '=') | list
  + item.variables[1:] | rejectattr('made') | map(attribute='parameter') | list) | join(', ') }}›):
    """Return random arguments, whose sizes are all different."""
{{ zero_lines(item.shapes) | regex_replace('(?m)^(?=.)', '    ') -}}
{{ '    ' ~ drawn.lines | join('\n    ') }}

    return [‹{{ item.names | map('extract', item.passed_in_tests) | join(', ') }}›]
