{% from pathjoin('questions', 'dtypes.jinja') import named_list %}
{% from pathjoin('languages', 'py_shapes.jinja') import made_arguments %}
{% set lines = made_arguments(item.shapes.tensors | rejectattr('result'), item.shapes, item.variables,
  'argument', of=item.sample_sizes) %}
{% set guessed = item.shapes.tensors | rejectattr('fixed', 'in', ['uint8', 'int8', 'bool']) | map(attribute='name')
  | select('in', lines | regex_findall('(?m)^(\\w+) = .*torch\\.randint')) | list %}
{% set few = named_list(guessed) if guessed %}
# EDIT: return arguments that the operator accepts.{{ ' The bounds of %s are a guess.' % ('integers'
  if few | length > 30 else few) if guessed }}
def make_args(‹{{ ([item.variables[0].parameter if item.variables else 'dtype=torch.float32', 'device="cpu"']
  + item.sample_sizes.items() | map('join', '=') | list
  + item.variables[1:] | rejectattr('made') | map(attribute='parameter') | list) | join(', ') }}›):
    """Return random arguments, whose sizes are all different."""
{{ lines | regex_replace('(?m)^(?=.)', '    ') }}
    return [‹{{ item.names | map('extract', item.passed_in_tests) | join(', ') }}›]
