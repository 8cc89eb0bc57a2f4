{% from pathjoin('languages', 'types.jinja') import each %}
{% set example = each('value') | from_json %}
{% if item.kernel == 'custom' %}
{% from pathjoin('languages', 'py_shapes.jinja') import example as value_of, numel_line, sample, zero_lines %}
{% set of = item.sample_sizes %}
{% set given = item.args | rejectattr('default') | map(attribute='name') | list %}
{% set now = namespace(tensors=[]) %}
{% for tensor in item.shapes.tensors if tensor.name in given %}
{% set now.tensors = now.tensors + [tensor.name ~ ' = ' ~ value_of(tensor, item)
  ~ ('\n' ~ numel_line(item.shapes, tensor)).rstrip()] %}
{% endfor %}
{% set used = given + now.tensors | join(' ') | regex_findall('\\w+') + item.shapes.aliases
  | selectattr('of', 'in', given)
  | map(attribute='name') | list %}
device = "cuda"
{% for name, value in of.items() if name in used %}
{{ name }} = {{ value }}
{% endfor %}
{{ zero_lines(item.shapes) -}}
{{ now.tensors | join('\n') }}
{# A number that tensors have, as k of `Tensor x: [N * k], int k=2`, is passed. #}
{% set drawn = now.tensors | join(' ') | regex_findall('\\w+') | select('in', of) | list %}
{{ project }}.{{ item.name }}(‹{% for arg in item.args if not arg.default or arg.name in drawn %}{{ '' if loop.first else ', ' }}{{ arg.name
  ~ '=' if arg.keyword or arg.default }}{{ arg.name if arg.name in of or arg.tensor else sample(arg, item.first_dtypes.get(arg.name, 'torch.float32'), item.shapes.aliases) }}{% endfor %}›)
{% elif item.kernel == 'elementwise' %}
x = torch.randn(1000, 1000, device="cuda")
{% for arg in item.written if arg.name != 'x' and not arg.default %}
{{ arg.name }} = torch.{{ 'randn' if arg in item.read_written else 'empty' }}_like(x)
{% endfor %}
{{ project }}.{{ item.name }}(‹
{%- for arg in item.args if not arg.default -%}
{% set value = arg.name if arg.write else '[' ~ ([example[arg.base_type]] * arg.count) | join(', ') ~ ']' if arg.list
  else example[arg.base_type] %}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ value }}
{%- endfor -%}
›)
{% else %}
{% if item.kernel == 'rowwise' %}
{{ item.first }} = torch.randn(1000, 4096, device="cuda")
{% for arg in item.columns if not arg.default %}
{{ arg.name }} = torch.randn(4096, device="cuda")
{% endfor %}
{% elif item.kernel == 'matmul' %}
{% for arg in item.written %}
{{ arg.name }} = torch.empty(1000, 1000, device="cuda")
{% endfor %}
{{ item.a }} = torch.randn(1000, 4096, device="cuda")
{{ item.b }} = torch.randn(4096, 1000, device="cuda")
{% for arg in item.columns if not arg.default %}
{{ arg.name }} = torch.randn(1000, device="cuda")
{% endfor %}
{% elif item.kernel == 'image' %}
{{ item.first }} = torch.randint(256, (480, 640, 3), dtype=torch.uint8, device="cuda")
{% elif item.kernel == 'volume' %}
{{ item.first }} = torch.randint(0, 4096, (256, 256, 256), device="cuda").to(torch.uint16)
{% endif %}
{{ project }}.{{ item.name }}(‹
{%- for arg in item.args if not arg.default -%}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ arg.name if arg.tensor
  else example[arg.base_type] }}
{%- endfor -%}
›)
{% endif %}
