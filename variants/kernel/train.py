{% set columns = item.columns | map(attribute='name') | list %}
{% set product = item.kernel == 'matmul' %}
{% from pathjoin('languages', 'types.jinja') import each %}
{% set example = each('value') | from_json %}
class Model(torch.nn.Module):
    """{{ 'A network whose hidden layer is `op`, with learned weights' ~ (' and columns' if columns) if product
      else 'Two linear layers with `op` between them' ~ (', whose columns are learned too' if columns) }}."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.first = torch.nn.Linear(INPUTS, HIDDEN)
{% if product %}
        self.weight = torch.nn.Parameter(torch.randn(HIDDEN, HIDDEN) / HIDDEN**0.5)
{% endif %}
{% if columns %}
        self.columns = torch.nn.ParameterList([torch.{{ 'zeros' if product else 'ones' }}(HIDDEN){{
          ' for _ in range(%d)' % columns | length if columns | length > 1 }}])
{% endif %}
        self.last = torch.nn.Linear(HIDDEN, 1)

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        hidden = self.op(‹
{%- for arg in item.args if arg.tensor or not arg.default -%}
{% set value = 'hidden' if arg.name == (item.a if product else item.first) else 'self.weight'
  if product and arg.name == item.b else 'self.columns[%d]' % columns.index(arg.name) if arg.tensor
  else example[arg.base_type] %}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ value }}
{%- endfor -%}
›)
        return self.last({{ 'torch.tanh(hidden)' if product else 'hidden' }})
