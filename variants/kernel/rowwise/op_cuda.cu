// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

{{ '#include "../kit/%s.cuh"\n' % ('cluster' if item.clustered else 'row') if item.passes[-1].sums -}}
#include "../kit/rows.cuh"
{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
#include "{{ item.name }}_args.h"
{{ '#endif\n' if build == 'nvrtc' }}
namespace {{ project }} {

// ---- Kernels
{% for pass in item.passes if not pass.sums %}

template <bool kAligned, typename T>
__global__ void __launch_bounds__(kMaxRowThreads) {{ pass.name }}_kernel(‹{{ cpp.list(pass.fields,
  cpp.field, 'parameter') }}, int64_t count, int64_t size›) {
  using Value = opmath_t<T>;
  using State = {{ pass.class_name }}State<Value>;
  constexpr int kSize = kAligned ? neighbours<T>() : 1;
  constexpr int kAccesses = kAligned ? {{ pass.accesses }} : kElementAccesses;
  using Part = RowPart<kSize, kAccesses>;
  {{ cpp.each(pass.rows, 'Neighbours<T, kSize> {bare}_accesses[kAccesses];') | indent(2) }}
  {{ cpp.each(pass.reads + pass.writes, 'Value {bare}_values[kSize];') | indent(2) }}

  const RowPlace place;
  const int64_t start = place.row * size;
  const int64_t row_size = place.row < count ? size : 0;
  const int last = Part::count(place, size) - 1;

  State state;
  const RowMerge<State, false> merge(place);
  for (int t = 0; t <= last; ++t) {
    const Part part(place, row_size, t);
    {{ cpp.each(pass.rows, 'part.load({name} + start, {bare}_accesses);') | indent }}
#pragma unroll
    for (int i = 0; i < kAccesses; ++i) {
      if (kAligned && !part.has(i)) continue;
      {{ cpp.each(pass.rows, '{bare}_accesses[i].unpack({bare}_values);') | indent(6) }}
      if (!part.has(i)) continue;
#pragma unroll
      for (int j = 0; j < kSize; ++j) {
        state.add(‹{{ cpp.list(pass.added, cpp.field, 'element_value', i='j') }}›);
      }
    }
  }
  merge(state);
  {{ pass.class_name }}Row<Value> row;
  state.finish(‹{{ item.finish_fields | join(', ', 'name') }}, row›);

  // From the last part on, because its accesses are still in registers.
  for (int t = last; t >= 0; --t) {
    const Part part(place, row_size, t);
    {{ cpp.each(pass.rows, 'if (t < last) part.load({name} + start, {bare}_accesses);') | indent }}
#pragma unroll
    for (int i = 0; i < kAccesses; ++i) {
      if (kAligned && !part.has(i)) continue;
{% for x in pass.rows %}
      {{ x.bare }}_accesses[i].forget_unpacked();
      {{ x.bare }}_accesses[i].unpack({{ x.bare }}_values);
{% endfor %}
{% for x in pass.columns %}
      {{ cpp.guard(x) }}part.load({{ x.name }}, i, {{ x.bare }}_values);
{% endfor %}
#pragma unroll
      for (int j = 0; j < kSize; ++j) { {{- cpp.pointers(pass.element_fields, 8, 'j') }}
        {{ pass.name }}_element<Value>(‹{{ cpp.list(pass.element_fields, cpp.field, 'element_value', i='j') }}›);
      }
      {{ cpp.guard(pass.row_out) }}part.store(‹{{ pass.row_out.name }} + start, i, {{ pass.row_out.bare }}_values›);
    }
  }
}
{% endfor %}
{% for pass in item.passes if pass.sums %}

// Adds up the gradient of each column over the rows of a block. sum_blocks_kernel then adds up the
// sums of the blocks.
template <bool kAligned, typename T>
__global__ void __launch_bounds__(kMaxRowThreads) {{ pass.name }}_kernel(‹{{ cpp.list(
  pass.fields | rejectattr('sums'), cpp.field, 'parameter') }}, int64_t count, int64_t size, int64_t kept›) {
  using Value = opmath_t<T>;
  using Tile = RowTile<kAligned, T, {{ pass.accesses }}>;
  using Access = typename Tile::Access;
  {{ cpp.each(pass.rows, 'Access {bare}_accesses[Tile::kAccesses];') | indent(2) }}
  {{ cpp.each(pass.writes, 'Values<T, Access::kSize> {bare}_values;') | indent(2) }}
  const int last = Tile::count(size) - 1;
{% for x in pass.sums %}
  ColumnSums<Tile, T> {{ x.total }}({{ x.name }}, size, last, kept, {{ loop.index0 }});
{% endfor %}

  const int64_t rows = blockDim.y;
  for (int64_t first = blockIdx.x * rows; first < count; first += gridDim.x * rows) {
    const int64_t index = first + threadIdx.y;
    const int64_t start = index * size;
    const int64_t row_size = index < count ? size : 0;

    {{ pass.class_name }}State<Value> state;
    for (int t = 0; t <= last; ++t) {
      const Tile tile(row_size, t);
      {{ cpp.each(pass.rows, 'tile.load({name} + start, {bare}_accesses);') | indent(6) }}
#pragma unroll
      for (int i = 0; i < Tile::kAccesses; ++i) {
{% for x in pass.added %}
        const auto {{ x.bare }}_values = {{ x.bare ~ '_accesses[i].unpack()' if x in pass.rows
          else cpp.of_tile(x, ', i') }};
{% endfor %}
        if (!tile.has(i)) continue;
#pragma unroll
        for (int j = 0; j < Access::kSize; ++j) { {{- cpp.pointers(pass.added, 10, 'j') }}
          state.add(‹{{ cpp.list(pass.added, cpp.field, 'element_value', i='j') }}›);
        }
      }
    }
    merge_row(state);
    {{ pass.class_name }}Row<Value> row;
    state.finish(‹{{ item.finish_fields | join(', ', 'name') }}, row›);

    // From the last tile on, because its accesses are still in registers.
    for (int t = last; t >= 0; --t) {
      const Tile tile(row_size, t);
      if (t < last) {
        {{ cpp.each(pass.rows, 'tile.load({name} + start, {bare}_accesses);') | indent(8) }}
      }
#pragma unroll
      for (int i = 0; i < Tile::kAccesses; ++i) {
{% for x in pass.rows + pass.columns %}
        const auto {{ x.bare }}_values = {{ x.bare ~ '_accesses[i].unpack_again()' if x in pass.rows
          else cpp.of_tile(x, ', i') }};
{% endfor %}
{% include pathjoin('variants', 'kernel', 'elements_of_row.cu') %}
      }
    }
  }
  {{ pass.sums | join('.store();\n  ', 'total') }}.store();
}
{% endfor %}
{% for pass in item.passes if pass.sums and item.clustered %}

// Like {{ pass.name }}_kernel, for rows of several tiles on a GPU with clusters.
template <typename T>
__global__ void __launch_bounds__(kClusterThreads) {{ pass.name }}_in_clusters(‹{{ cpp.list(pass.fields
  | rejectattr('sums'), cpp.field, 'parameter') }}, int64_t count, int64_t size›) {
#if __CUDA_ARCH__ >= 900
  using Value = opmath_t<T>;
  using Tile = ClusterTile<T>;
  using Access = typename Tile::Access;
  {{ cpp.each(pass.writes, 'Values<T, Access::kSize> {bare}_values;') | indent(2) }}
  Cluster cluster;
  const int t = cluster.rank();
  const Tile tile(size, t);
  ColumnSums<Tile, T> {{ pass.sums[0].total }}({{ pass.sums[0].name }}, cluster.index(), size, t);

  CopiedTiles<Tile, {{ pass.rows | length }}> copied(tile);
  const auto copy = [&](int part, int64_t index) {
    if (index < count) copied.copy(‹part, {{ pass.rows | map(attribute='name') | join(' + index * size, ')
      }} + index * size›);
  };
  copy(0, cluster.index());
  copy(1, cluster.index());
{% set tensors = pass.rows + pass.columns %}
  copied.put({{ pass.rows | length }}, {{ pass.columns[0].name }});
  for (int64_t index = cluster.index(); index < count; index += cluster.count()) {
    const int64_t start = index * size;
    copied.get(0);
    copy(0, index + cluster.count());

    {{ pass.class_name }}State<Value> state;
#pragma unroll
    for (int i = 0; i < Tile::kAccesses; ++i) {
      if (i == Tile::kHeld) copied.get(1);
      if (!tile.has(i)) continue;
{% for x in pass.added %}
      const auto {{ x.bare }}_values = copied.access({{ tensors.index(x) }}, i).unpack();
{% endfor %}
#pragma unroll
      for (int j = 0; j < Access::kSize; ++j) {
        state.add(‹{{ cpp.list(pass.added, cpp.field, 'element_value', i='j') }}›);
      }
    }
    merge_row(state);
    cluster.merge(state);
    {{ pass.class_name }}Row<Value> row;
    state.finish(‹{{ item.finish_fields | join(', ', 'name') }}, row›);

    // First the accesses that are not held in registers, because the next row replaces them.
#pragma unroll
    for (int n = 0; n < Tile::kAccesses; ++n) {
      const int i = (Tile::kHeld + n) % Tile::kAccesses;
      if (i == 0) copy(1, index + cluster.count());
{% for x in tensors %}
      const auto {{ x.bare }}_values = copied.access({{ loop.index0 }}, i).unpack_again();
{% endfor %}
{% filter regex_replace('(?m)^  ', '') %}
{% include pathjoin('variants', 'kernel', 'elements_of_row.cu') %}
{% endfilter %}
    }
  }
  {{ pass.sums[0].total }}.store();
#endif
}
{% endfor %}

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
// ---- Launchers
{% for pass in item.passes if not pass.sums %}

template <typename T>
cudaError_t {{ pass.class_name }}Args<T>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = rows_of_neighbours(‹size, neighbours<T>(), {{ (pass.reads + pass.writes)
    | join(', ', 'name') }}›);
  auto kernel = {{ pass.name }}_kernel<false, T>;
  if (aligned) kernel = {{ pass.name }}_kernel<true, T>;
  return launch_rows(‹kernel, kernel, count, size, {{ pass.accesses }}, aligned ? neighbours<T>() : 1, false, stream, {{
    pass.fields | join(', ', 'name') }}, count, size›);
}
{% endfor %}
{% for pass in item.passes if pass.sums %}
{% set arguments = pass.fields | rejectattr('sums') | join(', ', 'name') %}

template <typename T>
cudaError_t {{ pass.class_name }}Args<T>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = rows_aligned(‹size, {{ (pass.reads + [pass.row_out]) | join(', ', 'name') }}›);
  auto kernel = {{ pass.name }}_kernel<false, T>;
  if (aligned) kernel = {{ pass.name }}_kernel<true, T>;
  const RowLaunch launch = row_launch<T>(‹kernel, size, aligned, {{ pass.kept_bytes }}›);
  const auto blocks = static_cast<unsigned int>(parts);
{% if item.clustered %}
  int64_t clusters = 0;
  // Long rows of double are too rare to compile a kernel for.
  if constexpr (sizeof(T) < 8) {
    if (aligned && launch.tiles > 1) {
      clusters = launch_clusters<T>(‹{{ pass.name }}_in_clusters<T>, size, {{ (pass.rows + pass.columns)
        | length }}, parts, stream, {{ arguments }}, count, size›);
    }
  }
  if (clusters == 0) {
    kernel<<<blocks, launch.block, launch.shared_bytes, stream>>>(‹{{ arguments }}, count, size, launch.kept›);
  }
  const int64_t summed = clusters > 0 ? clusters : parts;
{% else %}
  kernel<<<blocks, launch.block, launch.shared_bytes, stream>>>(‹{{ arguments }}, count, size, launch.kept›);
{% endif %}
  {{ cpp.each(pass.sums, 'if ({grad}) launch_sum_blocks(‹{name}, {grad}, %s, size, stream›);'
    % ('summed' if item.clustered else 'parts')) | indent(2) }}
  return cudaGetLastError();
}
{% endfor %}

{{ cpp.instantiated(item) | trim }}
{{ '#endif\n' if build == 'nvrtc' }}
}  // namespace {{ project }}
