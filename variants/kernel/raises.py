{% if item.args | selectattr('type', 'in', ['float', 'float?', 'int', 'int?', 'SymInt', 'SymInt?', 'bool', 'bool?'])
  | list %}
        RuntimeError: A number is a tensor, which torch.compile alone refuses: pass its `item()`.
{% endif %}
