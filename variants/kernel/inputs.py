{% if item.kernel == 'custom' %}
# EDIT: arguments that the operator accepts, as in the tests.
{% from pathjoin('languages', 'py_shapes.jinja') import example, numel_line, sample %}
{% set of = item.sample_sizes %}
{% for name, value in of.items() %}
{{ name }} = {{ value }}
{% endfor %}
{% for tensor in item.shapes.tensors if not tensor.result %}
{{ tensor.name }} = {{ example(tensor, item) }}
{{ numel_line(item.shapes, tensor) -}}
{% endfor %}
args = [‹{% for arg in item.args if not arg.keyword %}{{ '' if loop.first else ', ' }}{{ arg.name if arg.name in of
  or arg.tensor else sample(arg, item.first_dtypes.get(arg.name, 'torch.float32'), item.shapes.aliases) }}{% endfor %}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for arg in item.args if arg.keyword %}{{ '' if loop.first
  else ', ' }}"{{ arg.name }}": {{ arg.name
  if arg.name in of or arg.tensor else sample(arg, item.first_dtypes.get(arg.name, 'torch.float32'), item.shapes.aliases) }}{% endfor %}›{{ '}' }}
{% endif %}
{% else %}
{% if item.kernel == 'elementwise' %}
{% from pathjoin('languages', 'py.jinja') import samples as samples_of %}
{% set samples = samples_of(item.args) | from_json | map('regex_replace', '^dtype$', 'torch.float32') | list %}
def tensor():
    return torch.randn(1000, 1000, device=device{{ requires_grad }})


{% if item.written %}
def output():
    return torch.randn(1000, 1000, device=device)


{% endif %}
{% elif item.kernel in ['rowwise', 'matmul'] %}
{% set samples = item.samples %}
{% if item.kernel == 'rowwise' %}
rows = torch.randn(1000, 1000, device=device{{ requires_grad }})
{% else %}
a = torch.randn(1000, 500, device=device{{ requires_grad }})
b = torch.randn(500, 1000, device=device{{ requires_grad }})
{% if item.written %}
c = torch.empty(1000, 1000, device=device)
{% endif %}
{% endif %}
{% if item.columns %}


def column():
    return torch.randn(1000, device=device{{ requires_grad }})


{% endif %}
{% elif item.kernel == 'image' %}
{% from pathjoin('languages', 'py.jinja') import samples as samples_of %}
{% set samples = samples_of(item.args) | from_json %}
def tensor():
    return torch.rand(480, 640, 3, device=device)


{% elif item.kernel == 'volume' %}
{% set samples = item.samples %}
def tensor():
    return torch.randint(-1000, 3000, (64, 256, 256), device=device).to(torch.int16)


{% if item.bounds %}
def bound(share):
    return 3000 * share


{% endif %}
{% endif %}
{% from pathjoin('languages', 'py.jinja') import usual %}
{% set samples = samples if item.kernel in ['image', 'volume'] else usual(item.args, samples) | from_json %}
{% set count = (item.names | length) - (item.by_name | length) %}
# EDIT: arguments from the formula's domain, as in the tests.
args = [‹{{ samples[:count] | join(', ') }}›]
{% if item.by_name %}
keywords = {{ '{' }}‹{% for name in item.by_name %}"{{ name }}": {{ samples[count + loop.index0] }}{{ '' if loop.last
  else ', ' }}{% endfor %}›{{ '}' }}
{% endif %}
{% endif %}
