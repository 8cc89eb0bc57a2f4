{% for number in item.float_numbers %}
    if not isinstance({{ number.name }}, float):
        check_number("{{ item.name }}", {{ number.name }}={{ number.name }})
{% endfor %}
{% include pathjoin('variants', 'autograd', item.python_call, 'call.py') %}
