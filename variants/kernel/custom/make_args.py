{% from pathjoin('languages', 'py_shapes.jinja') import argument, numel_line, places_of, sample, zero_lines %}
{% set of = item.sample_sizes %}
{% set names = namespace(all={}) %}
{% for x in item.variables %}
{% set names.all = names.all | combine({x.name: x.argument}) %}
{% endfor %}
{% set drawn = namespace(guessed=[]) %}
{% for tensor in item.shapes.tensors if tensor.name in item.args | map(attribute='name') %}
{% set places = places_of(tensor, item.shapes, of) %}
{% set line = argument(tensor, places=places, facts=item.shapes, names=names.all) %}
{% set drawn.guessed = drawn.guessed + ['`%s`' % tensor.name] * (tensor.fixed != 'bool' and 'torch.randint(‹0, ' ~ places ~ ',' in line) %}
{% endfor %}
# EDIT: return arguments that the operator accepts.{{ ' The bounds of %s are a guess.' % ('integers' if drawn.guessed | join | length > 25
  else drawn.guessed | join) if drawn.guessed }}
def make_args(‹dtype=torch.{{ 'float32' if not item.variables or not item.variables[0].declared
  else item.dtypes[0] }}, device="cpu"{% for name, value in of.items() %}, {{ name }}={{ value }}{% endfor %}{%
  for x in item.variables[1:] | rejectattr('made') %}, {{ x.argument }}=torch.{{ x.dtypes[0] }}{% endfor %}›):
    """Return random arguments, whose sizes are all different."""
{% set zero = zero_lines(item.shapes) | trim %}
{{ zero | indent(4, true) ~ '\n' if zero -}}
{% for arg in item.args %}
{% set tensor = item.shapes.tensors | selectattr('name', 'equalto', arg.name) | first | default(none) %}
{% if tensor %}
    {{ arg.name }} = {{ argument(tensor, places=places_of(tensor, item.shapes, of), facts=item.shapes, names=names.all) }}
{% set line = numel_line(item.shapes, tensor) | trim %}
{{ "    %s\n" % line if line -}}
{% endif %}
{% endfor %}

    return [‹{% for arg in item.args %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of or arg.tensor
      else sample(arg, names.all.get(arg.name, 'dtype'), aliases=item.shapes.aliases) }}{% endfor %}›]
