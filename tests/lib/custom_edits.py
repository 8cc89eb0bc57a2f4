"""Operators of other shapes that people write, as edits of fresh renders: only places marked EDIT change."""

from __future__ import annotations

import re
from difflib import ndiff
from pathlib import Path
from typing import NamedTuple

from updating import replace


class Edit(NamedTuple):
    """An operator, and what its author makes of it."""

    signature: str
    thread: str  # what one thread computes
    reference: str
    # In <op>.cpp, what stands there and what instead.
    tensors: tuple[tuple[str, str], ...] = ()
    # In <op>_cuda.cu, the kernel, and how it is launched, if a thread for each element is not what it needs.
    kernel: str = ""
    launch: tuple[tuple[str, str], ...] = ()
    # The values that make_args of its tests returns, and what instead.
    arguments: tuple[tuple[str, str], ...] = ()


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
        arguments=(("0.5, 0.5]", "-1.0, 1.0]"),),
    ),
}
MORE_OPS = "\n".join(f"custom: {name}{edit.signature}" for name, edit in CUSTOM.items())


def change(path: Path, pattern: str, new: str) -> None:
    """Replace the one group of a pattern."""
    text = path.read_text()
    (found,) = re.finditer(pattern, text, re.DOTALL)
    path.write_text(text[: found.start(1)] + new + text[found.end(1) :])


def make_edits(project: Path) -> dict[str, int]:
    """Edit the operators of a project; return how many lines change beside math, reference and make_args."""
    package, changed = project / "my_ops", {}
    for name, edit in CUSTOM.items():
        header = package / "csrc" / name / f"{name}.h"
        change(
            header, r"\] = *(?:\n *)?args;\n\n(.*?)}\n\n}  // namespace", edit.thread.lstrip("\n")
        )
        module = package / "ops" / f"{name}.py"
        change(
            module, r"the tests compare the two\.\"\"\"\n(.*?)\n\n\n@", edit.reference.strip("\n")
        )
        for old, new in edit.arguments:
            replace(project / "tests" / f"test_{name}.py", old, new)
        cuda = package / "csrc" / name / f"{name}_cuda.cu"
        if edit.kernel:
            change(
                cuda,
                r"(// EDIT: the kernel.*?\n)\ntemplate <[^>]*>\ncudaError_t",
                edit.kernel.lstrip("\n"),
            )
        changed[name] = 0
        for source, replaced in [
            (package / "csrc" / name / f"{name}.cpp", edit.tensors),
            (cuda, edit.launch),
        ]:
            before = source.read_text()
            for old, new in replaced:
                replace(source, old, new)
            lines = list(ndiff(before.splitlines(), source.read_text().splitlines()))
            changed[name] += max(
                sum(line.startswith(sign) for line in lines) for sign in ["+ ", "- "]
            )
    return changed
