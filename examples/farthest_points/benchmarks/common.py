"""How operators are timed, and what is written of it, the same for all of them.

What limits most operators is memory: what counts is the share of the bandwidth that a copy of as
many bytes reaches on the same machine in the same run.
"""

import argparse
import json
import platform
import re
from collections.abc import Callable
from datetime import datetime, timezone
from inspect import signature
from itertools import groupby, takewhile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import NamedTuple

import torch
from torch.utils.benchmark import Measurement, TaskSpec, Timer

try:
    from tqdm import tqdm
except ModuleNotFoundError:
    raise SystemExit("the benchmark needs: pip install matplotlib tqdm") from None


class Limit(NamedTuple):
    """What an operator is compared with: from (args, work, device), its work and a call of it."""

    name: str
    unit: str  # 1e9 of what the work is counted in, in a second
    call: Callable


def copy(args, nbytes, device):
    """Return a copy that reads and writes `nbytes` in all."""
    source = torch.randint(256, (nbytes // 2,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return nbytes, lambda: target.copy_(source)


def clock(function, device):
    """Time calls; on a GPU, of one its kernels from first to last, with a cold L2 cache."""
    if device == "cuda":
        from triton.testing import do_bench

        times = do_bench(function, warmup=20, rep=100, return_mode="all")
        return Measurement(1, [x / 1e3 for x in times], TaskSpec("function()", ""))
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


def by_position(function, op):
    """Let a function take an operator's keyword-only arguments behind the others."""
    names = [x.name for x in signature(op).parameters.values() if x.kind is x.KEYWORD_ONLY]
    if not names:
        return function
    count = len(names)
    return lambda *args: function(*args[:-count], **dict(zip(names, args[-count:])))


def as_list(out):
    return list(out) if isinstance(out, tuple) else [out]


def forward(function, args):
    def call():
        with torch.no_grad():
            return function(*args)

    return call


def backward(function, args):
    tensors = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
    outs = [x for x in as_list(function(*args)) if x.requires_grad]
    grad_outs = [torch.randn_like(x) for x in outs]
    return lambda: torch.autograd.grad(outs, tensors, grad_outs, retain_graph=True)


PASSES = {"forward": forward, "backward": backward}


def bytes_of(op):
    """Count for each pass what it has to move, for it reads or writes each of its tensors once."""

    def moved(args):
        tensors = [*args, *as_list(forward(by_position(op, op), args)())]
        return sum({x.data_ptr(): x.nbytes for x in tensors if torch.is_tensor(x)}.values())

    def moved_backward(args):
        return moved(args) + sum(x.nbytes for x in args if torch.is_tensor(x) and x.requires_grad)

    namespace = getattr(torch.ops, op.__module__.partition(".")[0])
    has_gradient = hasattr(namespace, f"{op.__name__}_backward")
    return {"forward": moved} | ({"backward": moved_backward} if has_gradient else {})


def kernel(op, name, args, device):
    """Return a call of a pass without autograd and, on a GPU, without the host, or None."""
    namespace = getattr(torch.ops, op.__module__.partition(".")[0])
    registered = getattr(namespace, op.__name__).default
    call = forward(by_position(registered, op), args)
    if name == "backward":
        if not hasattr(namespace, f"{op.__name__}_backward"):
            return None  # the gradient is the reference's
        gradient = getattr(namespace, f"{op.__name__}_backward").default
        grad_outs = [torch.randn_like(x) for x in as_list(call())]
        given = {x.name: value for x, value in zip(registered._schema.arguments, args)}
        rest = gradient._schema.arguments[len(grad_outs) :]  # at the end, what is needed: all
        call = forward(gradient, [*grad_outs, *(given.get(x.name, True) for x in rest)])
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


def measure(op, reference, make_args, work_of, limit, device, dtype, numel):
    """Yield a row of speeds for each pass."""
    args = make_args(numel, getattr(torch, dtype), device, requires_grad=True)
    reference = by_position(reference, op)
    torch.compiler.reset()
    candidates = {
        "op": by_position(op, op),
        "eager": reference,
        "torch.compile": torch.compile(reference, dynamic=False),
    }
    for name in work_of:
        calls = {key: PASSES[name](function, args) for key, function in candidates.items()}
        calls["kernel"] = kernel(op, name, args, device) or calls["op"]
        work = dict.fromkeys(calls, work_of[name](args))
        work[limit.name], calls[limit.name] = limit.call(args, work["op"], device)
        times = {key: clock(call, device) for key, call in calls.items()}
        call = times["op"] if device == "cpu" else clock(calls["op"], "cpu")
        row = {
            "dtype": dtype,
            "numel": numel,
            "pass": name,
            limit.unit: {key: work[key] / x.median / 1e9 for key, x in times.items()},
            "spread": {key: x.iqr / x.median for key, x in times.items()},
            "doubtful": [key for key, x in times.items() if is_doubtful(x)],
            "bound by the host": times["kernel"].median < call.median / 2,
        }
        if name == "backward":
            row["kept bytes"] = {key: kept_bytes(candidates[key], args) for key in ("op", "eager")}
        yield row


def panels(rows):
    """Yield the title of each pass and dtype, its rows, and up to where the host bounds a call."""
    for title, panel in groupby(rows, lambda row: f"{row['pass']}, {row['dtype']}"):
        panel = list(panel)
        bound = [row["numel"] for row in takewhile(lambda row: row["bound by the host"], panel)]
        yield title, panel, max(bound, default=None)


def print_table(rows, limit, title):
    print(f"{title}\n{limit.unit}, more is better, ± the distance between the quartiles")
    print(f"share: of the {limit.name}, by the kernel alone; gain: times as fast as eager")
    columns = ["op", "eager", "torch.compile", limit.name]
    heads = "".join(f"{key.removeprefix('torch.'):>8}     " for key in columns)
    for heading, panel, bound in panels(rows):
        print(f"\n{heading}\n   elements{heads}   share    gain")
        for row in panel:
            speed, line = row[limit.unit], f"{row['numel']:11,}"
            for key in columns:
                spread = f"±{min(row['spread'][key], 0.99):.0%}{'!' * (key in row['doubtful'])}"
                line += f"{speed[key]:8.{1 if speed[key] < 1e5 else 0}f}{spread:5}"
            for key, other in [("kernel", limit.name), ("op", "eager")]:
                doubtful = key in row["doubtful"] or other in row["doubtful"]
                line += f"{'-':>8}" if doubtful else f"{speed[key] / speed[other]:8.2f}"
            print(line)
        if bound:
            print(f"bound by the host up to {bound:,} elements: the kernel takes less than half")
        kept = panel[-1].get("kept bytes", {"eager": 0})
        if kept["eager"]:  # a formula such as 2 * x keeps nothing
            print(f"keeps {kept['op'] / kept['eager']:.2f} of the memory that eager keeps")
    if any(row["doubtful"] for row in rows):
        print("\n!: not to be compared: times differ by a tenth, or other programs took cores")


def plot(rows, limit, title, path, name_of_op):
    """Draw speed over size, a panel for each pass and dtype, with the limit."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    found = list(panels(rows))
    lines = len({row["pass"] for row in rows})
    columns = len(found) // lines
    size = 4 * columns, 3.2 * lines
    figure, axes = pyplot.subplots(
        lines, columns, figsize=size, squeeze=False, sharex=True, sharey=True, layout="constrained"
    )
    styles = {
        limit.name: {"color": "0.6", "linestyle": "--"},
        "eager": {"color": "tab:blue", "marker": "."},
        "torch.compile": {"color": "tab:orange", "marker": "."},
        "kernel": {"color": "tab:green", "linestyle": ":", "label": "its kernel alone"},
        "op": {"color": "tab:green", "marker": "o", "linewidth": 2, "label": name_of_op},
    }
    labels = {}
    for axis, (heading, panel, bound) in zip(axes.flat, found):
        sizes = [row["numel"] for row in panel]
        if bound:
            axis.axvspan(sizes[0] / 2, bound, color="0.93", label="bound by the host")
        for key, style in styles.items():
            axis.plot(sizes, [row[limit.unit][key] for row in panel], **{"label": key} | style)
        axis.set(xscale="log", title=heading)
        axis.grid(alpha=0.3)
        labels |= {text: handle for handle, text in zip(*axis.get_legend_handles_labels())}
    axes[0][0].set_ylim(bottom=0)  # of all panels, so after the last curve
    for axis in axes[-1]:
        axis.set_xlabel("elements")
    for line in axes:
        line[0].set_ylabel(f"{limit.unit}, more is better")
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


COPY = Limit("copy", "GB/s", copy)
FLOATS = ("float32", "float64", "float16", "bfloat16")
TIMED = ("float32", "float16")


def main(op, reference, make_args, work_of=None, limit=COPY, dtypes=FLOATS, timed=TIMED):
    """Run the benchmark's command line.

    Args:
        op: The operator's public function.
        reference: The same with PyTorch's own operators.
        make_args: From (numel, dtype, device, requires_grad) to the arguments of both.
        work_of: For each pass, the function from the arguments to the bytes it has to move, or to
            what else the limit counts; by default, the bytes of each tensor once.
        limit: What limits the operator.
        dtypes: Those that it takes.
        timed: Those of them that are timed if the command line names none.
    """
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(
        description=f"Times {op.__name__} against plain PyTorch, torch.compile and a {limit.name}."
    )
    add = parser.add_argument
    device = "cuda" if cuda else "cpu"
    add("--device", choices=["cpu", "cuda"], default=device, help=f"(default: {device})")
    which = f"{', '.join(dtypes)} (default: {' '.join(timed)})"
    add("--dtypes", nargs="+", choices=dtypes, default=timed, metavar="DTYPE", help=which)
    powers = "numbers of elements (default: powers of four up to 2^28 on a GPU, 2^24 on a CPU)"
    add("--sizes", nargs="+", type=int, metavar="N", help=powers)
    folder = Path(__file__).parent / "results"
    where = "the folder for results (default: results/ beside this file)"
    add("--out", type=Path, default=folder, help=where)
    options = parser.parse_args()
    if options.device == "cuda" and not cuda:
        parser.error("--device cuda: PyTorch finds no GPU here; use --device cpu")
    largest = 28 if options.device == "cuda" else 24
    sizes = options.sizes or [2**power for power in range(12, largest + 1, 2)]

    work_of = work_of or bytes_of(op)
    cases = [(dtype, numel) for dtype in options.dtypes for numel in sizes]
    rows = []
    for dtype, numel in tqdm(cases, unit="case", desc=op.__name__):
        rows += measure(op, reference, make_args, work_of, limit, options.device, dtype, numel)
    rows.sort(key=lambda row: row["pass"], reverse=True)

    machine = machine_name(options.device)
    title = f"{op.__name__}, torch {torch.__version__}\n{machine}"
    print_table(rows, limit, title)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{op.__name__}_{options.device}.json"
    record = {
        "machine": machine,
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "rows": rows,
    }
    path.write_text(json.dumps(record, indent=1))
    print(f"written: {path}")
    picture = path.with_suffix(".png")
    plot(rows, limit, title, picture, op.__name__)
    print(f"written: {picture}")
