{% set tensors = item.inputs | map(attribute='name') | list %}
{% set count = tensors | length %}
{% from pathjoin('variants', 'kernel', 'call.jinja') import example_of %}
class Model(torch.nn.Module):
    """Two linear layers, with `op` between them."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.first = torch.nn.Linear(INPUTS, {{ '%d * ' % count if count > 1 }}HIDDEN)
        self.last = torch.nn.Linear(HIDDEN, 1)

    def forward(self, x):
        {{ 'parts = self.first(x).chunk(%d, dim=-1)' % count if count > 1 else 'part = self.first(x)' }}
        {{ 'hidden, *_' if item.results | length > 1 else 'hidden' }} = self.op(‹
{%- for arg in item.args if arg.name in tensors or not arg.default -%}
{{ '' if loop.first else ', ' }}{{ example_of(arg, 'parts[%d]' % tensors.index(arg.name)
  if count > 1 and arg.name in tensors else 'part', dtype='x.dtype') }}
{%- endfor -%}
›)
        return self.last(hidden)
