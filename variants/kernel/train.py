{% set columns = item.columns | map(attribute='name') | list %}
{% set product = item.kernel == 'matmul' %}
{% from pathjoin('variants', 'kernel', 'call.jinja') import example_of %}
class Model(torch.nn.Module):
    """{{ 'A network whose hidden layer is `op`, with learned weights' ~ (' and columns' if columns) if product
      else 'Two linear layers with `op` between them' ~ (', whose columns are learned too' if columns) }}."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.first = torch.nn.Linear(INPUTS, HIDDEN)
{{ '        self.weight = torch.nn.Parameter(torch.randn(HIDDEN, HIDDEN) / HIDDEN**0.5)\n' if product -}}
{% if columns %}
        self.columns = torch.nn.ParameterList([torch.{{ 'zeros' if product else 'ones' }}(HIDDEN){{
          ' for _ in range(%d)' % columns | length if columns | length > 1 }}])
{% endif %}
        self.last = torch.nn.Linear(HIDDEN, 1)

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        hidden = self.op(‹
{%- for arg in item.args if arg.tensor or not arg.default -%}
{{ '' if loop.first else ', ' }}{{ example_of(arg, 'hidden' if arg.name == (item.a if product else item.first)
  else 'self.columns[%d]' % columns.index(arg.name) if arg.name in columns else 'self.weight') }}
{%- endfor -%}
›)
        return self.last({{ 'torch.tanh(hidden)' if product else 'hidden' }})
