"""How operators are timed, the same for all of them.

What limits most operators is memory: what counts is the share of the bandwidth that a copy of as
many bytes reaches on the same machine in the same run.
"""

import argparse
from functools import partial
from importlib import import_module
from time import perf_counter

import torch
from torch.utils.benchmark import Measurement, TaskSpec, Timer

FLOATS = ("float32", "float64", "float16", "bfloat16")
TIMED = ("float32", "float16")


def copy(args, nbytes, device):
    """Return `nbytes`, and a call that copies so many in all: it reads half and writes half."""
    source = torch.randint(256, (nbytes // 2,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return nbytes, lambda: target.copy_(source)


def clock(function, device):
    """Time calls; on a GPU, of one its kernels from first to last, with a cold L2 cache."""
    if device == "cuda":
        from triton.testing import do_bench

        times = do_bench(function, warmup=20, rep=100, return_mode="all")
        return Measurement(1, [x / 1e3 for x in times], TaskSpec("function()", ""))
    function()  # what is done once, such as to compile it
    threads = torch.get_num_threads()
    timer = Timer("function()", timer=perf_counter, globals=locals(), num_threads=threads)
    return timer.blocked_autorange(min_run_time=0.2)


def as_list(out):
    return list(out) if isinstance(out, tuple) else [out]


def backward(function, *args):
    tensors = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
    outs = [x for x in as_list(function(*args)) if x.requires_grad]
    grad_outs = [torch.randn_like(x) for x in outs]
    return lambda: torch.autograd.grad(outs, tensors, grad_outs, retain_graph=True)


def bytes_of(op):
    """Count for each pass what it has to move, for it reads or writes each of its tensors once."""

    def moved(args):
        tensors = [x for x in [*args, *as_list(op(*args))] if isinstance(x, torch.Tensor)]
        return sum({x.data_ptr(): x.nbytes for x in tensors}.values())

    def moved_backward(args):
        return moved(args) + sum(x.nbytes for x in args if torch.is_tensor(x) and x.requires_grad)

    passes = {"forward": moved}
    if hasattr(import_module(op.__module__), "_backward_op"):
        passes["backward"] = moved_backward
    return passes


def measure(op, reference, args, name, work_of, limit, unit, device):
    """Return the speeds of a pass."""
    torch.compiler.reset()
    compiled = torch.compile(reference, dynamic=False)
    candidates = {"op": op, "eager": reference, "torch.compile": compiled}
    make_call = backward if name == "backward" else partial
    calls = {key: make_call(function, *args) for key, function in candidates.items()}
    with torch.no_grad():
        work = dict.fromkeys(calls, work_of[name](args))
        work[limit.__name__], calls[limit.__name__] = limit(args, work["op"], device)
        times = {key: clock(call, device) for key, call in calls.items()}
    return {
        unit: {key: work[key] / x.median / 1e9 for key, x in times.items()},
        "spread": {key: x.iqr / x.median for key, x in times.items()},
        "doubtful": [key for key, x in times.items() if not x.meets_confidence()],
    }


def print_row(numel, row, limit, unit):
    speed, line = row[unit], f"{numel:11,}"
    for key in ["op", "eager", "torch.compile", limit.__name__]:
        spread = f"±{min(row['spread'][key], 0.99):.0%}{'!' * (key in row['doubtful'])}"
        digits = "3g" if speed[key] < 1 else "1f" if speed[key] < 1e5 else "0f"
        line += f"{speed[key]:8.{digits}}{spread:5}"
    for key, other in [("op", limit.__name__), ("op", "eager")]:
        doubtful = key in row["doubtful"] or other in row["doubtful"]
        line += f"{'-':>8}" if doubtful else f"{speed[key] / speed[other]:8.2f}"
    print(line, flush=True)


def main(op, reference, make_args, work_of=None, limit=copy, unit="GB/s"):
    """Run the benchmark's command line.

    Args:
        op: The operator's public function.
        reference: The same with PyTorch's own operators.
        make_args: From (numel, dtype, device, requires_grad) to the arguments of both.
        work_of: For each pass, the function from the arguments to the bytes it has to move, or to
            what else the limit counts; by default, the bytes of each tensor once.
        limit: What limits it: from (args, work, device) to its work and a call of it.
        unit: 1e9 of what the work is counted in, in a second.
    """
    work_of = work_of or bytes_of(op)
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    parser = argparse.ArgumentParser(description=f"Times {op.__name__} on an idle machine.")
    add = parser.add_argument
    add("--device", choices=devices, default=devices[-1], help="(default: %(default)s)")
    which = f"of {', '.join(FLOATS)} (default: {' '.join(TIMED)})"
    add("--dtypes", nargs="+", choices=FLOATS, default=TIMED, metavar="DTYPE", help=which)
    powers = "numbers of elements (default: powers of four up to 2^28 on a GPU, 2^24 on a CPU)"
    add("--sizes", nargs="+", type=int, metavar="N", help=powers)
    options = parser.parse_args()
    largest = 28 if options.device == "cuda" else 24
    sizes = options.sizes or [2**power for power in range(12, largest + 1, 2)]

    print(f"{op.__name__}, torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(f"{unit}, more is better, ± distance between quartiles; ! is not compared")
    print(f"share: of the {limit.__name__}; gain: times as fast as eager")
    heads = "".join(f"{key:>8}     " for key in ["op", "eager", "compile", limit.__name__])
    for name in work_of:
        for dtype in options.dtypes:
            print(f"\n{name}, {dtype}\n   elements{heads}   share    gain")
            for numel in sizes:
                args = make_args(numel, getattr(torch, dtype), options.device, requires_grad=True)
                row = measure(op, reference, args, name, work_of, limit, unit, options.device)
                print_row(numel, row, limit, unit)
