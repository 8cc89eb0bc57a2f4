{% if item.scalars %}
{% set one = item.scalars[0].name if item.scalars | length == 1 and item.scalars[0].name | length < 20 else '' %}
        RuntimeError: {{ '`%s`' % one if one else 'A number' }} is a tensor {{ 'that requires a gradient or, under
            torch.compile, any tensor.' if item.float_numbers
          else 'under torch.compile.' }} Pass {{ '`%s.item()`' % one if one else 'its `item()`' }}.
{% endif %}
