{% set unroll = '' %}
// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../cpu_tile.h"

namespace {{ project }} {
{% for pass in item.passes %}

template <typename T>
void {{ pass.name }}_cpu({{ pass.pointers }}, int64_t begin, int64_t end) {
  for_tile<T>(begin, end, [&](auto tile) {
{% include pathjoin('variants', 'kernel', 'elementwise', 'tile.cpp') %}
  });
}
{% endfor %}

// The dtypes it is compiled for.
{% for pass in item.passes %}
{% for type in ['float', 'double', 'c10::Half', 'c10::BFloat16'] %}
template decltype({{ pass.name }}_cpu<{{ type }}>) {{ pass.name }}_cpu<{{ type }}>;
{% endfor %}
{% endfor %}

}  // namespace {{ project }}
