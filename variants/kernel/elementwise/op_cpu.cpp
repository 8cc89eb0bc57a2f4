{% from pathjoin('variants', 'macros.jinja') import cpp, cpp_call, cpp_instantiate %}
// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T>
{{ cpp('void ' ~ pass.name ~ '_cpu(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t begin', 'int64_t end']]], ') {') }}
  for (int64_t i = begin; i < end; ++i) {
{% for name in pass.outputs %}
    compute_t<T> {{ name }}_value;
{% endfor %}
{{ cpp_call('    ' ~ pass.name ~ '_element<compute_t<T>>(', [['@[i]', pass.inputs], ['@', item.scalars], ['@_value', pass.outputs]], ');') }}
{% for name in pass.outputs %}
    {{ name }}[i] = {{ name }}_value;
{% endfor %}
  }
}
{% endfor %}

// The dtypes it is compiled for.
{% for pass in item.passes %}
{% for type in ['float', 'double', 'c10::Half', 'c10::BFloat16'] %}
{{ cpp_instantiate(pass.name ~ '_cpu<' ~ type ~ '>') }}
{% endfor %}
{% endfor %}

}  // namespace {{ project }}
