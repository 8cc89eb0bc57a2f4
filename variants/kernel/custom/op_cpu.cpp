// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

namespace {{ project }} {

// Each of PyTorch's CPU threads runs this for its own range [begin, end).
{{ item.template -}}
void {{ item.args_type }}::run_on_cpu(int64_t begin, int64_t end) const {
  for (int64_t i = begin; i < end; ++i) {{ item.name }}_thread(i, *this);
}
{% if item.shapes.asked %}

// EDIT: set `{{ item.shapes.asked | join('` and `') }}` for run_on_cpu. 0 if it needs no such memory.
{{ item.template -}}
void {{ item.args_type }}::sizes_on_cpu() {
  {{ item.shapes.asked | map('regex_replace', '$', ' = 0;') | join('\n  ') }}
}
{% endif %}
{% include pathjoin('variants', 'kernel', 'custom', 'instantiate.h') %}

}  // namespace {{ project }}
