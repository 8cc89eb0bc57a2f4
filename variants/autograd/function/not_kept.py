        # No gradient that is needed reads what was not kept: another tensor stands in its place.
{% for input in item.inputs %}
        if {{ input.name }} is None:
            {{ input.name }} = {{ item.inputs[1 if loop.first else 0].name }}
{% endfor %}
