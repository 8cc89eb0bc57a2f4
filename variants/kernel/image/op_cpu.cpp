// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../cpu_pixel.h"

namespace {{ project }} {
{% set pass = item.passes[0] %}

int64_t {{ item.name }}_channels_in() {
  return {{ item.class_name }}Channels::kIn;
}

int64_t {{ item.name }}_channels_out() {
  return {{ item.class_name }}Channels::kOut;
}

template <typename T>
void {{ item.name }}_cpu({{ pass.pointers }}, int64_t begin, int64_t end) {
  const auto element = [&](const float* pixel, float* result) {
    {{ item.name }}_element<float>({{ item.element_values }});
  };
  for_pixels<{{ item.class_name }}Channels>({{ pass.tensors }}, begin, end, element);
}

// The dtypes it is compiled for.
#define INSTANTIATE(T) template void {{ item.name }}_cpu({{ pass.cpu_instances[0] }}, int64_t, int64_t);

{% for type in item.cpu_types %}
INSTANTIATE({{ type }})
{% endfor %}
#undef INSTANTIATE

}  // namespace {{ project }}
