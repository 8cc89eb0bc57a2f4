{% include pathjoin('variants', 'binding', 'pybind11', 'bindings.cpp') %}
