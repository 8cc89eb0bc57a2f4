{% if item.args | selectattr('type', 'in', ['float', 'float?', 'int', 'int?', 'SymInt', 'SymInt?', 'bool', 'bool?'])
  | list %}
        RuntimeError: A tensor is passed for a number{{ ', and requires a gradient or is traced by
            torch.compile' if item.float_numbers else ' under torch.compile' }}; pass its `item()`.
{% endif %}
