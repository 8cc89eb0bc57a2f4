{% from pathjoin('variants', 'macros.jinja') import cpp %}
// `{{ item.name }}`: its math, and the functions compiled from it.
#pragma once

#ifndef __CUDACC_RTC__
#include <cstdint>
#ifdef USE_CUDA
#include <cuda_runtime_api.h>
#endif
#endif

#include "../compute.h"

namespace {{ project }} {

// ---- Math, the same on CPU and GPU. T is float or double.
{% for pass in item.passes %}

// EDIT: {{ 'one element of the result' if loop.first else 'its gradient, given that of the result' }}.
template <typename T>
{{ cpp('HOST_DEVICE void ' ~ pass.name ~ '_element(', [['T @', pass.inputs], ['@', item.scalar_element], ['T& @', pass.outputs]], ') {') }}
{% for line in pass.math %}
  {{ line }}
{% endfor %}
}
{% endfor %}

#ifndef __CUDACC_RTC__
// ---- CPU loops over the elements from begin to end, and CUDA launchers.
{% for pass in item.passes %}

template <typename T>
{{ cpp('void ' ~ pass.name ~ '_cpu(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t begin', 'int64_t end']]], ');') }}
{% endfor %}

#ifdef USE_CUDA
{% for pass in item.passes %}
template <typename T>
{{ cpp('cudaError_t launch_' ~ pass.name ~ '(', [['const T* @', pass.inputs], ['@', item.scalar_cpp], ['T* @', pass.outputs], ['@', ['int64_t numel', 'cudaStream_t stream']]], ');') }}
{{ '' if loop.last else '\n' -}}
{% endfor %}
#endif
#endif

}  // namespace {{ project }}
