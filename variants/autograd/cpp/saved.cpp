{% for input in item.inputs %}
    {{ input.cpp_saved | replace('#', loop.index0 | string) }};
{% endfor %}
