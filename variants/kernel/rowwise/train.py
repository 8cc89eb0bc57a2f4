{% set columns = item.columns | map(attribute='name') | list %}
{% set example = {'float': '0.5', 'int': '2', 'SymInt': '2', 'bool': 'True'} %}
class Model(torch.nn.Module):
    """Two linear layers with `op` between them{{ ', whose columns are learned too' if columns }}."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.first = torch.nn.Linear(INPUTS, HIDDEN)
{% if columns %}
        self.columns = torch.nn.ParameterList([torch.ones(HIDDEN){{ ' for _ in range(%d)' % columns | length
          if columns | length > 1 }}])
{% endif %}
        self.last = torch.nn.Linear(HIDDEN, 1)

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        hidden = self.op(‹
{%- for arg in item.args if arg.tensor or not arg.default -%}
{% set value = 'hidden' if arg.name == item.first else 'self.columns[%d]' % columns.index(arg.name) if arg.tensor
  else example[arg.base_type] %}
{{ '' if loop.first else ', ' }}{{ arg.name ~ '=' if arg.keyword }}{{ value }}
{%- endfor -%}
›)
        return self.last(hidden)
