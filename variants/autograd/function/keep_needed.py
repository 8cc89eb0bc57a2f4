{% set several = item.inputs | length > 2 %}
{% set kept = namespace(all=[]) %}
{% for input in item.inputs %}
{% set other = 'total > ' ~ input.needs if several else item.inputs[1 - loop.index0].needs %}
{% set kept.all = kept.all + [input.name ~ ' if ' ~ other ~ ' else None'] %}
{% endfor %}
        {{ item.needs }} = ctx.needs_input_grad
{% if several %}
        total = sum(ctx.needs_input_grad)
{% endif %}
        # The gradient of a tensor is the product of the others, so it is kept for theirs alone. One
        # that its own gradient reads, too, has to be kept always: write its name alone.
        ctx.save_for_backward({{ kept.all | join(', ') }})
