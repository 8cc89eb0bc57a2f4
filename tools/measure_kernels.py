"""Measures the kernels on a GPU: share of a copy's bandwidth or of cuBLAS, and time against torch.compile.

    python tools/measure_kernels.py

in an environment in which a project with operators of all kernels is installed (`./dev rendered` renders it, as
rendered/kernels-torch_library-function). A rendered project's own benchmark has more sizes; this has what it
leaves out: sizes that are no multiple of a tile, views that are not aligned, rows of all lengths, products with few
rows or columns. It prints which goals are missed, and exits with 1 if any is missed by more than is known.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable

import my_ops
import torch
from triton.testing import do_bench, do_bench_cudagraph

DTYPES = [torch.float32, torch.float16, torch.bfloat16]
SIZES = [2**power for power in range(16, 28)]
# Bytes after which nothing of what was read or written before is in the cache: an H200's has 50 MB.
COLD_BYTES = 2**28

# A share of rows or products that is lower than its goal by no more than this meets it.
NOISE = 0.05

# Rows and their length, and for each dtype the goals of forward and backward, as shares of a copy's bandwidth; of backward
# where rows do not begin at a multiple of 16 bytes, what there is.
ROWS = {
    (1_000_003, 64): {torch.float32: (0.97, 0.90), torch.bfloat16: (0.97, 0.80)},
    (65_536, 256): {torch.float32: (0.97, 0.90), torch.bfloat16: (0.97, 0.80)},
    (16_384, 1024): {torch.float32: (0.97, 0.90), torch.bfloat16: (0.97, 0.80)},
    (8192, 4096): {torch.float32: (0.97, 0.90), torch.bfloat16: (0.97, 0.80)},
    (4096, 8192): {torch.float32: (0.97, 0.90), torch.bfloat16: (0.97, 0.80)},
    (2048, 16_384): {torch.float32: (0.97, 0.80), torch.bfloat16: (0.97, 0.80)},
    (1024, 65_536): {torch.float32: (0.90, 0.80), torch.bfloat16: (0.90, 0.80)},
    (8192, 1001): {torch.float32: (0.90, 0.60), torch.bfloat16: (0.80, 0.45)},
}

# Images by dtype and by the elements that they are off a multiple of 16 bytes, volumes by dtype and by whether bounds
# are given, with goals that no noise is taken off.
IMAGES = {
    (torch.uint8, 0): 0.97,
    (torch.uint8, 1): 0.85,
    (torch.float32, 0): 0.97,
    (torch.float32, 1): 0.85,
}
VOLUMES = {
    (dtype, given): 0.97 if given else 0.92
    for given in [True, False]
    for dtype in [torch.uint8, torch.int16, torch.uint16, torch.int32, torch.float32]
}

# Rows, depth and columns of products.
PRODUCTS = [
    *((size, size, size) for size in (1024, 2048, 4096, 8192)),
    (16, 4096, 4096),
    (4096, 4096, 16),
    (4096, 16, 4096),
    (1001, 999, 1003),
]
SQUARES = PRODUCTS[:4]
# The goals of products, as shares of cuBLAS's speed, and of 16-bit types compiled without wgmma.
GOALS = {(size, torch.float32): 0.90 for size in SQUARES}
GOALS |= {((16, 4096, 4096), torch.float32): 1.10, ((4096, 4096, 16), torch.float32): 1.10}
GOALS |= {(size, dtype): 0.85 for size in SQUARES[1:] for dtype in [torch.float16, torch.bfloat16]}
PORTABLE_GOAL = 0.55

# Goals that are out of reach so far, for reasons in docs/measurements/, and what there is instead: the lowest that an H100
# or H200 has shown.
KNOWN = {
    "rmsnorm, torch.float32, 1024 x 65536, forward": 0.71,
    "rmsnorm, torch.bfloat16, 1024 x 65536, forward": 0.80,
    "rmsnorm, torch.bfloat16, 2048 x 16384, backward": 0.69,
    "rmsnorm, torch.bfloat16, 1024 x 65536, backward": 0.74,
    "rmsnorm, torch.float32, 8192 x 1001, forward": 0.81,
    "rmsnorm, torch.bfloat16, 8192 x 1001, forward": 0.65,
    "linear, torch.float32, 2048 x 2048 x 2048, forward": 0.82,
    "linear, torch.float32, 4096 x 4096 x 4096, forward": 0.83,
    "linear, torch.float32, 8192 x 8192 x 8192, forward": 0.84,
    "linear, torch.float16, 2048 x 2048 x 2048, forward": 0.81,
    "linear, torch.bfloat16, 2048 x 2048 x 2048, forward": 0.79,
    "linear, torch.float32, 2048 x 2048 x 2048, fused": 0.85,
    "linear, torch.float32, 4096 x 4096 x 4096, fused": 0.85,
    "linear, torch.float32, 8192 x 8192 x 8192, fused": 0.85,
    "normalize, torch.uint8, 512^3, given bounds": 0.95,
    "normalize, torch.int32, 512^3, given bounds": 0.93,  # in double
    "normalize, torch.uint8, 512^3, own bounds": 0.86,
}

muladd = torch.ops.my_ops.muladd.default
muladd_backward = torch.ops.my_ops._muladd_backward.default
rmsnorm = torch.ops.my_ops.rmsnorm.default
rmsnorm_backward = torch.ops.my_ops._rmsnorm_backward.default
gray = torch.ops.my_ops.gray.default
normalize = torch.ops.my_ops.normalize.default
linear = torch.ops.my_ops.linear.default
linear_backward = torch.ops.my_ops._linear_backward.default


class Goals:
    """What was measured next to its goals."""

    def __init__(self):
        self.missed, self.failed = [], []

    def compare(self, case: str, share: float, goal: float, noise: float = NOISE) -> None:
        """Compare a share with its goal, and if that is out of reach so far, with what there was."""
        if share >= goal - noise:
            return
        self.missed.append(f"{case}: {share:.3f}, the goal is {goal:.2f}")
        least = min(KNOWN.get(case, goal), goal) - noise
        if share < least:
            self.failed.append(f"{case}: {share:.3f}, less than {least:.2f}")

    def print(self) -> None:
        for title, lines in {"Missed goals": self.missed, "Failed": self.failed}.items():
            print(f"{title}: {len(lines)}", *lines, sep="\n  ")


def milliseconds(function, *arguments) -> float:
    """Return the median time of the kernels of a call, with a cold L2 cache."""
    return do_bench(lambda: function(*arguments), warmup=50, rep=300, return_mode="median")


def milliseconds_in_graphs(make_calls: Callable, device: str, rounds: int = 9) -> list[float]:
    """Return the median time of each call in a CUDA graph: kernels alone.

    Where tensors lie in memory decides how they share the cache: at some sizes, that is a tenth of
    the time. So each round makes new calls, on tensors in another place, and takes them in
    another order.
    """
    times = defaultdict(list)
    for _ in range(rounds):
        torch.cuda.empty_cache()
        shift = torch.empty(random.randrange(2**20, 2**26), dtype=torch.uint8, device=device)
        calls = make_calls()
        with torch.cuda.stream(torch.cuda.Stream(device)):
            for i in random.sample(range(len(calls)), len(calls)):
                times[i].append(do_bench_cudagraph(calls[i], rep=10, return_mode="median"))
        del shift, calls
    return [statistics.median(times[i]) for i in sorted(times)]


def eager(a, b):
    return a * b + 1.5


def eager_backward(grad_out, a, b):
    return grad_out * b, grad_out * a


def print_shares(numel: int, dtype: torch.dtype, device: str) -> None:
    """Print the bandwidths of both passes, on views of several kinds, over that of a copy."""
    # Three elements fewer: no multiple of a tile. A view from the second on: not aligned.
    views = {"": slice(None), "odd": slice(0, -3), "misaligned": slice(1, None)}
    tensors = [torch.randn(numel, dtype=dtype, device=device) for _ in range(3)]
    target = torch.empty_like(tensors[0])
    copy = 2 * target.nbytes / milliseconds(target.copy_, tensors[0])
    shares = {}
    for name, view in views.items():
        grad_out, a, b = (tensor[view] for tensor in tensors)
        forward = 3 * a.nbytes / milliseconds(muladd, a, b, 1.5)
        backward = 5 * a.nbytes / milliseconds(muladd_backward, grad_out, a, b, 1.5, True, True)
        shares |= {f"{name} forward".strip(): forward, f"{name} backward".strip(): backward}
    compiled = torch.compile(eager, dynamic=False)
    forward = 3 * target.nbytes / milliseconds(compiled, *tensors[:2])
    shares["torch.compile forward"] = forward
    cells = ", ".join(f"{name} {share / copy:.3f}" for name, share in shares.items())
    print(f"{dtype}, {numel} elements, copy {copy / 1e6:.0f} GB/s: {cells}", flush=True)


def print_times(numel: int, dtype: torch.dtype, device: str, sets: int, cache: str) -> None:
    """Print the time of both passes over that of what torch.compile makes of the formula.

    Each pass goes through so many sets of tensors, and then starts again with the first: with one
    set, that may be in the cache.
    """
    compiled = torch.compile(eager, dynamic=False)
    compiled_backward = torch.compile(eager_backward, dynamic=False)

    def make_calls():
        tensors = [
            [torch.randn(numel, dtype=dtype, device=device) for _ in range(3)] for _ in range(sets)
        ]
        compiled(*tensors[0][1:]), compiled_backward(*tensors[0])
        return [
            lambda: [muladd(a, b, 1.5) for _, a, b in tensors],
            lambda: [compiled(a, b) for _, a, b in tensors],
            lambda: [
                muladd_backward(grad_out, a, b, 1.5, True, True) for grad_out, a, b in tensors
            ],
            lambda: [compiled_backward(grad_out, a, b) for grad_out, a, b in tensors],
        ]

    times = milliseconds_in_graphs(make_calls, device)
    forward, their_forward, backward, their_backward = (1e3 * time / sets for time in times)
    print(
        f"{dtype}, {numel} elements, {cache} cache: "
        f"forward {forward:.2f} us, torch.compile {their_forward:.2f}, "
        f"ratio {forward / their_forward:.3f}; "
        f"backward {backward:.2f} us, torch.compile {their_backward:.2f}, "
        f"ratio {backward / their_backward:.3f}",
        flush=True,
    )


def print_rows(device: str, goals: Goals) -> None:
    """Print the shares of both passes of rmsnorm, of eager and of torch.compile."""
    for (count, size), of_dtypes in ROWS.items():
        for dtype, (forward_goal, backward_goal) in of_dtypes.items():
            grad_out, x, target = (
                torch.randn(count, size, dtype=dtype, device=device) for _ in range(3)
            )
            weight = torch.randn(size, dtype=dtype, device=device)

            def eager(x, weight, shape=(size,)):
                return torch.nn.functional.rms_norm(x, shape, weight, 1e-6)

            torch.compiler.reset()
            compiled = torch.compile(eager, dynamic=False)
            copy = 2 * x.nbytes / milliseconds(target.copy_, x)
            shares = {
                "forward": 2 * x.nbytes / milliseconds(rmsnorm, x, weight, 1e-6),
                "eager": 2 * x.nbytes / milliseconds(eager, x, weight),
                "torch.compile": 2 * x.nbytes / milliseconds(compiled, x, weight),
                "backward": 3
                * x.nbytes
                / milliseconds(rmsnorm_backward, grad_out, x, weight, 1e-6, True, True),
            }
            tensors = [x.requires_grad_(), weight.requires_grad_()]
            for name, function in {"eager": eager, "torch.compile": compiled}.items():
                out = function(*tensors)
                time = milliseconds(
                    lambda out=out, tensors=tensors, grad_out=grad_out: torch.autograd.grad(
                        out, tensors, grad_out, retain_graph=True
                    )
                )
                shares[f"{name} backward"] = 3 * x.nbytes / time
            shares = {name: share / copy for name, share in shares.items()}
            cells = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
            case = f"rmsnorm, {dtype}, {count} x {size}"
            print(f"{case}, copy {copy / 1e6:.0f} GB/s: {cells}", flush=True)
            goals.compare(f"{case}, forward", shares["forward"], forward_goal)
            goals.compare(f"{case}, backward", shares["backward"], backward_goal)
            if size * dtype.itemsize % 16 == 0:
                least = 0.97 * shares["torch.compile"]
                goals.compare(f"{case}, next to torch.compile", shares["forward"], least)
                least = shares["torch.compile backward"]
                goals.compare(f"{case}, backward next to torch.compile", shares["backward"], least)


def copy_speed(nbytes: int, device: str) -> float:
    """Return the bytes that a copy moves in a millisecond, of as many in all."""
    source, target = (torch.empty(nbytes // 2, dtype=torch.uint8, device=device) for _ in range(2))
    return nbytes / milliseconds(target.copy_, source)


def values(numel: int, dtype: torch.dtype, device: str) -> torch.Tensor:
    return torch.randint(0, 256, (numel,), dtype=torch.int32, device=device).to(dtype)


def print_images(device: str, goals: Goals) -> None:
    """Print the shares of gray on 8192 x 8192 pixels, from the first elements of memory on."""
    count = 8192 * 8192
    for (dtype, shift), goal in IMAGES.items():
        image = values(3 * count + shift, dtype, device)[shift:].view(8192, 8192, 3)
        moved = 4 * count * dtype.itemsize
        share = moved / milliseconds(gray, image) / copy_speed(moved, device)
        case = f"gray, {dtype}, 8192 x 8192, {shift} elements off"
        print(f"{case}: {share:.3f}", flush=True)
        goals.compare(case, share, goal, noise=0)


def print_volumes(device: str, goals: Goals) -> None:
    """Print the shares of normalize on 512^3 voxels. Its own bounds are one more reading."""
    for (dtype, given), goal in VOLUMES.items():
        volume = values(512**3, dtype, device)
        bounds = (3.0, 200.0) if given else (None, None)
        moved = volume.numel() * ((1 if given else 2) * dtype.itemsize + 4)
        share = moved / milliseconds(normalize, volume, *bounds) / copy_speed(moved, device)
        case = f"normalize, {dtype}, 512^3, {'given' if given else 'own'} bounds"
        print(f"{case}: {share:.3f}", flush=True)
        goals.compare(case, share, goal, noise=0)


def print_products(device: str, goals: Goals, portable: bool) -> None:
    """Print the time of PyTorch's product over that of linear, and of two over that of its gradient.

    `fused` is the time of the product and eager's epilogue over that of linear, `compiled` that of what torch.compile
    makes of both: 1 or more is no slower.
    """

    def eager(a, b, bias, scale):
        return torch.addmm(bias, a, b, alpha=scale)

    def separate(a, b, bias, scale):
        return torch.mm(a, b) * scale + bias

    for rows, depth, columns in PRODUCTS:
        for dtype in [torch.float32, torch.float64, torch.float16, torch.bfloat16]:
            a = torch.randn(rows, depth, dtype=dtype, device=device)
            b = torch.randn(depth, columns, dtype=dtype, device=device)
            bias = torch.randn(columns, dtype=dtype, device=device)
            grad_out = torch.randn(rows, columns, dtype=dtype, device=device)
            product = milliseconds(torch.mm, a, b)
            products = milliseconds(torch.mm, grad_out, b.t()) + milliseconds(
                torch.mm, a.t(), grad_out
            )
            torch.compiler.reset()
            compiled = torch.compile(separate, dynamic=False)
            ours = milliseconds(linear, a, b, bias, 1.5)
            shares = {
                "forward": product / ours,
                "fused": milliseconds(separate, a, b, bias, 1.5) / ours,
                "compiled": milliseconds(compiled, a, b, bias, 1.5) / ours,
                "addmm": product / milliseconds(eager, a, b, bias, 1.5),
                "backward": products
                / milliseconds(linear_backward, grad_out, a, b, bias, 1.5, *[True] * 3),
            }
            cells = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
            speed = 2 * rows * depth * columns / product / 1e9
            case = f"linear, {dtype}, {rows} x {depth} x {columns}"
            print(f"{case}, cuBLAS {speed:.1f} TFLOP/s: {cells}", flush=True)
            if goal := GOALS.get(((rows, depth, columns), dtype)):
                goal = PORTABLE_GOAL if portable and dtype.itemsize == 2 else goal
                goals.compare(f"{case}, forward", shares["forward"], goal)
                if dtype == torch.float32:
                    goals.compare(f"{case}, fused", shares["fused"], 1.0)


def call_once(device: str) -> None:
    """Call each kernel for rows and products once, after a copy of the same rows and PyTorch's own product."""
    for (count, size), dtypes in ROWS.items():
        for dtype in dtypes:
            grad_out, x = (torch.randn(count, size, dtype=dtype, device=device) for _ in range(2))
            weight = torch.randn(size, dtype=dtype, device=device)
            torch.cuda.nvtx.range_push(f"{count} x {size}, {dtype}")
            x.clone()
            rmsnorm(x, weight, 1e-6)
            rmsnorm_backward(grad_out, x, weight, 1e-6, True, True)
            torch.cuda.nvtx.range_pop()
    for rows, depth, columns in PRODUCTS:
        for dtype in [torch.float32, torch.float16, torch.bfloat16]:
            a = torch.randn(rows, depth, dtype=dtype, device=device)
            b = torch.randn(depth, columns, dtype=dtype, device=device)
            bias = torch.randn(columns, dtype=dtype, device=device)
            torch.cuda.nvtx.range_push(f"{rows} x {depth} x {columns}, {dtype}")
            torch.mm(a, b)
            linear(a, b, bias, 1.5)
            torch.cuda.nvtx.range_pop()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda", help="which GPU (default: cuda)")
    parser.add_argument(
        "--largest", type=int, default=2**28, metavar="N", help="elements (default: 2^28)"
    )
    kernels = ["elementwise", "rowwise", "matmul", "image", "volume"]
    parser.add_argument("--kernels", nargs="+", choices=kernels, default=kernels)
    parser.add_argument(
        "--once", action="store_true", help="call rowwise kernels and products once, for ncu"
    )
    parser.add_argument(
        "--portable", action="store_true", help="products are compiled without wgmma, for 9.0"
    )
    options = parser.parse_args()
    random.seed(0)
    if options.once:
        call_once(options.device)
        return 0
    print(my_ops.__name__, torch.__version__, torch.cuda.get_device_name(options.device))
    goals = Goals()
    if "rowwise" in options.kernels:
        print_rows(options.device, goals)
    if "image" in options.kernels:
        print_images(options.device, goals)
    if "volume" in options.kernels:
        print_volumes(options.device, goals)
    if "matmul" in options.kernels:
        print_products(options.device, goals, options.portable)
    if "elementwise" in options.kernels:
        print_elementwise(options)
    goals.print()
    return 1 if goals.failed else 0


def print_elementwise(options: argparse.Namespace) -> None:
    """Print shares and times of muladd."""
    for dtype in DTYPES:
        print_shares(options.largest, dtype, options.device)
        torch.compiler.reset()
    for dtype in DTYPES:
        for numel in SIZES:
            # Backward reads and writes five tensors.
            cold_sets = -(-COLD_BYTES // (5 * numel * dtype.itemsize))
            if cold_sets > 1:
                print_times(numel, dtype, options.device, 1, "warm")
            print_times(numel, dtype, options.device, cold_sets, "cold")
            torch.compiler.reset()


if __name__ == "__main__":
    sys.exit(main())
