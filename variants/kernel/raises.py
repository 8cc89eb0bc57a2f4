{% set numbers = item.scalars | map(attribute='name') | list %}
{% if numbers %}
{% set one = numbers[0] if numbers | length == 1 and numbers[0] | length < 20 else '' %}
        RuntimeError: {{ '`%s`' % one if one else 'A number' }} is a tensor {{ 'that requires a gradient or, under
            torch.compile, any tensor.' if item.float_numbers else 'under torch.compile.' }} Pass {{ '`%s.item()`' % one if one else 'its `item()`' }}.
{% endif %}
