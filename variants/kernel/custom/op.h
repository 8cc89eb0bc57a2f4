{% set at = item.coordinates | reverse | map(attribute='name') | join(', ') %}
// `{{ item.name }}`: what one thread computes, the same on CPU and GPU.
#pragma once

#include "../atomic.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

// EDIT: element i of `{{ item.small_result }}`{{ ', which is at [' ~ at ~ ']' if at }}. Where threads add to one element, they call atomic_add.
{{ '' if item.fixed else 'template <typename scalar_t>\n' -}}
HOST_DEVICE void {{ item.name }}_thread(int64_t i, const {{ item.args_type }}& args) {
  const auto [{{ item.fields | map(attribute='name') | join(', ') }}] = args;

{% for x in item.coordinates %}
  [[maybe_unused]] const int64_t {{ x.name }} = {{ x.value }};
{% endfor %}
{% for x in item.fields if x.result is defined %}
{% set value = item.typed ~ '[i]' if x.result == item.typed_as else 'static_cast<%s>(%s[i])' % (x.result, item.typed)
  if x.result != 'uint8_t' else 'static_cast<uint8_t>(static_cast<int64_t>(%s[i]))' % item.typed %}
  {{ 'if (i < %s) ' % x.count if not item.same_counts }}{{ x.name }}[i] = i < {{ item.element }} ? {{ value }} : {{ x.result }}(0);
{% endfor %}
}

}  // namespace {{ project }}
