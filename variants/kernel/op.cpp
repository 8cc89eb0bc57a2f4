{# The functions of the passes, for kernels without an op.cpp of their own: their pass.cpp has the body of a function,
   and sees `pass` and `first`. #}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{{ '#include <torch/csrc/autograd/custom_function.h>\n#include <torch/library.h>\n\n' if item.autograd == 'cpp' -}}
{{ '#include "../kit/autograd.h"\n' if item.autograd == 'cpp' -}}
{{ '#include "../kit/voxel.h"\n\n' if item.bounds -}}
#include "../kit/{{ item.tensors_header }}.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {
{% for pass in item.passes %}
{% set first = pass.first %}

{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›) {
{% include pathjoin('variants', 'kernel', item.kernel, 'pass.cpp') %}
{{ '  return %s;\n' % cpp.result(pass) if pass.made -}}
}
{% endfor %}
{% if item.autograd == 'cpp' %}
{% include pathjoin('variants', 'autograd', 'cpp', 'op.cpp') %}
{% endif %}

}  // namespace {{ project }}
