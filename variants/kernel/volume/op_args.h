{% if item.bounds %}
  void* ranges;  // on a GPU, for bounds that are absent
{% endif %}
  int64_t numel;
