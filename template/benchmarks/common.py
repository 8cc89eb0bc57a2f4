"""Timing, table, JSON and plot, the same for every operator.

What limits most operators is memory: what counts is the share of the bandwidth that a copy of as
many bytes reaches on the same machine in the same run.
"""

import argparse
import json
import math
import platform
import re
from collections.abc import Callable
from datetime import datetime, timezone
from inspect import signature
from pathlib import Path
from typing import NamedTuple

import torch
from torch.utils.benchmark import Timer
from tqdm import tqdm


def seconds(function, device):
    """Return the median time of a call; on a GPU, of its kernels, with a cold L2 cache."""
    if device == "cuda":
        from triton.testing import do_bench

        return do_bench(function, warmup=20, rep=100, return_mode="median") / 1e3
    timer = Timer("function()", globals={"function": function}, num_threads=torch.get_num_threads())
    return timer.blocked_autorange(min_run_time=0.2).median


class Limit(NamedTuple):
    """What an operator is compared with: its speed from (args, work, device), a second."""

    name: str
    unit: str  # 1e9 of what the work is counted in
    speed: Callable


def copy(args, nbytes, device):
    """Return the speed of a copy that reads and writes `nbytes` in all."""
    source = torch.randint(256, (nbytes // 2,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return nbytes / seconds(lambda: target.copy_(source), device)


def forward(function, args):
    def call():
        with torch.no_grad():
            return function(*args)

    return call


def backward(function, args):
    tensors = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
    out = function(*args)
    outs = [x for x in (out if isinstance(out, tuple) else [out]) if x.requires_grad]
    grad_outs = [torch.randn_like(x) for x in outs]
    return lambda: torch.autograd.grad(outs, tensors, grad_outs, retain_graph=True)


def by_position(function, op):
    """Let a function take an operator's keyword-only arguments behind the others."""
    parameters = signature(op).parameters.values()
    names = [x.name for x in parameters if x.kind is x.KEYWORD_ONLY]
    count = len(parameters) - len(names)

    def call(*args):
        return function(*args[:count], **dict(zip(names, args[count:])))

    return call if names else function


PASSES = {"forward": forward, "backward": backward}


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
    op, reference = by_position(op, op), by_position(reference, op)
    torch.compiler.reset()
    candidates = {
        "op": op,
        "eager": reference,
        "torch.compile": torch.compile(reference, dynamic=False),
    }
    for name in work_of:
        calls = {key: PASSES[name](function, args) for key, function in candidates.items()}
        work = work_of[name](args)
        speed = {key: work / seconds(call, device) / 1e9 for key, call in calls.items()}
        speed[limit.name] = limit.speed(args, work, device) / 1e9
        row = {"dtype": dtype, "numel": numel, "pass": name, limit.unit: speed}
        if name == "backward":
            row["kept bytes"] = {key: kept_bytes(candidates[key], args) for key in ("op", "eager")}
        yield row


def print_table(rows, limit, title):
    columns = ["op", "eager", "torch.compile", limit.name]
    heads = "".join(f"{column:>14}" for column in columns)
    units = f"{limit.unit:>14}" * len(columns)
    share = f"op/{limit.name}"
    print(f"{title}: more is better, and less memory that is kept for the gradient")
    print(f"{'':32}{heads}{share:>12}{'op/eager':>12}{'kept/eager':>12}")
    print(f"{'pass':10}{'dtype':10}{'elements':>12}{units}")
    for row in rows:
        speed = row[limit.unit]
        cells = "".join(f"{speed[column]:14.1f}" for column in columns)
        shares = [speed["op"] / speed[limit.name], speed["op"] / speed["eager"]]
        if "kept bytes" in row:
            kept = row["kept bytes"]
            # A formula such as 2 * x keeps nothing.
            shares.append(kept["op"] / kept["eager"] if kept["eager"] else math.nan)
        cells += "".join(f"{share:12.2f}" for share in shares)
        print(f"{row['pass']:10}{row['dtype']:10}{row['numel']:12,}{cells}")


def plot(rows, limit, title, path, name_of_op):
    """Draw speed over size, a panel for each pass and dtype, with the limit."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    passes = list(dict.fromkeys(row["pass"] for row in rows))
    dtypes = list(dict.fromkeys(row["dtype"] for row in rows))
    figure, axes = pyplot.subplots(
        len(passes),
        len(dtypes),
        figsize=(4 * len(dtypes), 3.2 * len(passes)),
        squeeze=False,
        sharex=True,
        sharey=True,
        layout="constrained",
    )
    for line, name in zip(axes, passes):
        for axis, dtype in zip(line, dtypes):
            panel = [row for row in rows if (row["pass"], row["dtype"]) == (name, dtype)]
            sizes = [row["numel"] for row in panel]
            for key, style in {
                limit.name: {"color": "0.6", "linestyle": "--"},
                "eager": {"color": "tab:blue", "marker": "."},
                "torch.compile": {"color": "tab:orange", "marker": "."},
                "op": {"color": "tab:green", "marker": "o", "linewidth": 2},
            }.items():
                label = name_of_op if key == "op" else key
                axis.plot(sizes, [row[limit.unit][key] for row in panel], label=label, **style)
            axis.set(xscale="log", title=f"{name}, {dtype}")
            axis.grid(alpha=0.3)
    axes[0][0].set_ylim(bottom=0)  # of all panels, so after the last curve
    for axis in axes[-1]:
        axis.set_xlabel("elements")
    for line in axes:
        line[0].set_ylabel(f"{limit.unit}, more is better")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2 if len(dtypes) == 1 else 4)
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


def main(
    op,
    reference,
    make_args,
    work_of,
    limit=COPY,
    dtypes=FLOATS,
    timed=("float32", "float16"),
):
    """Run the benchmark's command line.

    Args:
        op: The operator's public function.
        reference: The same with PyTorch's own operators.
        make_args: From (numel, dtype, device, requires_grad) to the arguments of both.
        work_of: For each pass, the function from the arguments to the bytes it has to move, or to
            what else the limit counts.
        limit: What limits the operator.
        dtypes: Those that it takes.
        timed: Those of them that are timed if the command line names none.
    """
    parser = argparse.ArgumentParser(
        description=f"Times {op.__name__} against plain PyTorch, torch.compile and a {limit.name}."
    )
    cuda = torch.cuda.is_available()
    parser.add_argument(
        "--device",
        choices=["cpu", "cuda"],
        default="cuda" if cuda else "cpu",
        help="where it runs (default: cuda, if PyTorch finds a GPU)",
    )
    parser.add_argument(
        "--dtypes",
        nargs="+",
        choices=dtypes,
        default=timed,
        metavar="DTYPE",
        help=f"{', '.join(dtypes)} (default: {' '.join(timed)})",
    )
    parser.add_argument(
        "--sizes",
        nargs="+",
        type=int,
        metavar="N",
        help="numbers of elements (default: powers of four up to 2^28 on a GPU, 2^24 on a CPU)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).parent / "results",
        help="the folder that numbers and picture go to (default: results/ beside this file)",
    )
    options = parser.parse_args()
    if options.device == "cuda" and not cuda:
        parser.error("--device cuda: PyTorch finds no GPU here; use --device cpu")
    largest = 28 if options.device == "cuda" else 24
    sizes = options.sizes or [2**power for power in range(12, largest + 1, 2)]

    cases = [(dtype, numel) for dtype in options.dtypes for numel in sizes]
    rows = []
    for dtype, numel in tqdm(cases, unit="case", desc=op.__name__):
        rows += measure(op, reference, make_args, work_of, limit, options.device, dtype, numel)
    rows.sort(key=lambda row: row["pass"], reverse=True)

    machine = machine_name(options.device)
    title = f"{op.__name__} on {machine}, torch {torch.__version__}"
    print_table(rows, limit, title)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{op.__name__}_{options.device}"
    record = {
        "machine": machine,
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "rows": rows,
    }
    path.with_suffix(".json").write_text(json.dumps(record, indent=1))
    plot(rows, limit, title, path.with_suffix(".png"), op.__name__)
    print(f"written: {path}.json, {path}.png")
