{% if item.args | selectattr('type', 'in', ['float', 'float?', 'int', 'int?', 'SymInt', 'SymInt?', 'bool', 'bool?'])
  | list %}
        RuntimeError: A number is a tensor{{ ' that requires a gradient or, in torch.compile, any tensor'
    if item.float_numbers else ', in torch.compile; pass its `item()`' }}.
{% endif %}
