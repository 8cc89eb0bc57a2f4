"""Measures three custom kernels on a GPU against a plain extension that launches the same, and PyTorch's own operators.

    python tools/measure_custom.py rendered/custom

where rendered/custom is an installed project with the operators of `tests/lib/custom_edits.py`, edited; its sources
are compiled once more, as an extension of `torch/extension.h` and pybind11. Prints the median time of a call, and its
ratio to the other two in the same run: at most 1.1 of the plain extension and 1.0 of PyTorch is the goal.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import my_ops
import torch
from torch.utils.cpp_extension import load_inline
from triton.testing import do_bench

SOURCE = """
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>
#include "farthest_points/farthest_points_cuda.cu"
#include "scatter_sum/scatter_sum_cuda.cu"
#include "stencil/stencil_cuda.cu"

using namespace my_ops;

template <typename Args>
void launch(const Args& args) {
  C10_CUDA_CHECK(args.run_on_gpu(at::cuda::getCurrentCUDAStream()));
}

at::Tensor farthest_points(at::Tensor points, int64_t npoint) {
  auto out = torch::empty({points.size(0), npoint}, points.options().dtype(torch::kLong));
  FarthestPointsArgs<float> args;
  args.points = points.data_ptr<float>();
  args.B = points.size(0);
  args.N = points.size(1);
  args.npoint = npoint;
  args.out = out.data_ptr<int64_t>();
  args.num_threads = points.size(0);
  launch(args);
  return out;
}

at::Tensor scatter_sum(at::Tensor values, at::Tensor index, int64_t segments) {
  auto out = torch::zeros({segments, values.size(1)}, values.options());
  ScatterSumArgs<float> args;
  args.values = values.data_ptr<float>();
  args.index = index.data_ptr<int64_t>();
  args.N = values.size(0);
  args.D = values.size(1);
  args.segments = segments;
  args.out = out.data_ptr<float>();
  args.num_threads = values.numel();
  launch(args);
  return out;
}

at::Tensor stencil(at::Tensor x, at::Tensor weight) {
  auto out = torch::empty_like(x);
  StencilArgs<float> args;
  args.x = x.data_ptr<float>();
  args.weight = weight.data_ptr<float>();
  args.N = x.size(0);
  args.C = x.size(1);
  args.H = x.size(2);
  args.W = x.size(3);
  args.out = out.data_ptr<float>();
  args.num_threads = x.numel();
  launch(args);
  return out;
}
"""
DECLARED = """
at::Tensor farthest_points(at::Tensor points, int64_t npoint);
at::Tensor scatter_sum(at::Tensor values, at::Tensor index, int64_t segments);
at::Tensor stencil(at::Tensor x, at::Tensor weight);
"""
FUNCTIONS = ["farthest_points", "scatter_sum", "stencil"]


def cases() -> list[tuple]:
    """Return operators, arguments and what PyTorch has for them: sizes that the GPU is busy with, and a small one each."""

    def randn(*shape):
        return torch.randn(shape, device="cuda")

    def index_add(values, index, segments):
        return values.new_zeros(segments, values.shape[1]).index_add(0, index, values)

    def conv2d(x, weight):
        return torch.nn.functional.conv2d(x, weight[:, None], padding=1, groups=x.shape[1])

    found = [
        ("farthest_points", (randn(b, n, 3), m), None) for b, n, m in [(1, 64, 8), (64, 4096, 128)]
    ]
    for n, d, segments in [(100, 8, 10), (1_000_000, 64, 100_000)]:
        index = torch.randint(segments, (n,), device="cuda")
        found.append(("scatter_sum", (randn(n, d), index, segments), index_add))
    for shape in [(1, 4, 8, 8), (16, 64, 256, 256)]:
        found.append(("stencil", (randn(*shape), randn(shape[1], 3, 3)), conv2d))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    csrc = parser.parse_args().project.resolve() / "my_ops" / "csrc"
    flags = {"extra_cuda_cflags": ["-O3", "-DUSE_CUDA"], "extra_include_paths": [str(csrc)]}
    plain = load_inline("plain", DECLARED, SOURCE, functions=FUNCTIONS, **flags)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; medians in us")
    print(
        f"{'operator':16} {'arguments':34} {'ours':>9} {'plain':>9} {'PyTorch':>9} {'/plain':>7} {'/PyTorch':>8}"
    )
    for name, args, theirs in cases():
        calls = [getattr(my_ops, name), getattr(plain, name), theirs]
        times = [
            f
            and do_bench(lambda f=f, args=args: f(*args), warmup=100, rep=300, return_mode="median")
            * 1e3
            for f in calls
        ]
        sizes = ", ".join(
            str(list(x.shape)) if isinstance(x, torch.Tensor) else str(x) for x in args
        )
        shown = [f"{x:9.1f}" if x else f"{'-':>9}" for x in times]
        ratios = [f"{times[0] / x:7.2f}" if x else f"{'-':>7}" for x in times[1:]]
        print(f"{name:16} {sizes:34} {' '.join(shown)} {' '.join(ratios)}")


if __name__ == "__main__":
    main()
