{% include pathjoin('variants', 'binding', 'needed.h') %}
