{% for x in item.written if x.name in item.returned and x.optional %}
    if {{ x.name }} is None:
        {{ x.name }} = {{ item.first }}.new_empty({{ item.first }}.shape)
{% endfor %}
{% for line in item.call_lines %}
    {{ line }}
{% endfor %}
