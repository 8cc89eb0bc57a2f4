"""Operators of other shapes that people write, as edits of fresh renders: only places marked EDIT change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import ndiff
from pathlib import Path
from typing import NamedTuple

from updating import replace


class Edit(NamedTuple):
    """An operator, and the edits of its author."""

    signature: str
    thread: str  # what one thread computes
    reference: str
    # In <op>.cpp, texts and their replacements.
    tensors: tuple[tuple[str, str], ...] = ()
    # In <op>_cuda.cu, the kernel, and how it is launched, if a thread for each element is not what it needs.
    kernel: str = ""
    launch: tuple[tuple[str, str], ...] = ()
    # There too, what is before the function that computes sizes of memory: host code, which NVRTC does not compile.
    host: str = ""
    # In ops/<op>.py: its description, and the gradient, if it has one.
    module: tuple[tuple[str, str], ...] = ()
    gradient: tuple[tuple[str, str], ...] = ()
    # Whether it is compiled for 16-bit floating-point numbers, too.
    of_16_bits: bool = False
    # Whether the reference computes on the CPU.
    on_gpu_alone: bool = False
    # There too, for NVRTC: what `tensors` and `launch` are in C++.
    call: tuple[tuple[str, str], ...] = ()
    # The values that make_args of its tests returns, and what instead.
    arguments: tuple[tuple[str, str], ...] = ()
    # After them, its own tests.
    tests: str = ""


# Puts the boxes that stay into `kept`, which overlap none of a better score.
# Of boxes with equal scores, as of 16 bits in autocast, the first comes first.
SUPPRESS = """\
  int64_t last = -1;
  for (int64_t turn = 0; turn < N; ++turn) {
    int64_t best = -1;
    for (int64_t j = 0; j < N; ++j) {
      const bool equal = last >= 0 && scores[j] == scores[last] && j > last;
      if (last >= 0 && !equal && scores[j] >= scores[last]) continue;
      if (best < 0 || scores[j] > scores[best]) best = j;
    }
    last = best;
    const scalar_t* const a = boxes + best * 4;
    bool keeps = true;
    for (int64_t k = 0; k < *count; ++k) {
      const scalar_t* const b = boxes + kept[k] * 4;
      const scalar_t width = fmax(fmin(a[2], b[2]) - fmax(a[0], b[0]), scalar_t(0));
      const scalar_t height = fmax(fmin(a[3], b[3]) - fmax(a[1], b[1]), scalar_t(0));
      const scalar_t both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]);
      keeps = keeps && width * height <= static_cast<scalar_t>(iou) * (both - width * height);
    }
    if (keeps) kept[(*count)++] = best;
  }
"""

# Where an image is not interpolated, but has an edge, its gradient is not what differences find.
BETWEEN_PIXELS = "/ 64 + 1 / 256"

CUSTOM = {
    "farthest_points": Edit(
        "(Tensor points: [B, N, 3], int npoint) -> Tensor: int64[B, npoint]",
        """
  const scalar_t* const cloud = points + i * N * 3;
  int64_t* const chosen = out + i * npoint;
  for (int64_t k = 0; k < npoint; ++k) {
    chosen[k] = 0;
    scalar_t most = -1;
    for (int64_t n = 0; k > 0 && n < N; ++n) {
      scalar_t nearest = INFINITY;
      for (int64_t j = 0; j < k; ++j) {
        scalar_t square = 0;
        for (int c = 0; c < 3; ++c) {
          const scalar_t difference = cloud[n * 3 + c] - cloud[chosen[j] * 3 + c];
          square += difference * difference;
        }
        nearest = square < nearest ? square : nearest;
      }
      if (nearest > most) {
        most = nearest;
        chosen[k] = n;
      }
    }
  }
""",
        """
    B, N, _ = points.shape
    chosen = torch.zeros(B, npoint, dtype=torch.int64, device=points.device)
    nearest = points.new_full((B, N), torch.inf)
    for k in range(1, npoint):
        last = points.gather(1, chosen[:, k - 1, None, None].expand(B, 1, 3))
        nearest = torch.minimum(nearest, (points - last).square().sum(-1))
        chosen[:, k] = nearest.argmax(-1)
    return chosen
""",
        tensors=(("num_threads = out.numel();", "num_threads = B;"),),
        kernel="""
// A block for each cloud, whose threads agree on the farthest point.
template <typename scalar_t>
__global__ void farthest_points_kernel(FarthestPointsArgs<scalar_t> args) {
  __shared__ scalar_t far[128];
  __shared__ int64_t farthest[128];
  const scalar_t* const cloud = args.points + blockIdx.x * args.N * 3;
  int64_t* const chosen = args.out + blockIdx.x * args.npoint;
  const int t = threadIdx.x;
  for (int64_t k = 0; k < args.npoint; ++k) {
    far[t] = -1;
    farthest[t] = 0;
    for (int64_t n = t; k > 0 && n < args.N; n += 128) {
      scalar_t nearest = INFINITY;
      for (int64_t j = 0; j < k; ++j) {
        const scalar_t x = cloud[n * 3] - cloud[chosen[j] * 3];
        const scalar_t y = cloud[n * 3 + 1] - cloud[chosen[j] * 3 + 1];
        const scalar_t z = cloud[n * 3 + 2] - cloud[chosen[j] * 3 + 2];
        nearest = fmin(nearest, x * x + y * y + z * z);
      }
      if (nearest > far[t]) {
        far[t] = nearest;
        farthest[t] = n;
      }
    }
    for (int step = 64; step > 0; step /= 2) {
      __syncthreads();
      if (t >= step || far[t + step] < far[t]) continue;
      if (far[t + step] > far[t] || farthest[t + step] < farthest[t]) {
        far[t] = far[t + step];
        farthest[t] = farthest[t + step];
      }
    }
    if (t == 0) chosen[k] = farthest[0];
    __syncthreads();
  }
}
""",
        launch=(
            ("<<<grid, block, 0, stream>>>", "<<<grid, 128, 0, stream>>>"),
            ("  constexpr unsigned block = 256;\n", ""),
            ("((num_threads + block - 1) / block)", "(B)"),
        ),
        call=(
            ("grid=(-(-num_threads // 256), 1, 1)", "grid=(B, 1, 1)"),
            ("block=(256, 1, 1)", "block=(128, 1, 1)"),
        ),
        # Among this many clouds, some have two points whose distances differ only by a rounding.
        arguments=(('large="B"', 'large=""'),),
    ),
    # The kernel sorts each row in scratch memory, because a row does not fit into a thread's registers.
    "row_median": Edit(
        "(Tensor x: [B, N]) -> Tensor: [B] using Tensor room: [B, N]",
        """
  scalar_t* const row = room + i * N;
  for (int64_t n = 0; n < N; ++n) {
    int64_t at = n;
    for (; at > 0 && row[at - 1] > x[i * N + n]; --at) row[at] = row[at - 1];
    row[at] = x[i * N + n];
  }
  out[i] = row[(N - 1) / 2];
""",
        """
    return x.median(1).values
""",
    ),
    # By CUB, which tells how much memory it needs. A thread merges a row where there is no CUB.
    "sort_rows": Edit(
        "(Tensor x: [B, N]) -> (Tensor values: [B, N], Tensor index: int64[B, N])"
        " using Tensor before: int64[B, N], Tensor room: uint8[bytes?]",
        """
  const scalar_t* const row = x + i * N;
  int64_t *from = index + i * N, *to = before + i * N;
  for (int64_t n = 0; n < N; ++n) from[n] = n;
  for (int64_t width = 1; width < N; width *= 2) {
    for (int64_t begin = 0; begin < N; begin += 2 * width) {
      const int64_t middle = begin + width < N ? begin + width : N;
      const int64_t end = middle + width < N ? middle + width : N;
      int64_t left = begin, right = middle;
      for (int64_t k = begin; k < end; ++k) {
        const bool is_left = left < middle && (right == end || row[from[left]] <= row[from[right]]);
        to[k] = from[is_left ? left++ : right++];
      }
    }
    int64_t* const merged = to;
    to = from;
    from = merged;
  }
  for (int64_t n = 0; n < N; ++n) {
    values[i * N + n] = row[from[n]];
    index[i * N + n] = from[n];
  }
""",
        """
    values, index = x.sort(stable=True)
    return values, index
""",
        tensors=(("num_threads = values.numel();", "num_threads = N == 0 ? 0 : B;"),),
        launch=(
            (
                '#include "sort_rows.h"\n',
                """#include "sort_rows.h"

#include <cub/device/device_segmented_radix_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
""",
            ),
            (
                "  if (i < args.num_threads) sort_rows_thread(i, args);\n",
                "  if (i < args.B * args.N) args.before[i] = i % args.N;\n",
            ),
            (
                "([[maybe_unused]] cudaStream_t stream) {\n  bytes = 0;\n  return cudaSuccess;\n",
                """(cudaStream_t stream) {
  size_t size = 0;
  const cudaError_t error = sort(*this, size, stream);
  bytes = static_cast<int64_t>(size);
  return error;
""",
            ),
            ("((num_threads + block - 1) / block)", "((B * N + block - 1) / block)"),
            (
                "  return cudaGetLastError();\n",
                """  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  size_t size = bytes;
  return sort(*this, size, stream);
""",
            ),
        ),
        host="""
struct FirstOfRow {
  int64_t columns;
  HOST_DEVICE int64_t operator()(int64_t row) const {
    return row * columns;
  }
};

// Sets `size` if args.room is a null pointer, and sorts otherwise.
template <typename scalar_t>
cudaError_t sort(const SortRowsArgs<scalar_t>& args, size_t& size, cudaStream_t stream) {
  const auto first = thrust::make_transform_iterator(
      thrust::make_counting_iterator<int64_t>(0), FirstOfRow{args.N});
  return cub::DeviceSegmentedRadixSort::SortPairs(
      args.room, size, args.x, args.values, args.before, args.index, args.B * args.N, args.B, first,
      first + 1, 0, 8 * sizeof(scalar_t), stream);
}
""",
        call=(("num_threads = values.numel()", "num_threads = B if N else 0"),),
        tests="""
def test_equal_elements_keep_their_order(device):
    x = torch.tensor([[1.0, 0.0, -0.0, 1.0, 0.0]], device=device)
    assert sort_rows(x)[1].tolist() == [[1, 2, 4, 0, 3]]
""",
    ),
    "scatter_sum": Edit(
        "(Tensor values: [N, D], Tensor index: int64[N], int segments) -> Tensor: [segments, D]",
        """
  const int64_t n = i / D;
  const int64_t d = i % D;
  atomic_add(out + index[n] * D + d, values[i]);
""",
        """
    out = values.new_zeros(segments, values.shape[1])
    return out.index_add(0, index, values)
""",
        tensors=(
            ("check.result(", "check.zeros("),
            ("num_threads = out.numel();", "num_threads = values.numel();"),
        ),
        module=(("ADDS_ATOMICALLY = False", "ADDS_ATOMICALLY = True"),),
        of_16_bits=True,
        # The gradient is a kernel: another operator.
        gradient=(
            (
                """        return _checks.vjp(scatter_sum_reference, [grad_out], values, index, segments)
""",
                """        return _namespace.gather_rows(grad_out, index), None, None
""",
            ),
        ),
        call=(
            ("segments)\n    N", "segments).zero_()\n    N"),
            ("num_threads = out.numel()", "num_threads = values.numel()"),
        ),
        # Multiples of 1 / 8 whose sums are exact, in any order.
        arguments=(
            (
                "torch.randn((N, D), dtype=dtype, device=device)",
                "torch.randint(-16, 16, (N, D), device=device).to(dtype) / 8",
            ),
        ),
        tests="""
def test_rounds_each_addition_as_pytorch_does(dtype, device):
    values = torch.randn((2, 1000), dtype=dtype, device=device)
    index = torch.zeros(2, dtype=torch.int64, device=device)
    expected = values.double().sum(0, keepdim=True).to(dtype)
    torch.testing.assert_close(scatter_sum(values, index, 1), expected, rtol=0, atol=0)


def test_adds_up_what_several_threads_add(dtype, device):
    index = torch.zeros(2_000_000, dtype=torch.int64, device=device)
    values = torch.zeros((len(index), 1), dtype=dtype, device=device)
    values[torch.randperm(len(index), device=device)[:200]] = 1
    assert [scatter_sum(values, index, 1).item() for _ in range(5)] == [200] * 5
""",
    ),
    "gather_rows": Edit(
        "(Tensor values: [S, D], Tensor index: int64[N]) -> Tensor: [N, D]",
        """
  out[i] = values[index[n] * D + d];
""",
        """
    return values[index]
""",
        of_16_bits=True,
    ),
    "gather_from_lists": Edit(
        "(Tensor[] tables: [S, D], Tensor table: int64[N], Tensor index: int64[N]) -> Tensor: [N, D]",
        """
  out[i] = tables[table[n]][index[n] * D + d];
""",
        """
    return torch.stack(tables)[table, index]
""",
        of_16_bits=True,
    ),
    "descend": Edit(
        "(Tensor(a!)[] params, Tensor[] grads, float lr) -> ()",
        """
  for (int64_t k = 0; k < params_count; ++k) {
    if (i < params_numel[k]) params[k][i] -= static_cast<scalar_t>(lr) * grads[k][i];
  }
""",
        """
    return [x - lr * y for x, y in zip(params, grads)]
""",
    ),
    "silu_mul": Edit(
        "(Tensor(a) x: [N, D], Tensor(a) y: [N, D], Tensor(a!) out: [N, D]) -> ()",
        """
  const scalar_t value = x[i];
  out[i] = value / (1 + exp(-value)) * y[i];
""",
        """
    return torch.nn.functional.silu(x) * y
""",
    ),
    "stencil": Edit(
        "(Tensor x: [N, C, H, W], Tensor weight: [C, 3, 3]) -> Tensor: [N, C, H, W]",
        """
  using value_t = opmath_t<scalar_t>;
  value_t sum = 0;
  for (int64_t dh = 0; dh < 3; ++dh) {
    for (int64_t dw = 0; dw < 3; ++dw) {
      const int64_t y = h + dh - 1;
      const int64_t column = w + dw - 1;
      if (y < 0 || y >= H || column < 0 || column >= W) continue;
      const value_t factor = weight[(c * 3 + dh) * 3 + dw];
      sum += factor * static_cast<value_t>(x[((n * C + c) * H + y) * W + column]);
    }
  }
  out[i] = static_cast<scalar_t>(sum);
""",
        """
    wide = torch.promote_types(x.dtype, torch.float32)
    factors = weight[:, None].to(wide)
    return torch.nn.functional.conv2d(x.to(wide), factors, padding=1, groups=x.shape[1]).to(x.dtype)
""",
        of_16_bits=True,
    ),
    "sample_bilinear": Edit(
        "(Tensor x: [N, C, H, W], Tensor grid: [N, P, Q, 2]) -> Tensor: [N, C, P, Q]",
        """
  const scalar_t* const image = x + (n * C + c) * H * W;
  const scalar_t* const at = grid + ((n * P + p) * Q + q) * 2;
  const scalar_t column = ((at[0] + 1) * static_cast<scalar_t>(W) - 1) / 2;
  const scalar_t line = ((at[1] + 1) * static_cast<scalar_t>(H) - 1) / 2;
  const scalar_t left = floor(column);
  const scalar_t top = floor(line);
  scalar_t sum = 0;
  for (int64_t k = 0; k < 4; ++k) {
    const scalar_t column_k = left + static_cast<scalar_t>(k % 2);
    const scalar_t line_k = top + static_cast<scalar_t>(k / 2);
    if (column_k < 0 || column_k > static_cast<scalar_t>(W - 1)) continue;
    if (line_k < 0 || line_k > static_cast<scalar_t>(H - 1)) continue;
    const scalar_t share = (1 - fabs(column - column_k)) * (1 - fabs(line - line_k));
    sum += share * image[static_cast<int64_t>(line_k) * W + static_cast<int64_t>(column_k)];
  }
  out[i] = sum;
""",
        """
    return torch.nn.functional.grid_sample(x, grid, align_corners=False)
""",
        arguments=(
            (
                "torch.randn((N, P, Q, 2), dtype=dtype, device=device)",
                f"torch.randint(-96, 96, (N, P, Q, 2), device=device).to(dtype) {BETWEEN_PIXELS}",
            ),
        ),
    ),
    # Columns of pixels beside a bias, to which PyTorch adds the product of the weights and the columns.
    "deform_conv": Edit(
        "(Tensor x: [B, C, H, W], Tensor offset: [B, 2 * KH * KW, P, Q], Tensor weight: [O, C, KH, KW],"
        " Tensor bias: [O], int stride=1, int padding=0) -> Tensor: [B, O, P, Q]"
        " using Tensor columns: [B, C * KH * KW, P * Q]",
        """
  const int64_t taps = KH * KW;
  const int64_t q = i % Q;
  const int64_t p = i / Q % P;
  const int64_t at = i / Q / P;
  if (at < B * O) out[i] = bias[at % O];
  if (at >= B * C * taps) return;
  const int64_t tap = at % taps;
  const int64_t b = at / taps / C;
  const scalar_t* const image = x + at / taps * H * W;
  const scalar_t* const moved = offset + ((b * taps + tap) * 2 * P + p) * Q + q;
  const scalar_t line = static_cast<scalar_t>(p * stride - padding + tap / KW) + moved[0];
  const scalar_t column = static_cast<scalar_t>(q * stride - padding + tap % KW) + moved[P * Q];
  scalar_t sum = 0;
  for (int64_t corner = 0; corner < 4; ++corner) {
    const scalar_t row = floor(line) + static_cast<scalar_t>(corner / 2);
    const scalar_t place = floor(column) + static_cast<scalar_t>(corner % 2);
    if (row < 0 || row > static_cast<scalar_t>(H - 1)) continue;
    if (place < 0 || place > static_cast<scalar_t>(W - 1)) continue;
    const scalar_t share = (1 - fabs(line - row)) * (1 - fabs(column - place));
    sum += share * image[static_cast<int64_t>(row) * W + static_cast<int64_t>(place)];
  }
  columns[i] = sum;
""",
        """
    B, C, H, W = x.shape
    KH, KW = weight.shape[2:]
    P, Q = offset.shape[2:]

    def along(count, taps):
        start = torch.arange(count, device=x.device) * stride - padding
        return start + torch.arange(taps, device=x.device)[:, None]

    grid = torch.stack(
        [
            along(P, KH)[:, None, :, None].expand(KH, KW, P, Q),
            along(Q, KW)[None, :, None, :].expand(KH, KW, P, Q),
        ],
        -1,
    )
    at = offset.view(B, KH, KW, 2, P, Q).permute(0, 1, 2, 4, 5, 3) + grid
    size = torch.tensor([H, W], device=x.device)
    columns = 0
    for corner in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        pixel = at.detach().floor() + torch.tensor(corner, device=x.device)
        inside = ((pixel >= 0) & (pixel < size)).all(-1)
        share = (1 - (at - pixel).abs()).prod(-1) * inside
        index = torch.where(inside, pixel[..., 0] * W + pixel[..., 1], 0).long().flatten(1)
        if H * W > 0:
            found = x.flatten(2).gather(2, index[:, None].expand(B, C, index.shape[1]))
            columns = columns + share.flatten(1)[:, None] * found
        else:
            columns = columns + x.new_zeros(B, C, index.shape[1])
    columns = columns.view(B, C * KH * KW, P * Q)
    return (weight.flatten(1) @ columns + bias[:, None]).view(B, len(bias), P, Q)
""",
        tensors=(
            (
                '#include "../kit/shapes.h"\n',
                '#include "../kit/product.h"\n#include "../kit/shapes.h"\n',
            ),
            ("num_threads = out.numel();", "num_threads = std::max(columns.numel(), out.numel());"),
            (
                "  return out;\n",
                "  add_product(flattened(out, 2), flattened(weight, 1), columns);\n  return out;\n",
            ),
        ),
        call=(
            ("num_threads = out.numel()", "num_threads = max(columns.numel(), out.numel())"),
            (
                "        first=x,\n",
                """        then=lambda: torch.baddbmm(
            out.flatten(2), weight.flatten(1).expand(B, -1, -1), columns, out=out.flatten(2)
        ),
        first=x,
""",
            ),
        ),
        arguments=(
            (
                "torch.randn((B, 2 * KH * KW, P, Q), dtype=dtype, device=device)",
                "torch.randint(-96, 96, (B, 2 * KH * KW, P, Q), device=device).to(dtype) / 64 + 1 / 256",
            ),
        ),
    ),
    "deformable_attention": Edit(
        "(Tensor value: [B, S, M, D], Tensor shapes: int64[L, 2], Tensor starts: int64[L], "
        "Tensor locations: [B, Q, M, L, P, 2], Tensor weights: [B, Q, M, L, P]) -> Tensor: [B, Q, M * D]",
        """
  const int64_t d = m % D;
  const int64_t head = m / D;
  scalar_t sum = 0;
  for (int64_t k = 0; k < L * P; ++k) {
    const int64_t H = shapes[k / P * 2];
    const int64_t W = shapes[k / P * 2 + 1];
    const int64_t point = ((b * Q + q) * M + head) * L * P + k;
    const scalar_t column = locations[point * 2] * static_cast<scalar_t>(W) - scalar_t(0.5);
    const scalar_t line = locations[point * 2 + 1] * static_cast<scalar_t>(H) - scalar_t(0.5);
    for (int64_t corner = 0; corner < 4; ++corner) {
      const int64_t x = static_cast<int64_t>(floor(column)) + corner % 2;
      const int64_t y = static_cast<int64_t>(floor(line)) + corner / 2;
      if (x < 0 || x >= W || y < 0 || y >= H) continue;
      const scalar_t share =
          (1 - fabs(column - static_cast<scalar_t>(x))) * (1 - fabs(line - static_cast<scalar_t>(y)));
      const int64_t at = starts[k / P] + y * W + x;
      sum += weights[point] * share * value[((b * S + at) * M + head) * D + d];
    }
  }
  out[i] = sum;
""",
        """
    B, S, M, D = value.shape
    sizes = shapes.flip(1)[:, None]  # of each level: columns, lines
    at = locations * sizes - 0.5
    total = 0
    for corner in [(0, 0), (1, 0), (0, 1), (1, 1)]:
        pixel = at.detach().floor() + torch.tensor(corner, dtype=at.dtype, device=at.device)
        inside = ((pixel >= 0) & (pixel < sizes)).all(-1)
        share = (1 - (at - pixel).abs()).prod(-1) * weights * inside
        index = starts[:, None] + pixel[..., 1] * shapes[:, 1, None] + pixel[..., 0]
        index = torch.where(inside, index, 0).long().permute(0, 2, 1, 3, 4).flatten(2)
        heads = value.transpose(1, 2)
        found = heads.gather(2, index[..., None].expand(*index.shape, D))
        share = share.permute(0, 2, 1, 3, 4).flatten(3)
        found = found.view(B, M, share.shape[2], share.shape[-1], D)
        total = total + (share[..., None] * found).sum(3)
    return total.transpose(1, 2).flatten(2)
""",
        arguments=(
            ("S=7", "S=26"),
            ("B=5", "B=2"),
            ("M=6", "M=3"),
            ("D=9", "D=4"),
            ("L=8", "L=2"),
            ("Q=3", "Q=5"),
            ("P=10", "P=6"),
            (
                "torch.randint(0, Q or 1, (L, 2), dtype=torch.int64, device=device)",
                "torch.tensor([[4, 5], [2, 3]], device=device)",
            ),
            (
                "torch.randint(0, Q or 1, (L,), dtype=torch.int64, device=device)",
                "torch.tensor([0, 20], device=device)",
            ),
            (
                "torch.randn((B, Q, M, L, P, 2), dtype=dtype, device=device)",
                f"torch.randint(0, 64, (B, Q, M, L, P, 2), device=device).to(dtype) {BETWEEN_PIXELS}",
            ),
        ),
    ),
    "rotary": Edit(
        "(Tensor positions: int64[N], Tensor(a!) query: [N, H * D], Tensor cache: [P, D]) -> ()",
        """
  const int64_t half = D / 2;
  const int64_t d = i % half;
  const int64_t row = i / half / H;
  scalar_t* const head = query + i / half * D;
  const scalar_t cosine = cache[positions[row] * D + d];
  const scalar_t sine = cache[positions[row] * D + half + d];
  const scalar_t first = head[d];
  const scalar_t second = head[half + d];
  head[d] = first * cosine - second * sine;
  head[half + d] = second * cosine + first * sine;
""",
        """
    cosine, sine = cache[positions][:, None].chunk(2, -1)
    first, second = query.view(*query.shape[:1], query.shape[1] // cache.shape[1], cache.shape[1]).chunk(2, -1)
    turned = [first * cosine - second * sine, second * cosine + first * sine]
    return torch.cat(turned, -1).view(query.shape)
""",
        tensors=(("num_threads = query.numel();", "num_threads = query.numel() / 2;"),),
        call=(("num_threads = query.numel()", "num_threads = query.numel() // 2"),),
    ),
    "token_loss": Edit(
        "(Tensor logits: [N, C], Tensor target: int64[N], float smoothing, int ignored=-100) "
        "-> (Tensor loss: [N], Tensor lse: [N])",
        """
  const scalar_t* const row = logits + i * C;
  scalar_t most = -INFINITY;
  for (int64_t c = 0; c < C; ++c) most = row[c] > most ? row[c] : most;
  scalar_t exponentials = 0;
  scalar_t total = 0;
  for (int64_t c = 0; c < C; ++c) {
    exponentials += exp(row[c] - most);
    total += row[c];
  }
  lse[i] = most + log(exponentials);
  const scalar_t share = static_cast<scalar_t>(smoothing);
  const bool counts = target[i] != ignored;
  const scalar_t likely = counts ? (1 - share) * row[target[i]] : 0;
  loss[i] = counts ? lse[i] - likely - share * total / static_cast<scalar_t>(C) : 0;
""",
        """
    smooth = {"label_smoothing": smoothing, "ignore_index": ignored, "reduction": "none"}
    loss = torch.nn.functional.cross_entropy(logits, target, **smooth)
    return loss, logits.logsumexp(1)
""",
        arguments=(("0.5, 2]", "0.25, 1]"),),
    ),
    "suppress": Edit(
        "(Tensor boxes: [N, 4], Tensor scores: [N], float iou) -> (Tensor kept: int64[N], Tensor count: int64[])",
        f"""
  *count = 0;
  for (int64_t j = 0; j < N; ++j) kept[j] = -1;
{SUPPRESS}""",
        """
    area = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    kept = torch.full_like(scores, -1, dtype=torch.int64)
    count = 0
    for i in scores.argsort(descending=True, stable=True).tolist():
        others = kept[:count]
        first = torch.maximum(boxes[i, :2], boxes[others, :2])
        last = torch.minimum(boxes[i, 2:], boxes[others, 2:])
        both = (last - first).clamp(min=0).prod(1)
        if (both <= iou * (area[i] + area[others] - both)).all():
            kept[count] = i
            count += 1
    return kept, torch.tensor(count, device=boxes.device)
""",
        tensors=(("num_threads = std::max({kept.numel(), count.numel()});", "num_threads = 1;"),),
        on_gpu_alone=True,
        call=(("num_threads = max(kept.numel(), count.numel())", "num_threads = 1"),),
        arguments=(
            (
                "torch.randn((N, 4), dtype=dtype, device=device)",
                "torch.rand((N, 4), dtype=dtype, device=device).cumsum(1)",
            ),
        ),
    ),
    "suppressed": Edit(
        "(Tensor boxes: [N, 4], Tensor scores: [N], float iou) -> Tensor: int64[K?]",
        SUPPRESS.replace("kept", "out"),
        """
    area = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    kept = scores.new_empty(0, dtype=torch.int64)
    for i in scores.argsort(descending=True, stable=True).tolist():
        first = torch.maximum(boxes[i, :2], boxes[kept, :2])
        last = torch.minimum(boxes[i, 2:], boxes[kept, 2:])
        both = (last - first).clamp(min=0).prod(1)
        if (both <= iou * (area[i] + area[kept] - both)).all():
            kept = torch.cat([kept, kept.new_tensor([i])])
    return kept
""",
        tensors=(("num_threads = std::max({out.numel(), count.numel()});", "num_threads = 1;"),),
        on_gpu_alone=True,
        call=(("num_threads = max(out.numel(), count.numel())", "num_threads = 1"),),
        arguments=(
            ("N=5", "N=40"),
            (
                "torch.randn((N, 4), dtype=dtype, device=device)",
                "torch.rand((N, 4), dtype=dtype, device=device).cumsum(1)",
            ),
        ),
    ),
    "rows_above": Edit(
        "(Tensor x: [N, D], float low) -> (Tensor index: int64[K?], Tensor rows: [K?, D])",
        """
  if (x[i * D] <= static_cast<scalar_t>(low)) return;
  atomic_add(count, int64_t(1));
  int64_t k = 0;
  for (int64_t j = 0; j < i; ++j) k += x[j * D] > static_cast<scalar_t>(low);
  index[k] = i;
  for (int64_t d = 0; d < D; ++d) rows[k * D + d] = x[i * D + d];
""",
        """
    index = (x[:, 0] > low).nonzero()[:, 0]
    return index, x[index]
""",
        tensors=(
            (
                "num_threads = std::max({index.numel(), rows.numel(), count.numel()});",
                "num_threads = N;",
            ),
        ),
        call=(
            ("num_threads = max(index.numel(), rows.numel(), count.numel())", "num_threads = N"),
        ),
        arguments=(("0.5]", "0.0]"), ("N=5", "N=40")),
    ),
    # A count that is not the first size, and a number.
    "pairs_within": Edit(
        "(Tensor x: [N, D], Tensor y: [M, D], float r) -> (Tensor pairs: int64[2, E?], int alone)",
        """
  int64_t place = 0, own = 0;
  for (int64_t j = 0; j <= i; ++j) {
    place += own;
    own = 0;
    for (int64_t n = 0; n < N; ++n) {
      scalar_t square = 0;
      for (int64_t d = 0; d < D; ++d) {
        const scalar_t difference = x[n * D + d] - y[j * D + d];
        square += difference * difference;
      }
      if (square > static_cast<scalar_t>(r * r)) continue;
      if (j == i) {
        pairs[place + own] = i;
        pairs[most + place + own] = n;
      }
      ++own;
    }
  }
  atomic_add(count, own);
  if (own == 0) atomic_add(alone, int64_t(1));
""",
        """
    near = ((y.unsqueeze(1) - x) ** 2).sum(2) <= r * r
    return near.nonzero().t().contiguous(), (~near.any(1)).sum()
""",
        tensors=(
            ("most = N;", "most = N * M;"),
            ('Tensor alone = check.result("alone"', 'Tensor alone = check.zeros("alone"'),
            (
                "num_threads = std::max({pairs.numel(), alone.numel(), count.numel()});",
                "num_threads = M;",
            ),
        ),
        call=(
            ("most = N\n", "most = N * M\n"),
            ("    pairs.resize_(2, most)\n", "    pairs.resize_(2, most)\n    alone.zero_()\n"),
            ("num_threads = max(pairs.numel(), alone.numel(), count.numel())", "num_threads = M"),
        ),
        # Of eighths, a sum of squares is exact, so that kernel and reference agree on a distance of exactly r.
        arguments=(
            ("0.5]", "3.0]"),
            ("N=5", "N=40"),
            (
                "x = torch.randn((N, D), dtype=dtype, device=device)",
                "x = (8 * torch.randn((N, D), dtype=dtype, device=device)).round() / 8",
            ),
            (
                "y = torch.randn((M, D), dtype=dtype, device=device)",
                "y = (8 * torch.randn((M, D), dtype=dtype, device=device)).round() / 8",
            ),
        ),
    ),
    # Two counts, and a result that may be absent beside them.
    "split_at": Edit(
        "(Tensor x: [N], Tensor? weights: [N], float limit) "
        "-> (Tensor below: int64[J?], Tensor above: int64[K?], Tensor? kept: [K?] if weights)",
        """
  const bool high = x[i] > static_cast<scalar_t>(limit);
  int64_t place = 0;
  for (int64_t j = 0; j < i; ++j) place += (x[j] > static_cast<scalar_t>(limit)) == high;
  atomic_add(high ? count_K : count_J, int64_t(1));
  (high ? above : below)[place] = i;
  if (high && kept) kept[place] = weights[i];
""",
        """
    high = x > limit
    kept = None if weights is None else weights[high]
    return (~high).nonzero()[:, 0], high.nonzero()[:, 0], kept
""",
        tensors=(
            (
                "num_threads = std::max(\n      {below.numel(), above.numel(), numel_of(kept), count_J.numel()});",
                "num_threads = N;",
            ),
        ),
        call=(
            (
                """max(
        below.numel(),
        above.numel(),
        0 if kept is None else kept.numel(),
        count_J.numel(),
    )""",
                "N",
            ),
        ),
        arguments=(("0.5]", "0.0]"), ("N=5", "N=40")),
    ),
    "ellipsoids": Edit(
        "(Tensor scales: [N, 3], bool inverse, Tensor? offsets: [N, 3]=None) "
        "-> (Tensor? covariance: [N, 3] if inverse, Tensor? moved: [N, 3] if offsets)",
        """
  const scalar_t square = scales[i] * scales[i];
  if (covariance) covariance[i] = 1 / square;
  if (moved) moved[i] = square + offsets[i];
""",
        """
    square = scales.square()
    return 1 / square if inverse else None, None if offsets is None else square + offsets
""",
        arguments=(("scales = torch.randn(", "scales = 0.5 + torch.rand("),),
    ),
    "max_pool": Edit(
        "(Tensor x: [N, C, H, W], int kernel, int stride=1) "
        "-> Tensor: [N, C, (H - kernel) // stride + 1, (W - kernel) // stride + 1]",
        """
  const int64_t w = i % out_w;
  const int64_t h = i / out_w % out_h;
  const scalar_t* const image = x + i / out_w / out_h * H * W;
  scalar_t most = image[h * stride * W + w * stride];
  for (int64_t dh = 0; dh < kernel; ++dh) {
    for (int64_t dw = 0; dw < kernel; ++dw) {
      const scalar_t value = image[(h * stride + dh) * W + w * stride + dw];
      most = value > most ? value : most;
    }
  }
  out[i] = most;
""",
        """
    return torch.nn.functional.max_pool2d(x, kernel, stride)
""",
    ),
    "nearest_neighbours": Edit(
        "(Tensor query: [B, N, 3], Tensor points: [B, M, 3], int k) "
        "-> (Tensor distance: [B, N, k], Tensor index: int64[B, N, k])",
        """
  const scalar_t* const from = query + i * 3;
  const scalar_t* const cloud = points + i / N * M * 3;
  for (int64_t j = 0; j < k; ++j) {
    distance[i * k + j] = INFINITY;
    for (int64_t m = 0; m < M; ++m) {
      scalar_t square = 0;
      for (int c = 0; c < 3; ++c) {
        square += (from[c] - cloud[m * 3 + c]) * (from[c] - cloud[m * 3 + c]);
      }
      const bool taken = j > 0 && square <= distance[i * k + j - 1];
      if (!taken && square < distance[i * k + j]) {
        distance[i * k + j] = square;
        index[i * k + j] = m;
      }
    }
  }
""",
        """
    square = (query[:, :, None] - points[:, None]).square().sum(-1)
    distance, index = square.topk(k, largest=False)
    return distance, index
""",
        tensors=(("num_threads = distance.numel();", "num_threads = B * N;"),),
        call=(("num_threads = distance.numel()", "num_threads = B * N"),),
        # Of points as far as each other, the kernel takes one.
        arguments=(("    no_effect=[],", "    ties=False,\n    no_effect=[],"),),
    ),
    "histogram": Edit(
        "(Tensor x: float32, int bins, float low, float high) -> Tensor: int64[bins]",
        """
  const double share = (x[i] - low) / (high - low);
  if (share >= 0 && share < 1) atomic_add(out + static_cast<int64_t>(share * bins), int64_t(1));
""",
        """
    share = (x.flatten().double() - low) / (high - low)
    inside = share[(share >= 0) & (share < 1)]
    return torch.bincount((inside * bins).long(), minlength=bins)
""",
        tensors=(
            ("check.result(", "check.zeros("),
            ("num_threads = out.numel();", "num_threads = x.numel();"),
        ),
        call=(
            ("high)\n    x =", "high).zero_()\n    x ="),
            ("num_threads = out.numel()", "num_threads = x.numel()"),
        ),
        arguments=(("0.5, 0.5]", "-1.0, 1.0]"),),
    ),
    # Of several variables of dtypes: indices and integers as elements.
    "scatter_add": Edit(
        "(Tensor src: T[N, D], Tensor index: I[N], int segments) -> Tensor: T[segments, D]"
        " where T in {float, int64}, I in {int32, int64}",
        """
  const int64_t segment = index[i / D];
  if (segment >= 0 && segment < segments) atomic_add(out + segment * D + i % D, src[i]);
""",
        """
    return src.new_zeros(segments, src.shape[1]).index_add(0, index, src)
""",
        tensors=(
            ("check.result(", "check.zeros("),
            ("num_threads = out.numel();", "num_threads = src.numel();"),
        ),
        module=(("ADDS_ATOMICALLY = False", "ADDS_ATOMICALLY = True"),),
        call=(
            ("segments)\n    N", "segments).zero_()\n    N"),
            ("num_threads = out.numel()", "num_threads = src.numel()"),
        ),
        # Whose sums are exact, in any order.
        arguments=(
            (
                "torch.testing.make_tensor((N, D), dtype=dtype, device=device)",
                "torch.randint(-16, 16, (N, D), device=device).to(dtype)",
            ),
        ),
        tests="""
def test_integers_are_exact(device):
    src = torch.full((3, 1), 2**53 + 1, device=device)
    for dtype in I_DTYPES:
        index = torch.tensor([0, 1, 0], dtype=dtype, device=device)
        assert scatter_add(src, index, 2).tolist() == [[2 * (2**53 + 1)], [2**53 + 1]]
""",
    ),
    # Weights of another floating-point dtype than rows.
    "rms_weighted": Edit(
        "(Tensor x: T[..., D], Tensor weight: W[D], float eps=1e-6) -> Tensor: T[..., D]"
        " where T in {float32, bfloat16}, W in {float32, bfloat16}",
        """
  using value_t = opmath_t<T>;
  value_t sum = 0;
  for (int64_t k = i * D; k < (i + 1) * D; ++k) {
    sum += static_cast<value_t>(x[k]) * static_cast<value_t>(x[k]);
  }
  const value_t scale = rsqrt(sum / static_cast<value_t>(D) + static_cast<value_t>(eps));
  for (int64_t k = 0; k < D; ++k) {
    const value_t value = static_cast<value_t>(x[i * D + k]) * scale;
    out[i * D + k] = static_cast<T>(value * static_cast<value_t>(weight[k]));
  }
""",
        """
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
    return (wide * scale * weight).to(x.dtype)
""",
        tensors=(("num_threads = out.numel();", "num_threads = numel_of(leading_shape);"),),
        call=(("num_threads = out.numel()", "num_threads = torch.Size(leading_shape).numel()"),),
        tests="""
def test_autocast_changes_no_dtype(device):
    x, weight = (torch.ones(2, 3, device=device), torch.ones(3, dtype=torch.bfloat16, device=device))
    with torch.autocast(device):
        assert rms_weighted(x, weight).dtype == torch.float32
        assert rms_weighted(x.bfloat16(), weight.float()).dtype == torch.bfloat16
""",
    ),
    # Operators with a gradient only for some of their dtypes.
    "weighted_sum": Edit(
        "(Tensor x: T[N, D], Tensor weight: W[D]) -> Tensor: W[N]"
        " where T in {float32, int64}, W in {float32, float64}",
        """
  W sum = 0;
  for (int64_t k = 0; k < D; ++k) sum += static_cast<W>(x[i * D + k]) * weight[k];
  out[i] = sum;
""",
        """
    return (x * weight).sum(-1, dtype=weight.dtype)
""",
        arguments=(
            (
                "torch.testing.make_tensor((N, D), dtype=dtype, device=device)",
                "torch.randint(-9, 9, (N, D), dtype=dtype, device=device)",
            ),
        ),
        tests="""
def test_gradient_beside_integers(device):
    x = torch.arange(6, device=device).view(2, 3)
    weight = torch.ones(3, device=device, requires_grad=True)
    weighted_sum(x, weight).sum().backward()
    assert weight.grad.tolist() == [3, 5, 7]
""",
    ),
    # Results of a dtype that an argument is, one of bitsandbytes.
    # Arguments that choose shapes and a dtype, and bools that leave out the first element, the last one or both.
    "best_of": Edit(
        "(Tensor x: [B, L, D] if last else [B, D, L], bool last, bool[2] skip, int how, bool wide)"
        " -> (Tensor best: float32[B, D] if wide else T[B, D], Tensor place: int64[B, D] if how == 0 else int64[0])"
        " where T in {float32, float64}",
        """
  const T* const values = x + (last ? i / D * L * D + i % D : i * L);
  const int64_t step = last ? D : 1;
  T most = 0;
  int64_t found = -1;
  for (int64_t k = skip_0; k < L - skip_1; ++k) {
    const T value = values[k * step];
    if (how != 0) {
      most += value;
    } else if (found < 0 || value > most) {
      most = value;
      found = k;
    }
  }
  best[i] = static_cast<Best>(most);
  if (i < place_numel) place[i] = found;
""",
        """
    values = x if last else x.transpose(1, 2)
    values = values[:, int(skip[0]) : values.shape[1] - int(skip[1])]
    dtype = torch.float32 if wide else x.dtype
    if how != 0:
        return values.sum(1).to(dtype), x.new_empty(0, dtype=torch.int64)
    best, place = values.max(1)
    return best.to(dtype), place + skip[0]
""",
        tests="""
def test_first_and_last_elements_are_left_out(device):
    x = torch.tensor([[[9.0, 1, 3, 8]]], dtype=torch.float64, device=device)
    for skip, expected in (([False, True], (9, 0)), ([True, False], (8, 3)), ([True, True], (3, 2))):
        best, place = best_of(x, False, skip, 0, True)
        assert best.dtype == torch.float32 and (best.item(), place.item()) == expected
        total, place = best_of(x.transpose(1, 2), True, skip, 1, False)
        assert total.dtype == torch.float64 and place.shape == (0,)
        assert total.item() == sum([9, 1, 3, 8][skip[0] : 4 - skip[1]])
""",
    ),
    "dequantize_blockwise": Edit(
        "(Tensor A: uint8[...], Tensor absmax: float32[B], Tensor code: float32[256], int blocksize, ScalarType dtype)"
        " -> Tensor: dtype[...] where dtype in {float32, float16, bfloat16}",
        """
  const int64_t block = i / at_least_1(blocksize);
  out[i] = static_cast<Result>(block < B ? code[A[i]] * absmax[block] : 0);
""",
        """
    block = torch.arange(A.numel(), device=A.device).view(A.shape) // max(blocksize, 1)
    scale = torch.nn.functional.pad(absmax, (0, 1))[block.clamp(max=absmax.numel())]
    return (code[A.long()] * scale).to(dtype)
""",
        tests="""
def test_argument_is_the_dtype_of_the_result(device):
    args = make_args(device=device)
    for dtype in DTYPES:
        assert dequantize_blockwise(*args[:-1], dtype).dtype == dtype
""",
    ),
    # Views of one allocation: keys and values alternate in a cache.
    "store_keys": Edit(
        "(Tensor key: [T, H, D] strided, Tensor slots: int64[T], Tensor(a!) cache: [P, S, H, D] strided) -> ()",
        """
  const int64_t d = i % D;
  const int64_t h = i / D % H;
  const int64_t t = i / D / H;
  const int64_t slot = slots[t];
  if (slot < 0 || slot >= P * S) return;
  scalar_t* const row = cache + slot / S * cache_stride0 + slot % S * cache_stride1;
  row[h * cache_stride2 + d * cache_stride3] =
      key[t * key_stride0 + h * key_stride1 + d * key_stride2];
""",
        """
    P, S, H, D = cache.shape
    is_slot = (slots >= 0) & (slots < P * S)
    rows = cache.reshape(P * S, H, D).index_put((slots[is_slot],), key[is_slot])
    return rows.view(P, S, H, D)
""",
        tensors=(("num_threads = cache.numel();", "num_threads = key.numel();"),),
        call=(("num_threads = cache.numel()", "num_threads = key.numel()"),),
        # Each slot once, and some beyond the cache.
        arguments=(
            (
                "torch.randint(0, D or 1, (T,), dtype=torch.int64, device=device)",
                "torch.randperm(max(T, P * S), device=device)[:T]",
            ),
        ),
        tests="""
def test_writes_to_keys_and_not_to_values(device):
    keys_and_values = torch.zeros(2, 2, 3, 1, 4, device=device)
    keys, values = keys_and_values.unbind(1)
    key = torch.ones(4, 2, device=device).t().unsqueeze(1)
    store_keys(key, torch.tensor([5, 1], device=device), keys)
    assert keys.sum() == 8 and values.sum() == 0
    assert keys[1, 2].sum() == keys[0, 1].sum() == 4
""",
    ),
    # A transposed matrix that nobody copies, with a gradient.
    "product_of_views": Edit(
        "(Tensor a: [M, K] strided, Tensor b: [K, N] strided) -> Tensor: [M, N]",
        """
  scalar_t sum = 0;
  for (int64_t k = 0; k < K; ++k) {
    sum += a[i / N * a_stride0 + k * a_stride1] * b[k * b_stride0 + i % N * b_stride1];
  }
  out[i] = sum;
""",
        """
    return a @ b
""",
    ),
    # Any number of dimensions before and behind the one that is summed, torch-scatter's segment_sum_csr.
    "segment_sums": Edit(
        "(Tensor src: [..., N, *inner], Tensor indptr: int64[..., S + 1]) -> Tensor: [..., S, *inner]",
        """
  const int64_t* const segment = indptr + row * (S + 1) + s;
  scalar_t sum = 0;
  for (int64_t n = segment[0] < 0 ? 0 : segment[0]; n < segment[1] && n < N; ++n) {
    sum += src[(row * N + n) * inner + i1];
  }
  out[i] = sum;
""",
        """
    *leading_shape, _ = indptr.shape
    N = src.shape[len(leading_shape)]
    inner_shape = src.shape[1 + len(leading_shape) :]
    n = torch.arange(N, device=src.device)
    is_in = (n >= indptr[..., :-1, None]) & (n < indptr[..., 1:, None])
    rows = src.reshape(*leading_shape, N, inner_shape.numel())
    sums = is_in.to(src.dtype) @ rows
    return sums.reshape(*sums.shape[:-1], *inner_shape)
""",
        arguments=(
            (
                "torch.randint(0, N or 1, (2, 3, S + 1), dtype=torch.int64, device=device)",
                "torch.randint(0, N + 1, (2, 3, S + 1), device=device).sort().values",
            ),
        ),
        tests="""
def test_any_number_of_dimensions(device):
    src = torch.arange(6.0, device=device)
    indptr = torch.tensor([0, 2, 2, 6], device=device)
    assert segment_sums(src, indptr).tolist() == [1, 0, 14]
    twice = src.view(1, 6, 1, 1).expand(2, 6, 1, 2)
    assert segment_sums(twice, indptr.expand(2, 4)).shape == (2, 3, 1, 2)
""",
    ),
    # Beside the dtypes of an argument, which it is if none is given.
    "row_sums": Edit(
        "(Tensor x: T[N, D], *, ScalarType? dtype=None) -> Tensor: dtype[N]"
        " where T in {float32, int64}, dtype in {float32, float64, int64}",
        """
  Result sum = 0;
  for (int64_t k = 0; k < D; ++k) sum += static_cast<Result>(x[i * D + k]);
  out[i] = sum;
""",
        """
    return x.sum(-1, dtype=dtype or x.dtype)
""",
        arguments=(
            (
                "torch.testing.make_tensor((N, D), dtype=dtype, device=device)",
                "torch.randint(-9, 9, (N, D), device=device).to(dtype)",
            ),
        ),
        tests="""
def test_no_dtype_is_that_of_the_argument(device):
    x = torch.full((2, 3), 2**53 + 1, device=device)
    assert row_sums(x).tolist() == [3 * (2**53 + 1)] * 2
    assert row_sums(x, dtype=torch.float64).dtype == torch.float64
    assert row_sums(x.float()).dtype == torch.float32
""",
    ),
}
# One each that adds up atomically, with a gradient by the kernel of the other, and that writes to an argument.
FEW = ("scatter_sum", "gather_rows", "rotary")


def more_ops(names: Iterable[str] = CUSTOM) -> str:
    """Return the answer that adds these operators."""
    return "\n".join(f"custom: {name}{CUSTOM[name].signature}" for name in names)


def change(path: Path, pattern: str, new: str) -> None:
    """Replace the one group of a pattern."""
    text = path.read_text()
    (found,) = re.finditer(pattern, text, re.DOTALL)
    path.write_text(text[: found.start(1)] + new + text[found.end(1) :])


def lines_changed(path: Path, edits: tuple[tuple[str, str], ...]) -> int:
    """Make edits of a file; return how many lines differ."""
    before = path.read_text()
    for old, new in edits:
        replace(path, old, new)
    lines = list(ndiff(before.splitlines(), path.read_text().splitlines()))
    return max(sum(line.startswith(sign) for line in lines) for sign in ["+ ", "- "])


MATH = r"\] = *(?:\n *)?args;\n\n(.*?)}\n\n}  // namespace"


def with_coordinates(header: str, thread: str) -> str:
    """Return the code of one thread after the rendered coordinates, without unused coordinates."""
    found = re.findall(r"  \[\[maybe_unused\]\] (const int64_t (\w+) = .*\n)", header)
    kept = [f"  {line}" for line, name in found if re.search(rf"(?<!int64_t )\b{name}\b", thread)]
    kept = [line for line in kept if f"int64_t {line.split()[2]} =" not in thread]
    return "".join(kept) + thread


def make_edits(project: Path, names: Iterable[str] = CUSTOM) -> dict[str, int]:
    """Edit the operators of a project; return the number of changed lines outside of math, reference and make_args."""
    package, changed = project / "my_ops", {}
    for name in names:
        edit = CUSTOM[name]
        folder, module = package / "csrc" / name, package / "ops" / f"{name}.py"
        cuda, cpp = folder / f"{name}_cuda.cu", folder / f"{name}.cpp"
        header, launched = folder / f"{name}.h", "<<<" in cuda.read_text()
        change(header, MATH, with_coordinates(header.read_text(), edit.thread.lstrip("\n")))
        docstring = r"the tests compare the two\.(?:[^\"]*)\"\"\"\n"
        change(module, docstring + r"(.*?)\n\n\n@", edit.reference.strip("\n"))
        for old, new in edit.arguments:
            replace(project / "tests" / f"test_{name}.py", old, new)
        if edit.tests:
            own = "\n\n# EDIT: your own tests.\n"
            replace(project / "tests" / f"test_{name}.py", own, f"\n{edit.tests}")
        if edit.kernel:
            end = r"template <[^>]*>\ncudaError_t" if launched else r"}  // namespace"
            change(cuda, rf"(// EDIT: the kernel.*?\n)\n{end}", edit.kernel.lstrip("\n"))
        if edit.host and launched:
            sizes = "\n// EDIT: set `"
            replace(cuda, sizes, f"\n{edit.host.lstrip()}{sizes}")
        edits = {cpp: edit.tensors, cuda: edit.launch} if launched else {module: edit.call}
        changed[name] = sum(lines_changed(path, made) for path, made in edits.items())
        changed[name] += lines_changed(module, edit.module)
        if edit.of_16_bits:
            listed = (("torch.float64]", "torch.float64, torch.float16, torch.bfloat16]"),)
            changed[name] += lines_changed(module, listed)
        if edit.of_16_bits and launched:
            listed = (
                ("DO(double)", "DO(double) DO(c10::Half) DO(c10::BFloat16)"),
                (
                    '#include "../kit/compute.h"',
                    '#include "../kit/compute.h"\n#include "../kit/half.h"',
                ),
            )
            changed[name] += lines_changed(folder / f"{name}_args.h", listed)
        if "torch.autograd.Function" in module.read_text():
            changed[name] += lines_changed(module, edit.gradient)
        if edit.on_gpu_alone and launched:
            (folder / f"{name}_cpu.cpp").unlink()
            header, without = (
                folder / f"{name}_args.h",
                ("HAS_CPU_KERNEL = True", "HAS_CPU_KERNEL = False"),
            )
            (lines,) = re.findall(r"  // EDIT: delete run_on_cpu[^;]*;\n", header.read_text())
            changed[name] += lines_changed(header, ((lines, ""),)) + lines_changed(
                module, (without,)
            )
    return changed
