{% for x in item.inputs %}
{% set at = 'saved[%d]' % loop.index0 %}
{% if x.optional %}
    const std::optional<Tensor> {{ x.name }} = {{ at }}.defined() ? std::optional({{ at }}) : std::nullopt;
{% else %}
    const Tensor& {{ x.name }} = {{ at }};
{% endif %}
{% endfor %}
