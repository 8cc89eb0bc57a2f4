// `{{ item.name }}` on the CPU.
#include "{{ item.name }}.h"

#include "../cpu_voxel.h"

namespace {{ project }} {

template <typename T>
void {{ item.name }}_cpu({{ item.cpu_pointers }}, int64_t begin, int64_t end) {
  using Value = compute_t<T>;
  for_tile<T>(begin, end, [&](auto tile) {
    Value voxels[tile.kSize], results[tile.kSize];
    tile.load({{ item.first }}, voxels);
    for (int i = 0; i < tile.kSize; ++i) {
      {{ item.name }}_element<Value>({{ item.cpu_values }});
    }
    tile.store({{ item.results[0] }}, results);
  });
}
{% if item.bounds %}

// The least and the greatest voxel.
template <typename T>
void {{ item.name }}_range_cpu(const T* {{ item.first }}, int64_t begin, int64_t end, double* range) {
  range_of_tiles({{ item.first }}, begin, end, range);
}
{% endif %}

// The dtypes it is compiled for.
#define INSTANTIATE(T) template void {{ item.name }}_cpu({{ item.cpu_pointer_types }}, int64_t, int64_t);{% if item.bounds %} template void {{ item.name }}_range_cpu(const T*, int64_t, int64_t, double*);{% endif %}


{% for type in item.cpu_types %}
INSTANTIATE({{ type }})
{% endfor %}
#undef INSTANTIATE

}  // namespace {{ project }}
