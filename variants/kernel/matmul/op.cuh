{% set forward = item.passes[0] %}
{% set finish = forward.columns + item.numbers + [forward.row_out] %}
// `{{ item.name }}` on the GPU.
#pragma once

#include "../kit/matmul.cuh"
#include "../kit/row.cuh"
#include "{{ item.name }}.h"
{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
#include "{{ item.name }}_args.h"
{{ '#endif\n' if build == 'nvrtc' }}
namespace {{ project }} {

// ---- Kernels

template <typename Tile, typename T>
__global__ void __launch_bounds__(Tile::kBound, Tile::kBlocks) {{ forward.name }}_kernel(‹{{ cpp.list(forward.fields,
  cpp.field, 'parameter') }}, opmath_t<T>* __restrict__ partial, int64_t rows, int64_t columns, int64_t depth›) {
  using Value = opmath_t<T>;
  Tile tile(rows, columns, depth);
  const bool only_copies = tile.only_copies({{ item.a }}, {{ item.b }});
  if (only_copies) return;
  do {
    tile.multiply({{ item.a }}, {{ item.b }});
    // If a block has only a part of the depth, {{ forward.name }}_finish_kernel computes the
    // results.
    if (Tile::kParts && gridDim.y > 1) {
      Value* const part = partial + blockIdx.y * rows * columns;
      tile.store(part, [](Value product, int64_t) {
        return product;
      });
      return;
    }
    tile.store({{ forward.row_out.name }}, [&](Value product, int64_t column{{ ', int64_t index' if item.written }}) {
{% for x in forward.columns if x.optional %}
      Value {{ x.bare }}_values = 0;
      const Value* {{ x.bare }}_value = nullptr;
      if ({{ x.name }}) {{ x.bare }}_values = to_opmath({{ x.name }}[column]);
      if ({{ x.name }}) {{ x.bare }}_value = &{{ x.bare }}_values;
{% endfor %}
{% if item.written %}
      // The old value, which is not loaded if the formula does not read it.
      Value value = index < rows * columns ? to_opmath({{ forward.row_out.name }}[index]) : Value(0);
{% else %}
      Value value;
{% endif %}
      {{ forward.name }}_element<Value>(‹{{ cpp.list(forward.element_fields, cpp.field, 'column_value') }}›);
      return from_opmath<T>(value);
    });
  } while (tile.next());
}

// Adds up the parts in a fixed order.
template <typename T>
__global__ void __launch_bounds__(kFinishThreads) {{ forward.name }}_finish_kernel(‹{{
  'const opmath_t<T>* __restrict__ partial' }}, {{ cpp.list(finish,
  cpp.field, 'parameter') }}, int64_t numel, int64_t columns, int64_t parts›) {
  using Value = opmath_t<T>;
  const int64_t index = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= numel) return;{{ '\n  const int64_t column = index % columns;' if forward.columns }}
  Value product = 0, value{{ ' = to_opmath(%s[index])' % forward.row_out.name if item.written }};
  for (int64_t i = 0; i < parts; ++i) product += partial[i * numel + index];
{% for x in forward.columns if x.optional %}
  Value {{ x.bare }}_values = 0;
  const Value* {{ x.bare }}_value = nullptr;
  if ({{ x.name }}) {{ x.bare }}_values = to_opmath({{ x.name }}[column]);
  if ({{ x.name }}) {{ x.bare }}_value = &{{ x.bare }}_values;
{% endfor %}
  {{ forward.name }}_element<Value>(‹{{ cpp.list(forward.element_fields, cpp.field, 'column_value') }}›);
  {{ forward.row_out.name }}[index] = from_opmath<T>(value);
}
{% for pass in item.passes[1:] %}

// Rows of the gradient, with the tiles of row.cuh.
{% if pass.sums %}
// Adds up the gradient of each column over the rows of a block. sum_blocks_kernel then adds up the
// sums of the blocks.
{% endif %}
template <bool kAligned, typename T>
__global__ void __launch_bounds__(kMaxRowThreads) {{ pass.name }}_kernel(‹{{ cpp.list(
  pass.fields | rejectattr('sums'), cpp.field, 'parameter') }}, int64_t count, int64_t size{{
  ', int64_t kept' if pass.sums }}›) {
  using Value = opmath_t<T>;
  using Tile = RowTile<kAligned, T, kBackwardRowAccesses>;
  using Access = typename Tile::Access;
  Values<T, Access::kSize> product_values;
  {{ cpp.each(pass.writes, 'Values<T, Access::kSize> {bare}_values;') | indent(2) }}
  const int tiles = Tile::count(size);
{% for x in pass.sums %}
  ColumnSums<Tile, T> {{ x.total }}(‹{{ x.name }}, size, tiles - 1, kept, {{ loop.index0 }}›);
{% endfor %}

  const int64_t rows = blockDim.y;
  for (int64_t first = blockIdx.x * rows; first < count; first += gridDim.x * rows) {
    const int64_t index = first + threadIdx.y;
    const int64_t start = index * size;
    for (int t = 0; t < tiles; ++t) {
      const Tile tile(index < count ? size : 0, t);
#pragma unroll
      for (int i = 0; i < Tile::kAccesses; ++i) {
        const auto {{ pass.rows[0].bare }}_values = tile.load({{ pass.first }} + start, i);
        load_values(tile, product + start, i, product_values);
{% for x in pass.columns %}
        const auto {{ x.bare }}_values = {{ cpp.of_tile(x, ', i') }};
{% endfor %}
{% include pathjoin('variants', 'kernel', 'elements_of_row.cu') %}
      }
    }
  }
{% for x in pass.sums %}
  {{ x.total }}.store();
{% endfor %}
}
{% endfor %}

{{ '#ifndef __CUDACC_RTC__\n' if build == 'nvrtc' -}}
// ---- Launchers

template <typename T>
cudaError_t {{ forward.class_name }}Args<T>::run_on_gpu(cudaStream_t stream) const {
  bool aligned = rows_aligned(depth, {{ item.a }});
  aligned = rows_aligned(columns, {{ item.b }}, {{ forward.row_out.name }}) && aligned;
  choose_tile<T>(rows, columns, parts, aligned, [&](auto choice, int64_t blocks) {
    using Tile = typename decltype(choice)::Tile;
    const auto kernel = {{ forward.name }}_kernel<Tile, T>;
    if (!prepare<Tile>(kernel)) return false;
    const dim3 grid(static_cast<unsigned int>(blocks), static_cast<unsigned int>(parts));
    kernel<<<grid, Tile::kThreads, Tile::kSharedBytes, stream>>>(‹{{ forward.fields
      | join(', ', 'name') }}, partial, rows, columns, depth›);
    return true;
  });
  if (parts > 1) {
    const int64_t numel = rows * columns;
    const auto blocks = static_cast<unsigned int>((numel + kFinishThreads - 1) / kFinishThreads);
    const auto kernel = {{ forward.name }}_finish_kernel<T>;
    kernel<<<blocks, kFinishThreads, 0, stream>>>(‹partial, {{ finish | join(', ', 'name') }}, numel, columns, parts›);
  }
  return cudaGetLastError();
}
{% for pass in item.passes[1:] %}

template <typename T>
cudaError_t {{ pass.class_name }}Args<T>::run_on_gpu(cudaStream_t stream) const {
  const bool aligned = rows_aligned(‹size, {{ ([pass.rows[0]] + pass.columns + [pass.row_out])
    | join(', ', 'name') }}›);
  auto kernel = {{ pass.name }}_kernel<false, T>;
  if (aligned) kernel = {{ pass.name }}_kernel<true, T>;
  const RowLaunch launch = row_launch<T>(‹kernel, size, aligned, {{ pass.kept_bytes }}›);
  const auto blocks = static_cast<unsigned int>(parts);
  kernel<<<blocks, launch.block, launch.shared_bytes, stream>>>(‹{{ pass.fields | rejectattr('sums')
    | join(', ', 'name') }}, count, size{{ ', launch.kept' if pass.sums }}›);
{% for x in pass.sums %}
  if ({{ x.grad }}) launch_sum_blocks(‹{{ x.name }}, {{ x.grad }}, parts, size, stream›);
{% endfor %}
  return cudaGetLastError();
}
{% endfor %}
{{ '#endif\n' if build == 'nvrtc' }}
}  // namespace {{ project }}
