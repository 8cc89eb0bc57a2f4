{% from pathjoin('variants', 'macros.jinja') import cpp, cpp_assign, cpp_call, cpp_instantiate %}
// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../cpu_tile.h"

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T>
{{ cpp('CPU_CLONES void ' ~ pass.name ~ '_cpu(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t begin', 'int64_t end']]], ') {') }}
{% for name in pass.inputs + pass.outputs %}
  compute_t<T> {{ name }}_buffer[CpuTile<T>::kSize];
{% endfor %}
  for (; begin < end; begin += CpuTile<T>::kSize) {
    const CpuTile<T> tile(begin, end);
{% for name in pass.inputs %}
{{ cpp_assign('    const compute_t<T>* ' ~ name ~ '_values', 'tile.load(', [['@', [name, name ~ '_buffer']]], ');') }}
{% endfor %}
{% for name in pass.outputs %}
{{ cpp_assign('    compute_t<T>* ' ~ name ~ '_values', 'tile.place(', [['@', [name, name ~ '_buffer']]], ');') }}
{% endfor %}
    for (int64_t i = 0; i < tile.size(); ++i) {
{{ cpp_call('      ' ~ pass.name ~ '_element<compute_t<T>>(', [['@_values[i]', pass.inputs], ['@', item.scalars], ['@_values[i]', pass.outputs]], ');') }}
    }
{% for name in pass.outputs %}
    tile.store({{ name }}, {{ name }}_values);
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
