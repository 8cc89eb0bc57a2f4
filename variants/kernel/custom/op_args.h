{# With NVRTC, ops/<op>.py may add 16-bit types. #}
{% set sixteen = ['__half', '__nv_bfloat16'] if build == 'nvrtc' and not item.fixed else [] %}
{% set types = (sixteen + item.variables | map(attribute='types') | sum(start=[]) + item.fields
  | map(attribute='type') | list) | join(' ') %}
{% set headers = types | regex_findall('c10::(Float8\\w+)') | unique | sort %}
{% set half = types | regex_search('c10::(Half|BFloat16)|__half|__nv_bfloat16') is not none %}
// The arguments of the kernels of `{{ item.name }}`. {{ '_call in ops/%s.py' % item.name if build == 'nvrtc'
  else item.name ~ '.cpp' }} fills them in.
#pragma once

{% for type in headers %}
#include <torch/headeronly/util/{{ type }}.h>
{% endfor %}
{{ '\n' if headers -}}
#include "../kit/compute.h"{{ '\n#include "../kit/cuda_float8.h"' if '__nv_fp8' in types }}{{
  '\n#include "../kit/half.h"' if half }}

namespace {{ project }} {

{% if not item.fixed %}
// {{ 'The dtypes of %s that other builds compile for; NVRTC reads %s in ops/%s.py.' % (item.dtypes_of,
    item.variables | join(', ', 'list'), item.name) if build == 'nvrtc'
  else 'EDIT: the dtypes of %s to compile for, the same as in ops/%s.py.' % (item.dtypes_of, item.name) }}{{
  ' Each combination is a kernel: %d kernels.' % item.shapes.kernels if item.variables[1:] and build != 'nvrtc' }}{{
  ' The 16-bit dtypes, DO(c10::Half) and DO(c10::BFloat16), need #include "../kit/half.h".'
  if build != 'nvrtc' and not half }}
{% for x in item.variables %}
{% set all = x.types | map('regex_replace', '(.+)', 'DO(%s)' % (x.before + ['\\1']) | join(', ')) | list %}
{% set head = '#define %s(%s)' % (x.macro, (['DO'] + x.before) | join(', ')) %}
{% set break = ' ' if (head ~ ' ' ~ all | join(' ')) | length <= 100 else ' \\\n  ' %}
{{ ([head] + all) | join(break) }}
{% endfor %}

{% endif %}
{% if item.lists %}
// EDIT: {{ item.most_tensors }}, the most tensors that a list may have{{ ', here and in ops/%s.py' % item.name
  if build == 'nvrtc' }}.
// The arguments of a kernel have at most 4 KB.
{% endif %}
{{ item.template -}}
struct {{ item.class_name }}Args {
{% for x in item.fields %}
  {{ x.type }} {{ x.name }}{{ x.size | default('') }};
{% endfor %}

{% if build != 'nvrtc' %}
  // EDIT: delete {{ 'sizes_on_cpu, ' if item.shapes.asked }}run_on_cpu and {{
    item.name }}_cpu.cpp if HAS_CPU_KERNEL in ops/{{ item.name }}.py is False.
{{ '  void sizes_on_cpu();\n' if item.shapes.asked -}}
{% endif %}
  void run_on_cpu(int64_t begin, int64_t end) const;
#ifdef USE_CUDA{{ '\n  cudaError_t sizes_on_gpu(cudaStream_t stream);' if item.shapes.asked and build != 'nvrtc' }}
  cudaError_t run_on_gpu(cudaStream_t stream) const;
#endif
};

}  // namespace {{ project }}
