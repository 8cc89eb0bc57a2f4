{% if item.args | selectattr('type', 'in', ['float', 'float?', 'int', 'int?', 'SymInt', 'SymInt?', 'bool', 'bool?'])
  | list %}
        RuntimeError: A number is given as a tensor{{ ' that requires a gradient or that torch.compile
            traces' if item.float_numbers else ' under torch.compile; pass its `item()`' }}.
{% endif %}
