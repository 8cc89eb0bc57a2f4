{% from pathjoin('languages', 'cpp_shapes.jinja') import checks, results with context %}
{% set pass = item.passes[0] %}
{% set dtypes = item.class_name ~ 'Dtypes' %}
{% set indent = '  ' if item.fixed else '    ' %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
#include "../tensors.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

{% if not item.fixed %}
using {{ dtypes }} = DtypesAfter<void {{ item.list_name }}(COMMA_AND)>;

{% endif %}
{{ pass.returns }} {{ pass.name }}({{ pass.parameters }}) {
  {{ checks(item.name, item.shapes, dtypes ~ '()') | trim | indent(2) }}
{% for x in item.inputs %}
  {{ 'if (%s) ' % x.name if x.optional else '' }}{{ x.name }} = {{ 'as_contiguous(*%s)' % x.name if x.optional else 'as_contiguous(%s)' % x.name }};
{% endfor %}
  // EDIT: check.zeros for a result that threads add to.
  {{ results(item.shapes) | trim | indent(2) }}

  // EDIT: how many threads there are.
  const int64_t num_threads = {{ item.num_threads }};

{% if item.fixed %}
  if (num_threads == 0) return {{ pass.returned[0] }};
{% else %}
  for_dtype_of({{ dtypes }}(), {{ item.typed }}, num_threads, [&](auto scalar_zero) {
    using scalar_t = decltype(scalar_zero);
{% endif %}
{{ indent }}{{ item.args_type }} args;
{% for x in item.fields %}
{{ indent }}args.{{ x.name }} = {{ x.value }};
{% endfor %}
{{ indent }}if ({{ item.typed }}.is_cpu()) {
{{ indent }}  parallel_for(num_threads, [&](int64_t begin, int64_t end) {
{{ indent }}    {{ item.name }}_cpu(args, begin, end);
{{ indent }}  });
{{ indent }}  return{{ ' ' ~ pass.returned[0] if item.fixed }};
{{ indent }}}
#ifdef USE_CUDA
{{ indent }}const DeviceGuard guard({{ item.typed }}.get_device());
{{ indent }}check_launch(launch_{{ item.name }}(args, num_threads, current_stream({{ item.typed }})));
#else
{{ indent }}built_without_cuda("{{ item.name }}");
#endif
{{ '' if item.fixed else '  });\n' -}}
{% for value in pass.returned %}
  return {{ value }};
{% endfor %}
}

}  // namespace {{ project }}
