{% import pathjoin('languages', 'cpp.jinja') as cpp with context %}
{% from pathjoin('languages', 'cpp_shapes.jinja') import asked, checks, results with context %}
{% from pathjoin('languages', 'names.jinja') import free_name, kit, own with context %}
{% from pathjoin('languages', 'types.jinja') import types %}
{% from pathjoin('questions', 'dtypes.jinja') import listed %}
{% set given_names = item.given_names %}
{% set args, runner = own('args', given_names), own('runner', given_names) %}
{% set pass = item.passes[0] %}
{% set run = free_name(['run', 'run_kernel', 'run_for_dtypes'], item.shapes.taken) %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
{% for type in item.others | map(attribute='base_type') | unique if 'header' in types[type] %}
#include <{{ types[type].header }}>

{% endfor %}
#include "../kit/shapes.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

{% for x in item.variables %}
using {{ x.alias }} = ‹DtypesAfter<void {{ x.macro }}({{ ['COMMA_AND', 'COMMA_AND_SECOND, ', 'COMMA_AND_THIRD, , ',
  'COMMA_AND_FOURTH, , , '][loop.index0] }})>›;
{{ '\n' if loop.last -}}
{% endfor %}
{{ cpp.result_type(pass) }} {{ pass.name }}(‹{{ cpp.parameters(pass) }}›) {
{{ cpp.check_lengths(item) | regex_replace('(?m)^(?=.)', '  ') -}}
{{ '  ' }}{{ checks(item.name, item.shapes, item.dtype_lists) | trim | indent(2) }}
{% for x in item.inputs if x.name not in item.strided %}
  {{ cpp.guard(x) }}{{ x.name }} = {{ kit('as_contiguous', given_names) }}({{ cpp.value(x) }});
{% endfor %}
{% for x in item.written %}
  {{ cpp.guard(x) }}{{ kit('check_strided_output' if x.name in item.strided
    else 'check_output', given_names) }}(‹"{{ item.name }}", "{{ x.name }}", {{ ([cpp.value(x)]
    + pass.given | map(attribute='name') | reject('equalto', x.name)
    | map('regex_replace', '^(%s)$' % item.over.get(x.name, []) | join('|'), '%s(%s, \\1)'
    % (kit('unless_same', given_names), cpp.value(x))) | list) | join(', ') }}›);
{% endfor %}
{{ '  // EDIT: the largest %s: results are allocated with this size and then cut to the size that the kernel counts.\n'
  % listed(item.sized, 'and') if item.sized -}}
{% for most in item.shapes.counted %}
  const int64_t {{ most.name }} = {{ most.cpp }};
{% endfor %}
{{ '  // EDIT: call %s.zeros for a result that threads add to.\n' % own('check', given_names)
  if item.results and not item.by_rows -}}
{{ results(item.shapes) | regex_replace('(?m)^(?=.)', '  ') }}
  {{ '// EDIT: the number of threads.\n  ' if not item.by_rows }}const int64_t {{ item.counted }} = {{
    item.num_threads }};

  {{ '%s(%s, %s, ' % (kit('on_device', given_names), item.typed, item.counted) if item.fixed
    else '%s(%s(), %s%s, %s, ' % (kit('for_dtype_of', given_names), item.variables[0].alias,
      item.variables[0].value.cpp ~ ', ' if item.variables[0].chosen, item.typed, item.counted)
      if item.variables | length == 1
    else 'const auto %s = ' % run }}[&](auto {{ runner }}) {
{% for x in item.variables %}
    using {{ x.cpp }} = typename decltype({{ runner }})::{{ ['T', 'Second', 'Third', 'Fourth'][loop.index0] }};
{% endfor %}
    {{ item.args_type }} {{ args }};
{% for x in item.fields %}
    {{ x.fill | default('%s.%s = %s;' % (args, x.name, 'nullptr' if x.asked | default(false) else x.value)) }}
{% endfor %}
{{ asked(item.shapes) | regex_replace('(?m)^(?=.)', '    ') if item.shapes.asked -}}
{% for x in item.fields if x.asked | default(false) %}
    {{ args }}.{{ x.name }} = {{ x.value }};
{% endfor %}
    {{ '// One more than the elements of a row, so that a row may be empty.\n    ' if item.by_rows }}{{
      runner }}.run({{ args }}, {{ item.counted }}{{ ', %s + 1' % item.columns if item.by_rows }});
  }{{ ');' if item.variables | length < 2 else ';\n  %s(‹%s, %s, %s›);' % (kit('for_dtypes_of', given_names),
    item.variables | join(', ', 'chooses'), item.counted, run) }}
{% for most in item.shapes.counted %}
  const int64_t {{ most.size }} = {{ kit('counted', given_names) }}(‹"{{ item.name }}", "{{ most.size }}", {{
    most.count }}, {{ most.name }}›);
{% endfor %}
{% for x, size in item.cut %}
  {{ 'if (%s) ' % x.name if x.when }}{{ x.name }} = {{ kit('first_of' if size.place else 'first_rows', given_names)
    }}({{ '*' if x.when }}{{ x.name ~ (', %d' % size.place if size.place) }}, {{ size.name }});
{% endfor %}
{{ '  return %s;\n' % cpp.result(pass) if pass.made -}}
}

}  // namespace {{ project }}
