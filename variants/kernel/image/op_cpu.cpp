// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../kit/cpu_pixel.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

int64_t {{ item.name }}_channels_in() {
  return {{ item.class_name }}Channels::kIn;
}

int64_t {{ item.name }}_channels_out() {
  return {{ item.class_name }}Channels::kOut;
}

template <typename T>
void {{ item.class_name }}Args<T>::run_on_cpu(int64_t begin, int64_t end) const {
  const auto element = [&](const float* pixel, float* result) {
    {{ item.name }}_element<float>(‹{{ (['pixel'] + item.numbers | map(attribute='name') | list
      + ['result']) | join(', ') }}›);
  };
  for_pixels<{{ item.class_name }}Channels>(‹{{ item.first }}, {{ item.results[0] }}, begin, end, element›);
}

// The dtypes to compile for.
{{ cpp.instantiated(item, item.cpu_types) | trim }}

}  // namespace {{ project }}
