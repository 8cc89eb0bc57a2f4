{% for line in item.second %}
      {{ line }}
{% endfor %}
