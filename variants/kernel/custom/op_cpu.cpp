// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

namespace {{ project }} {

// What one of PyTorch's threads computes.
{{ '' if item.fixed else 'template <typename scalar_t>\n' -}}
void {{ item.name }}_cpu(const {{ item.args_type }}& args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {{ item.name }}_thread(i, args);
}

{% if not item.fixed %}
#define INSTANTIATE(T) template void {{ item.name }}_cpu(const {{ item.class_name }}Args<T>&, int64_t, int64_t);

{{ item.list_name }}(INSTANTIATE)
#undef INSTANTIATE

{% endif %}
}  // namespace {{ project }}
