TORCH_LIBRARY_IMPL({{ project }}, Autograd, m) {
{% for item in ops %}
  m.impl("{{ item.name }}", &{{ item.name }}_autograd);
{% endfor %}
}

