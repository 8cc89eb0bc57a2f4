"""How operators are timed, the same for all of them.

What limits most operators is memory: what counts is the share of the bandwidth that a copy of as
many bytes reaches on the same machine in the same run.
"""

import argparse
import json
import platform
import re
from datetime import datetime, timezone
from functools import partial
from importlib import import_module
from itertools import groupby, takewhile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

import torch
from torch.utils.benchmark import Measurement, TaskSpec, Timer

try:
    import matplotlib
except ModuleNotFoundError:
    raise SystemExit("the benchmark needs: pip install matplotlib") from None

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
    start, before = perf_counter(), getrusage(RUSAGE_SELF).ru_nivcsw
    found = timer.blocked_autorange(min_run_time=0.2)
    taken = getrusage(RUSAGE_SELF).ru_nivcsw - before
    found.metadata = taken / threads / (perf_counter() - start)
    return found


def is_doubtful(measurement):
    """Whether the times differ by a tenth, or other programs may have had as much of them.

    Of the spread, it is PyTorch's own bound. With fewer cores than threads, all calls may wait, and
    have no spread. So it counts, too, how often in a second a thread lost its core, for up to 4 ms.
    """
    return not measurement.meets_confidence() or (measurement.metadata or 0) > 25


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


def kernel(op, name, args, device):
    """Return a call of a pass without autograd and, on a GPU, without the host, or None."""
    registered = getattr(torch.ops.my_ops, op.__name__).default
    call = partial(registered, *args)
    if name == "backward":
        gradient = getattr(import_module(op.__module__), "_backward_op", None)
        if gradient is None:
            return None  # it is the reference's
        grad_outs = [torch.randn_like(x) for x in as_list(call())]
        given = {x.name: value for x, value in zip(registered._schema.arguments, args)}
        rest = gradient._schema.arguments[len(grad_outs) :]  # last, what is needed: all
        call = partial(gradient, *grad_outs, *(given.get(x.name, True) for x in rest))
    if device == "cpu":
        return call
    call()  # what is done once
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def kept_bytes(function, args):
    """Return how much memory a call keeps for its gradient, arguments included."""
    storages = {}

    def keep(x):
        storages[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes()
        return x

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        out = function(*args)  # as long as it lives, so does all of this
        del out
    return sum(storages.values())


def measure(op, reference, args, name, work_of, limit, unit, device):
    """Return the speeds of a pass."""
    torch.compiler.reset()
    compiled = torch.compile(reference, dynamic=False)
    candidates = {"op": op, "eager": reference, "torch.compile": compiled}
    make_call = backward if name == "backward" else partial
    calls = {key: make_call(function, *args) for key, function in candidates.items()}
    with torch.no_grad():
        calls["kernel"] = kernel(op, name, args, device) or calls["op"]
        work = dict.fromkeys(calls, work_of[name](args))
        work[limit.__name__], calls[limit.__name__] = limit(args, work["op"], device)
        times = {key: clock(call, device) for key, call in calls.items()}
        call = times["op"] if device == "cpu" else clock(calls["op"], "cpu")
    row = {
        unit: {key: work[key] / x.median / 1e9 for key, x in times.items()},
        "spread": {key: x.iqr / x.median for key, x in times.items()},
        "doubtful": [key for key, x in times.items() if is_doubtful(x)],
    }
    row["bound by the host"] = times["kernel"].median < call.median / 2
    if name == "backward":
        row["kept bytes"] = {key: kept_bytes(candidates[key], args) for key in ("op", "eager")}
    return row


def print_row(numel, row, limit, unit):
    speed, line = row[unit], f"{numel:11,}"
    for key in ["op", "eager", "torch.compile", limit.__name__]:
        spread = f"±{min(row['spread'][key], 0.99):.0%}{'!' * (key in row['doubtful'])}"
        digits = "3g" if speed[key] < 1 else "1f" if speed[key] < 1e5 else "0f"
        line += f"{speed[key]:8.{digits}}{spread:5}"
    for key, other in [("kernel", limit.__name__), ("op", "eager")]:
        doubtful = key in row["doubtful"] or other in row["doubtful"]
        line += f"{'-':>8}" if doubtful else f"{speed[key] / speed[other]:8.2f}"
    print(line, flush=True)


def bound_by_the_host(rows):
    """Return the number of elements up to which the host bounds the calls, or None."""
    return max(
        (x["numel"] for x in takewhile(lambda x: x["bound by the host"], rows)),
        default=None,
    )


def print_end(rows):
    """Say of a pass and dtype what no row has."""
    if bound := bound_by_the_host(rows):
        print(f"bound by the host up to {bound:,} elements: the kernel takes less than half")
    kept = rows[-1].get("kept bytes", {"eager": 0})
    if kept["eager"]:  # a formula such as 2 * x keeps nothing
        print(f"keeps {kept['op'] / kept['eager']:.2f} of the memory that eager keeps")


def plot(rows, limit, unit, title, path, name_of_op):
    """Draw speed over size, a panel for each pass and dtype, with the limit."""
    matplotlib.use("agg")
    from matplotlib import pyplot

    groups = groupby(rows, lambda row: f"{row['pass']}, {row['dtype']}")
    panels = {heading: list(panel) for heading, panel in groups}
    lines = len({row["pass"] for row in rows})
    columns = len(panels) // lines
    size = 4 * columns, 3.2 * lines
    figure, axes = pyplot.subplots(
        lines, columns, figsize=size, squeeze=False, sharex=True, sharey=True, layout="constrained"
    )
    styles = {
        limit.__name__: {"color": "0.6", "linestyle": "--"},
        "eager": {"color": "tab:blue", "marker": "."},
        "torch.compile": {"color": "tab:orange", "marker": "."},
        "kernel": {"color": "tab:green", "linestyle": ":", "label": "its kernel alone"},
        "op": {"color": "tab:green", "marker": "o", "linewidth": 2, "label": name_of_op},
    }
    labels = {}
    for axis, (heading, panel) in zip(axes.flat, panels.items()):
        sizes = [row["numel"] for row in panel]
        if bound := bound_by_the_host(panel):
            axis.axvspan(sizes[0] / 2, bound, color="0.93", label="bound by the host")
        for key, style in styles.items():
            axis.plot(sizes, [row[unit][key] for row in panel], **{"label": key} | style)
        axis.set(xscale="log", title=heading)
        axis.grid(alpha=0.3)
        labels |= {text: handle for handle, text in zip(*axis.get_legend_handles_labels())}
    axes[0][0].set_ylim(bottom=0)  # of all panels, so after the last curve
    for axis in axes[-1]:
        axis.set_xlabel("elements")
    for line in axes:
        line[0].set_ylabel(f"{unit}, more is better")
    width = min(columns + 1, 3)
    figure.legend(labels.values(), labels.keys(), loc="outside lower center", ncols=width)
    figure.suptitle(title)
    figure.savefig(path, dpi=120)


def machine_name(device):
    """Return the name of the GPU, or of the CPU with the number of its threads."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    info = Path("/proc/cpuinfo")  # on Linux; elsewhere, and on ARM, Python knows as much
    text = info.read_text() if info.exists() else ""
    models = re.findall(r"^model name\s*: (.+)$", text, re.MULTILINE)
    name = models[0] if models else platform.processor() or platform.machine()
    return f"{name}, {torch.get_num_threads()} threads"


def write(rows, limit, unit, op, device, folder):
    """Write what was measured, and its picture."""
    record = {
        "machine": machine_name(device),
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "rows": rows,
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{op.__name__}_{device}.json"
    path.write_text(json.dumps(record, indent=1))
    title = f"{op.__name__}, torch {torch.__version__}\n{record['machine']}"
    plot(rows, limit, unit, title, path.with_suffix(".png"), op.__name__)
    print(f"written: {path} and .png")


def main(
    op,
    reference,
    make_args,
    work_of=None,
    limit=copy,
    unit="GB/s",
    dtypes=FLOATS,
    timed=TIMED,
):
    """Run the benchmark's command line.

    Args:
        op: The operator's public function.
        reference: The same with PyTorch's own operators.
        make_args: From (numel, dtype, device, requires_grad) to the arguments of both.
        work_of: For each pass, the function from the arguments to the bytes it has to move, or to
            what else the limit counts; by default, the bytes of each tensor once.
        limit: What limits it: from (args, work, device) to its work and a call of it.
        unit: 1e9 of what the work is counted in, in a second.
        dtypes: Those that it takes.
        timed: Those of them that are timed if the command line names none.
    """
    work_of = work_of or bytes_of(op)
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    parser = argparse.ArgumentParser(description=f"Times {op.__name__} on an idle machine.")
    add = parser.add_argument
    add("--device", choices=devices, default=devices[-1], help="(default: %(default)s)")
    which = f"of {', '.join(dtypes)} (default: {' '.join(timed)})"
    add("--dtypes", nargs="+", choices=dtypes, default=timed, metavar="DTYPE", help=which)
    powers = "numbers of elements (default: powers of four up to 2^28 on a GPU, 2^24 on a CPU)"
    add("--sizes", nargs="+", type=int, metavar="N", help=powers)
    folder = Path(__file__).parent / "results"
    add("--out", type=Path, default=folder, help="the folder for results")
    options = parser.parse_args()
    largest = 28 if options.device == "cuda" else 24
    sizes = options.sizes or [2**power for power in range(12, largest + 1, 2)]

    print(f"{op.__name__}, torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(f"{unit}, more is better, ± distance between quartiles; ! is not compared")
    print(f"share: of the {limit.__name__}, by the kernel alone; gain: times as fast as eager")
    heads = "".join(f"{key:>8}     " for key in ["op", "eager", "compile", limit.__name__])
    every_row = []
    for name in work_of:
        for dtype in options.dtypes:
            print(f"\n{name}, {dtype}\n   elements{heads}   share    gain")
            rows = []
            for numel in sizes:
                args = make_args(numel, getattr(torch, dtype), options.device, requires_grad=True)
                row = measure(op, reference, args, name, work_of, limit, unit, options.device)
                print_row(numel, row, limit, unit)
                rows.append({"dtype": dtype, "numel": numel, "pass": name} | row)
            print_end(rows)
            every_row += rows
    write(every_row, limit, unit, op, options.device, options.out)
