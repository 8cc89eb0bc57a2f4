// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../kit/cpu_voxel.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

template <typename T>
void {{ item.class_name }}Args<T>::run_on_cpu(int64_t begin, int64_t end) const {
  using Value = opmath_t<T>;
{% for bound in item.bounds %}
  const Value {{ bound }}_bound = *{{ bound }};
{% endfor %}
  for_tile<T>(begin, end, [&](auto tile) {
    const auto voxels = tile.load({{ item.first }});
    Values<T, tile.kSize> results;
    for (int i = 0; i < tile.kSize; ++i) {
      {{ item.name }}_element<Value>(‹{{ (['voxels[i]'] + item.math_args + ['results[i]']) | join(', ') }}›);
    }
    tile.store({{ item.results[0] }}, results);
  });
}
{% if item.bounds %}

// The least and the greatest voxel.
template <typename T>
void {{ item.class_name }}Args<T>::range_on_cpu(int64_t begin, int64_t end, double* range) const {
  range_of_tiles({{ item.first }}, begin, end, range);
}
{% endif %}

// The dtypes to compile for.
{{ cpp.instantiated(item, item.cpu_types) | trim }}

}  // namespace {{ project }}
