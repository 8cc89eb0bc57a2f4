"""Writes what measure.py found as a table in Markdown."""

from __future__ import annotations

import statistics
from pathlib import Path

from variants import VARIANTS

BEGIN, END = "<!-- costs: begin -->", "<!-- costs: end -->"
MISSING = "–"


def table(results: list[dict]) -> str:
    """Return the results of one or more machines as one table, with the machines.

    Args:
        results: What measure.py wrote, one for each machine. Seconds and calls on the CPU are those of
            the first, calls on a GPU those of the first that has one.
    """
    columns = {
        "first build": lambda key: _seconds(_get(results[0], "variants", key, "cold")),
        "edit in `.cu`": lambda key: _edit(results[0], key, "cu"),
        "edit in `.h`": lambda key: _edit(results[0], key, "h"),
        "edit in `_cpu.cpp`": lambda key: _edit(results[0], key, "cpp"),
        "call": lambda key: _ratios(results, key, "call", "addcmul"),
        "with gradient": lambda key: _ratios(results, key, "call_grad", "addcmul_grad"),
        "`torch.ops`": lambda key: _ratios(results, key, "op", "addcmul"),
    }
    lines = [
        _line(["`build`", "`binding`", "`autograd`", *columns]),
        _line(["---"] * 3 + ["--:"] * len(columns)),
    ]
    for variant in VARIANTS:
        cells = [cell(str(variant)) for cell in columns.values()]
        lines.append(_line([variant.build, variant.binding or "", variant.autograd, *cells]))
    against = results[0].get("against")
    if against:
        cold = _seconds(against["cold"])
        lines.append(_line([against["name"], "", "", cold] + [""] * (len(columns) - 1)))
    return "\n".join([*lines, "", *_legend(results)])


def write_between_markers(path: Path, text: str) -> None:
    """Replace what stands between the two markers in a file.

    Raises:
        SystemExit: The file does not hold each marker once, in order.
    """
    old = path.read_text()
    if old.count(BEGIN) != 1 or old.count(END) != 1 or old.index(BEGIN) > old.index(END):
        raise SystemExit(
            f"{path}: has to hold the lines {BEGIN} and {END} once each, in this order"
        )
    head, tail = old.split(BEGIN)[0], old.split(END)[1]
    path.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}")


def _legend(results: list[dict]) -> list[str]:
    rows = results[0]["variants"].values()
    commands = {row["answers"]["build"]: row["after_edit"] for row in rows}
    lines = [
        "*first build*, *edit*: seconds. An edit counts from `import my_ops`, with inline from `reload()`, until",
        f"the new library is loaded; {_import_torch(results[0])} In brackets: files compiled.",
        "*call*: one call at 16 float32 elements, on CPU / GPU, as a multiple of `torch.addcmul` in the",
        "same process; *with gradient*: both with a gradient needed.",
        "*`torch.ops`*: the operator called as `torch.ops.my_ops.muladd.default`.",
        "Edits are compiled by",
        "; ".join(f"{build}: {command}" for build, command in commands.items()) + ".",
        "",
        f"Measured on {_machine(results[0]['machine'])}",
    ]
    others = dict.fromkeys(_machine(result["machine"]) for result in results[1:])
    return lines + [f"Calls on the GPU: {machine}" for machine in others]


def _machine(machine: dict) -> str:
    parts = [
        f"{machine['cores']} cores of {machine['cpu']}",
        machine["gpu"] or "no GPU",
        f"PyTorch {machine['torch']}",
        machine["compiler"],
        f"nvcc {machine['nvcc']}" if machine["nvcc"] else "no nvcc",
        machine["date"],
    ]
    return ", ".join(parts) + "."


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _get(value: dict | None, *path: str):
    for name in path:
        value = (value or {}).get(name)
    return value


def _seconds(seconds: float | None) -> str:
    # Digits that a second run would not repeat are left out.
    return MISSING if seconds is None else f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"


def _edit(result: dict, key: str, name: str) -> str:
    edit = _get(result, "variants", key, "edits", name)
    files = f" ({edit['compiled']})" if _get(edit, "compiled") else ""
    return _seconds(_get(edit, "without_torch")) + files


def _import_torch(result: dict) -> str:
    """Return how long a new process imports PyTorch before it loads a library."""
    # Measured with each edit, if any, for a machine that others use too has slow minutes.
    seconds = [
        edit["seconds"] - edit["without_torch"]
        for row in result["variants"].values()
        if row["answers"]["build"] != "inline"
        for edit in row["edits"].values()
    ]
    importing = statistics.median(seconds or [result["import_torch"]])
    return f"before that, a new process imports torch for {_seconds(importing)}."


def _ratios(results: list[dict], key: str, call: str, reference: str) -> str:
    texts = []
    for device in "cpu", "cuda":
        calls = [_get(result, "variants", key, "calls", device) for result in results]
        costs = next((c for c in calls if c and c[call]), None)
        texts.append(f"{costs[call] / costs[reference]:.1f}" if costs else MISSING)
    return " / ".join(texts)
