"""Measures kernels of rows on a GPU, as shares of a copy of as many bytes in the same run.

    python tools/render_checkout.py rendered --edits
    pip install --no-build-isolation rendered/rows
    python tools/measure_rows.py

The project has the operators of `tests/lib/row_edits.py`. Prints each share beside its goal, and with --compile the time
of what torch.compile makes of a cross-entropy and its gradient, which is not to be less. A minute; exits with 1 if a goal
is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import my_ops  # noqa: F401
import torch
from triton.testing import do_bench

NAMESPACE = torch.ops.my_ops
# Rows, columns and the goal.
SHORT = [
    *(
        (rows, columns, 0.97)
        for rows, columns in [(1_000_003, 64), (32_768, 128), (1_048_576, 128)]
    ),
    *((rows, columns, 0.97) for rows, columns in [(65_536, 256), (16_384, 1024), (8192, 4096)]),
    *((rows, columns, 0.97) for rows, columns in [(4096, 8192), (2048, 16_384)]),
    (8192, 1001, 0.80),
]
LONG = [
    (32_768, 32_768, 0.97),
    (32_768, 65_536, 0.97),
    (16_384, 131_072, 0.97),
    (8192, 262_144, 0.93),
]
MIDDLE = [(32_768, 1024, 0.95), (32_768, 4096, 0.95), (32_768, 8192, 0.95), (8192, 16_384, 0.95)]


def time(call: Callable) -> float:
    """Return the median milliseconds of a call, with a cold L2 cache."""
    return do_bench(call, warmup=20, rep=80, return_mode="median")


def copy_time(nbytes: int) -> float:
    source = torch.empty(nbytes // 2, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    return time(lambda: target.copy_(source))


def rms_norm(rows: int, columns: int, dtype: torch.dtype) -> tuple[Callable, int]:
    x = torch.randn(rows, columns, dtype=dtype, device="cuda")
    weight = torch.randn(columns, dtype=dtype, device="cuda")
    return lambda: NAMESPACE.rms_norm(x, weight, 1e-6), 2 * x.nbytes


def softmax(rows: int, columns: int, dtype: torch.dtype) -> tuple[Callable, int]:
    x = torch.randn(rows, columns, dtype=dtype, device="cuda")
    return lambda: NAMESPACE.softmax(x), 2 * x.nbytes


def add_rms_norm(rows: int, columns: int, dtype: torch.dtype) -> tuple[Callable, int]:
    x, residual = (torch.randn(rows, columns, dtype=dtype, device="cuda") for _ in range(2))
    weight = torch.randn(columns, dtype=dtype, device="cuda")
    return lambda: NAMESPACE.add_rms_norm(x, residual, weight, 1e-6), 4 * x.nbytes


def quantize(op: str, limit: float) -> Callable:
    def case(rows: int, columns: int, dtype: torch.dtype) -> tuple[Callable, int]:
        x = torch.randn(rows, columns, dtype=dtype, device="cuda")
        return lambda: getattr(NAMESPACE, op)(x, limit), x.nbytes + x.numel()

    return case


def targets(rows: int, columns: int, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    logits = torch.randn(rows, columns, dtype=dtype, device="cuda")
    return logits, torch.randint(columns, (rows,), device="cuda")


def cross_entropy(rows: int, columns: int, dtype: torch.dtype) -> tuple[Callable, int]:
    logits, target = targets(rows, columns, dtype)
    return lambda: NAMESPACE.cross_entropy(logits, target, 0.0, -100), logits.nbytes


def cross_entropy_with_gradient(
    rows: int, columns: int, dtype: torch.dtype
) -> tuple[Callable, int]:
    """The two kernels, without autograd's own microseconds."""
    logits, target = targets(rows, columns, dtype)
    of_loss, of_lse = torch.ones(rows, device="cuda"), torch.zeros(rows, device="cuda")

    def call():
        _, lse = NAMESPACE.cross_entropy(logits, target, 0.0, -100)
        return NAMESPACE.cross_entropy_grad(logits, target, lse, of_loss, of_lse, 0.0, -100)

    return call, 3 * logits.nbytes


def compiled_cross_entropy(rows: int, columns: int, dtype: torch.dtype) -> float:
    """Return the time of what torch.compile makes of the same."""
    logits, target = targets(rows, columns, dtype)
    logits.requires_grad_()
    function = torch.compile(torch.nn.functional.cross_entropy, fullgraph=True)

    def call():
        logits.grad = None
        function(logits, target, reduction="none").sum().backward()

    return time(call)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--compile", action="store_true", help="also what torch.compile makes of it"
    )
    parser.add_argument("--ops", nargs="+", help="the cases that are measured (default: all)")
    options = parser.parse_args()
    both, bfloat16 = [torch.float32, torch.bfloat16], [torch.bfloat16]
    with_gradient = [(rows, columns, 0.90) for rows, columns, _ in LONG]
    cases = {
        "rms_norm": (rms_norm, SHORT + LONG, both),
        "softmax": (softmax, LONG, bfloat16),
        "cross_entropy": (cross_entropy, [(*x[:2], 0.97) for x in LONG], bfloat16),
        "cross_entropy and gradient": (cross_entropy_with_gradient, with_gradient, bfloat16),
        "quantize_int8": (quantize("quantize_int8", 127.0), MIDDLE, bfloat16),
        "quantize_fp8": (quantize("quantize_fp8", 448.0), MIDDLE, bfloat16),
        "add_rms_norm": (add_rms_norm, MIDDLE, both),
    }
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    print(f"{'case':28} {'dtype':9} {'rows x columns':>17} {'us':>9} {'share':>6} {'goal':>5}")
    missed = 0
    for name, (case, sizes, dtypes) in cases.items():
        if options.ops and name not in options.ops:
            continue
        for dtype in dtypes:
            for rows, columns, goal in sizes:
                call, nbytes = case(rows, columns, dtype)
                milliseconds = time(call)
                del call
                torch.cuda.empty_cache()
                share = copy_time(nbytes) / milliseconds
                missed += share < goal
                size, short = f"{rows} x {columns}", str(dtype).removeprefix("torch.")
                line = f"{name:28} {short:9} {size:>17} {milliseconds * 1e3:9.1f} {share:6.3f} {goal:5.2f}"
                if options.compile and case is cross_entropy_with_gradient:
                    theirs = compiled_cross_entropy(rows, columns, dtype)
                    line += f"  torch.compile {theirs * 1e3:.1f} us"
                    missed += milliseconds > theirs
                torch.cuda.empty_cache()
                print(f"{line}{' missed' if share < goal else ''}", flush=True)
    print(f"{missed} goals missed")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
