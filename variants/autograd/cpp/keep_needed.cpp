{% set several = item.inputs | length > 2 %}
    // The gradient of a tensor is the product of the others, so it is kept for theirs alone. One that its own gradient reads, too, has to be kept always: delete its `if`.
{% if several %}
    int total = 0;
{% for input in item.inputs %}
    total += {{ input.name }}.requires_grad();
{% endfor %}
{% endif %}
    torch::autograd::variable_list saved({{ item.inputs | length }});
{% for input in item.inputs %}
    if ({{ 'total > ' ~ input.name if several else item.inputs[1 - loop.index0].name }}.requires_grad()) saved[{{ loop.index0 }}] = {{ input.name }};
{% endfor %}
    ctx->save_for_backward(saved);
