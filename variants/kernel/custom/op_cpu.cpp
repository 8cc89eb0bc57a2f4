// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

namespace {{ project }} {

// One of PyTorch's threads runs this.
{{ '' if item.fixed else 'template <typename scalar_t>\n' -}}
void {{ item.args_type }}::run_on_cpu(int64_t begin, int64_t end) const {
  for (int64_t i = begin; i < end; ++i) {{ item.name }}_thread(i, *this);
}

{% if not item.fixed %}
#define INSTANTIATE(T) template struct {{ item.class_name }}Args<T>;

{{ item.list_name }}(INSTANTIATE)
#undef INSTANTIATE

{% endif %}
}  // namespace {{ project }}
