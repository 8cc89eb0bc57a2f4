"""Times operators: every bench_<op>.py calls `main`. Shared code of the template: do not edit.

Memory limits most operators. Compare an operator's bandwidth with the bandwidth of a copy of the
same number of bytes, in the same run.
"""

import argparse
import json
import platform
import re
import sys
from datetime import datetime, timezone
from functools import partial, wraps
from importlib import import_module
from inspect import signature
from itertools import groupby, takewhile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

import torch
from torch.utils.benchmark import Measurement, TaskSpec, Timer

FLOATS = ("float32", "float64", "float16", "bfloat16")
TIMED = ("float32", "float16")
LONGEST = 1.0  # seconds of a call; sizes that take longer are left out
WRONG = 9  # the exit status after a wrong result, the same as in verify.py


def copy(args, nbytes, device):
    """Return `nbytes`, and a function that copies `nbytes` / 2 bytes: it reads and writes them."""
    source = torch.randint(256, (nbytes // 2,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return nbytes, lambda: target.copy_(source)


def clock(function, device):
    """Time calls. On a GPU, measure between CUDA events, each time with a cold L2 cache."""
    if device == "cuda":
        from triton.testing import do_bench

        times = do_bench(function, warmup=20, rep=100, return_mode="all")
        return Measurement(1, [x / 1e3 for x in times], TaskSpec("function()", ""))
    function()  # one-time work, such as compiling
    threads = torch.get_num_threads()
    timer = Timer("function()", timer=perf_counter, globals=locals(), num_threads=threads)
    start, before = perf_counter(), getrusage(RUSAGE_SELF).ru_nivcsw
    found = timer.blocked_autorange(min_run_time=0.2)
    switches = getrusage(RUSAGE_SELF).ru_nivcsw - before
    found.metadata = switches / threads / (perf_counter() - start)
    return found


def is_doubtful(measurement):
    """Return whether times vary by a tenth, or other programs may have used a tenth of the time.

    `meets_confidence` checks the spread. If there are fewer cores than threads, every call waits,
    and the spread is small. Therefore the second condition counts how often a thread loses its
    core: 25 times in a second, for up to 4 ms each time, is a tenth of the second.
    """
    return not measurement.meets_confidence() or (measurement.metadata or 0) > 25


def by_position(function, op):
    """Return a function that takes all arguments by position, keyword-only ones last."""
    names = [x.name for x in signature(op).parameters.values() if x.kind is x.KEYWORD_ONLY]

    @wraps(function)
    def call(*args):
        count = len(args) - len(names)
        return function(*args[:count], **dict(zip(names, args[count:])))

    return call if names else function


def as_list(out):
    return list(out) if isinstance(out, tuple) else [out]


def tensors_of(values):
    """Return the tensors among values, including tensors in lists and tuples."""
    if isinstance(values, (list, tuple)):
        return [x for value in values for x in tensors_of(value)]
    return [values] if isinstance(values, torch.Tensor) else []


def backward(function, *args):
    tensors = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
    outs = [x for x in as_list(function(*args)) if x.requires_grad]
    grad_outs = [torch.randn_like(x) for x in outs]
    return lambda: torch.autograd.grad(outs, tensors, grad_outs, retain_graph=True)


def bytes_of(op):
    """For each pass, return a function that counts its tensors' bytes, each tensor once."""

    def moved(args):
        tensors = tensors_of([*args, op(*args)])
        return sum({x.data_ptr(): x.nbytes for x in tensors}.values())

    def moved_backward(args):
        return moved(args) + sum(x.nbytes for x in args if torch.is_tensor(x) and x.requires_grad)

    passes = {"forward": moved}
    if hasattr(import_module(op.__module__), "_backward_op"):
        passes["backward"] = moved_backward
    return passes


def exceeds(speed, limit):
    """Return whether a kernel seems faster than the limit. Then `work_of` counts too much work."""
    return speed["kernel"] > 1.25 * speed[limit.__name__]


def kernel(op, name, args, device, waits):
    """Return a call of only the kernel of a pass, without autograd, or None if it has no kernel.

    On a GPU, the call replays a CUDA graph, which leaves out the host's time. An operator that
    `waits` for a number that its kernel counts cannot be recorded in a graph and is called instead.
    """
    registered = getattr(getattr(torch.ops, op.__module__.partition(".")[0]), op.__name__).default
    call = partial(by_position(registered, op), *args)
    if name == "backward":
        gradient = getattr(import_module(op.__module__), "_backward_op", None)
        if gradient is None:
            return None  # PyTorch computes the gradient, from the reference
        grad_outs = [torch.randn_like(x) for x in as_list(call())]
        schema_of = import_module(f"{op.__module__.partition('.')[0]}._kit.private").schema_of
        given = {x.name: value for x, value in zip(schema_of(registered).arguments, args)}
        # The last arguments are flags: whether each gradient is needed.
        rest = schema_of(gradient).arguments[len(grad_outs) :]
        call = partial(gradient, *grad_outs, *(given.get(x.name, True) for x in rest))
    if device == "cpu" or waits:
        return call
    call()  # one-time work, such as loading the kernel
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def kept_bytes(function, args):
    """Return the bytes that a call saves for its gradient, saved arguments included."""
    storages = {}

    def keep(x):
        storages[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes()
        return x

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        out = function(*args)  # keeps the saved tensors alive, so that no address is used twice
        del out
    return sum(storages.values())


def measure(op, reference, args, name, work_of, limit, unit, device, waits):
    """Return a pass's speeds, in 1e9 per second, their spread, and which are doubtful."""
    torch.compiler.reset()
    compiled = torch.compile(reference, dynamic=False)
    candidates = {"op": op, "eager": reference, "torch.compile": compiled}
    make_call = backward if name == "backward" else partial
    calls = {key: make_call(function, *args) for key, function in candidates.items()}
    with torch.no_grad():
        calls["kernel"] = kernel(op, name, args, device, waits) or calls["op"]
        work = dict.fromkeys(calls, work_of[name](args))
        work[limit.__name__], calls[limit.__name__] = limit(args, work["op"], device)
        times = {key: clock(call, device) for key, call in calls.items()}
        call = times["op"]
        # Kernels of a millisecond or more hide the time that the host takes for a call.
        if device == "cuda" and times["kernel"].median < 1e-3:
            call = clock(calls["op"], "cpu")
    row = {
        unit: {key: work[key] / x.median / 1e9 for key, x in times.items()},
        "spread": {key: x.iqr / x.median for key, x in times.items()},
        "doubtful": [key for key, x in times.items() if is_doubtful(x)],
        "seconds": max(x.median for x in times.values()),
    }
    if exceeds(row[unit], limit):
        row["doubtful"].append(limit.__name__)
    row["bound by the host"] = times["kernel"].median < call.median / 2
    if name == "backward":
        row["kept bytes"] = {key: kept_bytes(candidates[key], args) for key in ("op", "eager")}
    return row


def seconds(function, args, device):
    """Return the time of one call."""
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    wait()
    start = perf_counter()
    function(*args)
    wait()
    return perf_counter() - start


def takes_too_long(functions, args, device, numel, rows):
    """Return whether a call takes too long to be timed: estimate from a smaller size, then try."""
    if rows and rows[-1]["seconds"] * numel / rows[-1]["numel"] > LONGEST:
        return True
    with torch.no_grad():
        for function in functions:
            taken = seconds(function, args, device)
            if LONGEST < taken < 10 * LONGEST:  # again, without one-time work
                taken = seconds(function, args, device)
            if taken > LONGEST:
                return True
    return False


def agree(out, expected):
    """Return whether nine tenths of each tensor's elements agree, apart from rounding."""
    for x, y in zip(out, expected):
        if not y.numel():
            continue
        # The error of a 16-bit sum of ten thousand numbers is up to a tenth of the largest result.
        rtol = 0.25 if x.is_floating_point() and x.element_size() <= 2 else 0.05
        x, y = x.float(), y.float()
        most = y[y.isfinite()].abs().max().item() if y.isfinite().any() else 0.0
        if x.isclose(y, rtol=rtol, atol=rtol * most, equal_nan=True).float().mean() < 0.9:
            return False
    return True


def times_of_new(op, draw, device, count):
    """Return two median times: of calls with new values, and of the same calls again."""
    first, again = [], []
    for _ in range(count):
        new = draw()
        first.append(seconds(op, new, device))
        again.append(seconds(op, new, device))
    return sorted(first)[count // 2], sorted(again)[count // 2]


def stop_as_wrong(sentence):
    """Exit with the status WRONG, the only one after which `verify` calls an operator wrong."""
    print(sentence, file=sys.stderr)
    sys.exit(WRONG)


def refuse_cached(op, reference, draw, device):
    """Stop if an operator answers repeated calls from a cache of results.

    Args:
        op: The operator, with arguments by position.
        reference: The function that computes the same results.
        draw: The function that returns new arguments of one size.
        device: The device of the arguments.
    """
    name = op.__name__
    with torch.no_grad():
        args = draw()
        op(*args)
        for count in (3, 9):  # other programs may have slowed down some calls
            new_values, repeated = times_of_new(op, draw, device, count)
            if new_values <= 3 * repeated + 1e-4:
                break
        else:
            stop_as_wrong(
                f"{name}: a call with new values takes {new_values / repeated:.0f} times as long "
                "as a repeated call: the operator answers repeated arguments from a cache, so its "
                "times are void"
            )
        new = draw()
        pairs = [(x, y) for x, y in zip(args, new) if isinstance(x, torch.Tensor)]
        if any(not isinstance(y, torch.Tensor) or x.shape != y.shape for x, y in pairs):
            return  # each draw has different sizes
        before = [x.clone() if isinstance(x, torch.Tensor) else x for x in new]
        expected = tensors_of(reference(*before))
        for x, y in pairs:
            x.data.copy_(y)  # at the addresses of the first call
        args = [x if isinstance(x, torch.Tensor) else y for x, y in zip(args, new)]
        out = tensors_of(op(*args))
        # An operator with random results is not compared.
        same_each_time = agree(tensors_of(reference(*new)), expected)
        if same_each_time and len(out) == len(expected) and not agree(out, expected):
            stop_as_wrong(
                f"{name}: after it was timed, its result differs from {reference.__name__}'s"
            )


def figure(speed):
    """Return a speed in at most seven characters, so that columns do not touch."""
    if speed < 0.001:
        return f"{speed:.1e}"
    return f"{speed:.3g}" if speed < 1 else f"{speed:.1f}" if speed < 1e5 else f"{speed:.0f}"


def print_row(numel, row, limit, unit):
    speed, line = row[unit], f"{numel:11,}"
    for key in ["op", "eager", "torch.compile", limit.__name__]:
        spread = f"±{min(row['spread'][key], 0.99):.0%}{'!' * (key in row['doubtful'])}"
        line += f"{figure(speed[key]):>8}{spread:5}"
    for key, other in [("kernel", limit.__name__), ("op", "eager")]:
        doubtful = key in row["doubtful"] or other in row["doubtful"]
        line += f"{'-':>8}" if doubtful else f"{speed[key] / speed[other]:8.2f}"
    print(line, flush=True)


def bound_by_the_host(rows):
    """Return the largest number of elements at which the host limits the calls, or None."""
    limited = takewhile(lambda row: row["bound by the host"], rows)
    return max((row["numel"] for row in limited), default=None)


def print_end(rows, limit, unit):
    """Print the remarks about all rows of a pass and dtype."""
    if bound := bound_by_the_host(rows):
        print(f"bound by the host up to {bound:,} elements: kernels take under half of a call")
    if any(exceeds(row[unit], limit) for row in rows):
        print(f"faster than the {limit.__name__}: `work_of` counts more work than the kernel does")
    kept = rows[-1].get("kept bytes", {"eager": 0})
    if kept["eager"]:  # a formula such as 2 * x saves nothing
        print(f"keeps {kept['op'] / kept['eager']:.2f} of the memory that eager keeps")


def plot(rows, limit, unit, title, path, name_of_op):
    """Plot speed and limit over size, with a panel for each pass and dtype."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    groups = groupby(rows, lambda row: f"{row['pass']}, {row['dtype']}")
    panels = {heading: list(panel) for heading, panel in groups}
    lines = len({row["pass"] for row in rows})
    columns = -(-len(panels) // lines)  # a pass may have fewer dtypes than another
    size = 4 * columns, 3.2 * lines
    figure, axes = pyplot.subplots(
        lines, columns, figsize=size, squeeze=False, sharex=True, sharey=True, layout="constrained"
    )
    styles = {
        limit.__name__: {"color": "0.6", "linestyle": "--"},
        "eager": {"color": "tab:blue", "marker": "."},
        "torch.compile": {"color": "tab:orange", "marker": "."},
        "kernel": {"color": "tab:green", "linestyle": ":", "label": "only its kernel"},
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
    axes[0][0].set_ylim(bottom=0)  # after the last curve, because it ends autoscaling
    for axis in axes[-1]:
        axis.set_xlabel("elements")
    for line in axes:
        line[0].set_ylabel(f"{unit}, more is better")
    width = min(columns + 1, 3)
    figure.legend(labels.values(), labels.keys(), loc="outside lower center", ncols=width)
    figure.suptitle(title)
    figure.savefig(path, dpi=120)


def machine_name(device):
    """Return the name of the GPU, or of the CPU with PyTorch's number of threads."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    info = Path("/proc/cpuinfo")  # x86-64 Linux has the model's name here
    text = info.read_text() if info.exists() else ""
    models = re.findall(r"^model name\s*: (.+)$", text, re.MULTILINE)
    name = models[0] if models else platform.processor() or platform.machine()
    return f"{name}, {torch.get_num_threads()} threads"


def write(rows, limit, unit, op, device, folder):
    """Write the measurements as JSON, and a plot if matplotlib is installed."""
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
    if not rows:
        print(f"written: {path}, without measurements")
        return
    try:
        plot(rows, limit, unit, title, path.with_suffix(".png"), op.__name__)
    except ModuleNotFoundError:
        print(f"written: {path}; for a picture: pip install matplotlib")
    else:
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
    waits=False,
):
    """Run the benchmark's command line.

    Args:
        op: The operator's public function.
        reference: The function that computes the same results with PyTorch's own operators.
        make_args: Returns arguments for both functions, from (numel, dtype, device, requires_grad).
        work_of: For each pass, a function of the arguments that returns the number of bytes that
            the pass moves, or the amount of other work. Default: the bytes of all tensors.
        limit: Returns, from (args, work, device), an amount of work and a call that does it as fast
            as the machine can.
        unit: The name of the unit of speed, which is 1e9 bytes, or 1e9 of other work, per second.
        dtypes: The names of the operator's dtypes.
        timed: The dtypes to time by default.
        waits: Whether a call waits for a number that its kernel counts. A CUDA graph cannot record
            such a call.
    """
    op, reference = by_position(op, op), by_position(reference, op)
    work_of = work_of or bytes_of(op)
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    parser = argparse.ArgumentParser(description=f"Times {op.__name__} on an idle machine.")
    add = parser.add_argument
    add("--device", choices=devices, default=devices[-1], help="(default: %(default)s)")
    which = f"dtypes to time, from {', '.join(dtypes)} (default: {' '.join(timed)})"
    add("--dtypes", nargs="+", choices=dtypes, default=timed, metavar="DTYPE", help=which)
    powers = "numbers of elements (default: powers of four up to 2^28 on a GPU, 2^24 on a CPU)"
    add("--sizes", nargs="+", type=int, metavar="N", help=powers)
    folder = Path(__file__).parent / "results"
    add("--out", type=Path, default=folder, help="folder for the results (default: %(default)s)")
    options = parser.parse_args()
    largest = 28 if options.device == "cuda" else 24
    sizes = options.sizes or [2**power for power in range(12, largest + 1, 2)]

    print(f"{op.__name__}, torch {torch.__version__}, {torch.get_num_threads()} threads")
    print(f"{unit}, more is better; ± is the interquartile range; ! marks doubtful times,")
    print("and - replaces their ratios: measure again while no other program runs")
    print(f"share: speed of only the kernel / {limit.__name__}; gain: speed of the op / eager")
    heads = "".join(f"{key:>8}     " for key in ["op", "eager", "compile", limit.__name__])
    every_row = []
    for name in work_of:
        for dtype in options.dtypes:
            print(f"\n{name}, {dtype}\n   elements{heads}   share    gain")
            rows = []
            for numel in sizes:
                args = make_args(numel, getattr(torch, dtype), options.device, requires_grad=True)
                if takes_too_long([op, reference], args, options.device, numel, rows):
                    print(f"{numel:11,}  left out: a call would take more than {LONGEST:g} s")
                    break
                row = measure(
                    op, reference, args, name, work_of, limit, unit, options.device, waits
                )
                print_row(numel, row, limit, unit)
                if name == next(iter(work_of)) and numel <= 2**22:
                    kind = getattr(torch, dtype)
                    draw = partial(make_args, numel, kind, options.device, requires_grad=False)
                    refuse_cached(op, reference, draw, options.device)
                rows.append({"dtype": dtype, "numel": numel, "pass": name} | row)
            if not rows:
                break  # other dtypes would take as long
            print_end(rows, limit, unit)
            every_row += rows
    write(every_row, limit, unit, op, options.device, options.out)
