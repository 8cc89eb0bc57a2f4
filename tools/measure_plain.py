"""Measures custom operators on a GPU against a plain extension that launches the same kernels, in one process.

    python tools/measure_plain.py FOLDER --render    # here, with Copier: a project with the operators below
    python tools/measure_plain.py FOLDER             # on the GPU, without Copier and network: builds, checks, measures

The plain extension is TORCH_LIBRARY, <op>_cuda.cu of the project, and what an author writes around it: allocation, the arguments
of the kernel, its launch. It checks nothing. Prints the medians of both, in turns, with a cold L2 cache: GPU time from 5 rounds of
100 calls each, and the time that a call takes on the host. The goal is a ratio of 1.00 to 1.03. A minute after the build; exits
with 1 if a GPU time misses the goal.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

OPERATORS = ["sort_rows", "store_keys"]
SOURCE = """
#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>
#include "sort_rows/sort_rows_cuda.cu"
#include "store_keys/store_keys_cuda.cu"

std::tuple<at::Tensor, at::Tensor> sort_rows(at::Tensor x) {
  const c10::cuda::CUDAGuard guard(x.device());
  const auto stream = c10::cuda::getCurrentCUDAStream();
  auto values = at::empty_like(x);
  auto index = at::empty(x.sizes(), x.options().dtype(at::kLong));
  auto before = at::empty(x.sizes(), x.options().dtype(at::kLong));
  my_ops::SortRowsArgs<float> args;
  args.x = x.const_data_ptr<float>();
  args.B = x.size(0);
  args.N = x.size(1);
  args.values = values.mutable_data_ptr<float>();
  args.index = index.mutable_data_ptr<int64_t>();
  args.before = before.mutable_data_ptr<int64_t>();
  args.room = nullptr;
  C10_CUDA_CHECK(args.sizes_on_gpu(stream));
  auto room = at::empty({args.bytes}, x.options().dtype(at::kByte));
  args.room = room.mutable_data_ptr<uint8_t>();
  C10_CUDA_CHECK(args.run_on_gpu(stream));
  return {values, index};
}

void store_keys(at::Tensor key, at::Tensor slots, at::Tensor cache) {
  const c10::cuda::CUDAGuard guard(key.device());
  my_ops::StoreKeysArgs<float> args;
  args.key = key.const_data_ptr<float>();
  args.key_stride0 = key.stride(0);
  args.key_stride1 = key.stride(1);
  args.key_stride2 = key.stride(2);
  args.slots = slots.const_data_ptr<int64_t>();
  args.cache = cache.mutable_data_ptr<float>();
  args.cache_stride0 = cache.stride(0);
  args.cache_stride1 = cache.stride(1);
  args.cache_stride2 = cache.stride(2);
  args.cache_stride3 = cache.stride(3);
  args.T = key.size(0);
  args.H = key.size(1);
  args.D = key.size(2);
  args.P = cache.size(0);
  args.S = cache.size(1);
  args.num_threads = key.numel();
  C10_CUDA_CHECK(args.run_on_gpu(c10::cuda::getCurrentCUDAStream()));
}

TORCH_LIBRARY(plain, m) {
  m.def("sort_rows(Tensor x) -> (Tensor, Tensor)");
  m.def("store_keys(Tensor key, Tensor slots, Tensor(a!) cache) -> ()");
}

TORCH_LIBRARY_IMPL(plain, CUDA, m) {
  m.impl("sort_rows", &sort_rows);
  m.impl("store_keys", &store_keys);
}
"""


def render_project(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))
    from custom_edits import make_edits, more_ops
    from render import render

    render(folder, {"more_ops": more_ops(OPERATORS)}, extent="core")
    make_edits(folder, OPERATORS)


def build(folder: Path) -> Any:
    """Install the project beside its sources, compile the plain extension, and import both."""
    import torch

    # Of this GPU only: CUB takes 20 seconds for each architecture.
    capability = ".".join(map(str, torch.cuda.get_device_capability()))
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", capability)
    site = folder / ".site"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"]
    subprocess.check_call([*pip, "--upgrade", "--target", str(site), "."], cwd=folder)
    sys.path.insert(0, str(site))
    import my_ops
    from torch.utils.cpp_extension import load_inline

    os.makedirs(folder / ".plain", exist_ok=True)
    load_inline(
        "plain",
        [],
        SOURCE,
        extra_cuda_cflags=["-O3", "-DUSE_CUDA"],
        extra_include_paths=[str(folder / "my_ops" / "csrc")],
        build_directory=str(folder / ".plain"),
        is_python_module=False,
    )
    return my_ops


def stored_keys(tokens: int, transposed: bool) -> tuple[tuple, Callable]:
    """Return arguments that store the keys of a projection, and a function that returns the cache.

    Keys are every third row of the projection, and alternate with values in the cache. 8 heads of 128 elements; pages of 16.
    """
    import torch

    qkv = torch.randn(tokens, 3, 8, 128, device="cuda")
    pages = max(1024, tokens // 16)
    if transposed:
        cache = torch.zeros(pages, 2, 8, 16, 128, device="cuda")[:, 0].transpose(1, 2)
    else:
        cache = torch.zeros(pages, 2, 16, 8, 128, device="cuda")[:, 0]
    slots = torch.randperm(pages * 16, device="cuda")[:tokens]
    return (qkv[:, 1], slots, cache), cache.clone


def cases() -> list[tuple[str, str, tuple, Callable | None]]:
    """Return operator, description, arguments, and, of one that writes, a function that returns what it wrote."""
    import torch

    found: list[tuple[str, str, tuple, Callable | None]] = []
    for rows, columns in [(4, 64), (4096, 256), (256, 65536), (8192, 4096)]:
        x = torch.randn(rows, columns, device="cuda")
        found.append(("sort_rows", f"[{rows}, {columns}]", (x,), None))
    for transposed in (False, True):
        for tokens in (1, 256, 8192, 65536):
            shape = "[P, 2, H, S, D]" if transposed else "[P, 2, S, H, D]"
            found.append(
                ("store_keys", f"{tokens} keys, {shape}", *stored_keys(tokens, transposed))
            )
    return found


def gpu_times(calls: list[Callable], count: int) -> list[float]:
    """Return the median microseconds of each call on the GPU; they take turns, each with a cold L2 cache."""
    import torch

    cache = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    events: list[list] = [[] for _ in calls]
    for i in range(count):
        for turn in range(len(calls)):
            k = (turn + i) % len(calls)
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            cache.zero_()  # meanwhile, the host prepares the call
            start.record()
            calls[k]()
            end.record()
            events[k].append((start, end))
    torch.cuda.synchronize()
    return [median(a.elapsed_time(b) * 1e3 for a, b in pairs) for pairs in events]


def host_times(calls: list[Callable], count: int = 50) -> list[float]:
    """Return the median microseconds that the host takes for a call, which does not wait for the GPU."""
    import torch

    times: list[list[float]] = [[] for _ in calls]
    for _ in range(20):
        for call, found in zip(calls, times):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(count):
                call()
            found.append((time.perf_counter() - start) / count * 1e6)
    torch.cuda.synchronize()
    return [median(x) for x in times]


def same(a: Any, b: Any) -> bool:
    import torch

    pairs = zip(a, b) if isinstance(a, tuple | list) else [(a, b)]
    return all(torch.equal(x, y) for x, y in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--render", action="store_true", help="render the project, and stop")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if options.render:
        render_project(folder)
        return 0

    my_ops = build(folder)
    import torch

    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; medians in us")
    columns = [f"{x:>9}" for x in ["GPU", "plain", "ratio", "host", "plain"]]
    print(f"{'operator':12} {'arguments':32} {' '.join(columns)}")
    missed = 0
    for name, text, args, written in cases():
        functions = [getattr(my_ops, name), getattr(torch.ops.plain, name).default]
        results = []
        for function in functions:
            result = function(*args)
            results.append(written() if written else result)
            if written:
                args[-1].zero_()
        assert same(*results), f"{name} and the plain extension return different values"
        calls = [lambda f=f, args=args: f(*args) for f in functions]
        gpu_times(calls, 20)
        # Each round compares the two; the median ratio counts.
        rounds = sorted((gpu_times(calls, 100) for _ in range(5)), key=lambda x: x[0] / x[1])
        ours, plain = rounds[2]
        ratio = ours / plain
        missed += ratio > 1.03
        host, plain_host = host_times(calls)
        numbers = [f"{x:9.2f}" for x in [ours, plain, ratio, host, plain_host]]
        print(f"{name:12} {text:32} {' '.join(numbers)}", flush=True)
    print(f"{missed} ratios are above 1.03")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
