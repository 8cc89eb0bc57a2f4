{% from pathjoin('languages', 'py_shapes.jinja') import argument, numel_line, places_of, sample %}
{% set of = item.sample_sizes %}
# EDIT: return arguments that the operator accepts.
def make_args(dtype=torch.float32, device="cpu"{% for name, value in of.items() %}, {{ name }}={{ value }}{% endfor %}):
    """Return random arguments, whose sizes are all different."""
{% for arg in item.args %}
{% set tensor = item.shapes.tensors | selectattr('name', 'equalto', arg.name) | first | default(none) %}
{% if tensor %}
    {{ arg.name }} = {{ argument(tensor, places=places_of(tensor, item.shapes, of)) }}
{% set line = numel_line(item.shapes, tensor) | trim %}
{{ "    %s\n" % line if line -}}
{% endif %}
{% endfor %}

    return [{% for arg in item.args %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of or arg.tensor
      else sample(arg, aliases=item.shapes.aliases) }}{% endfor %}]
