"""A project that has lived builds and passes, and its benchmarks measure any operator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from building import install, python, run, succeed
from render import render
from updating import git, replace
from walk import SEED, Walk


@pytest.mark.long
def test_a_project_builds_after_edits_and_updates(tmp_path):
    """tests/update/test_walk.py checks that no edit is lost; this checks that the merged project works."""
    print(f"WALK_SEED={SEED} ./dev build_cpu -- -k edits_and_updates repeats this")
    walk = Walk(tmp_path / "walk", builds=True)
    for _ in range(12):
        walk.step()
    built = tmp_path / "built" / "my_ops"
    git(walk.project, "clone", "-q", str(walk.project), str(built))
    result = install(built)
    assert result.returncode == 0, f"{walk.answers}\n{result.stdout[-6000:]}"
    succeed("pytest", "-q", "-k", "not compile and not dtensors", cwd=built)


# Rows of a table, the widest that there are, and of a picture.
ROWS = """
from common import *

speeds = {"op": 5, "eager": 1, "torch.compile": 4, "kernel": 5.5, "copy": 6}


def rows(dtypes, sizes=(1, 9), scale=1, spread=0.01, doubtful=(), host=()):
    for name in "forward", "backward":
        for i, (x, n) in enumerate((x, n) for x in dtypes for n in sizes):
            row = {"pass": name, "dtype": x, "numel": n, "doubtful": doubtful, "bound by the host": n in host}
            row["GB/s"] = {key: speeds[key] * (1 + i) * scale for key in speeds}
            row["spread"] = dict.fromkeys(speeds, spread)
            yield row | ({"kept bytes": {"op": 2, "eager": 3}} if name == "backward" else {})
"""

TABLE = (
    ROWS
    + """
sizes = 2**26, 2**28
for given in rows(FLOATS[:1], sizes, 1e5, 14, speeds, host=sizes), rows(FLOATS[:1]):
    given = list(given)
    for row in given:
        print_row(row["numel"], row, copy, "GB/s")
    print_end(given, copy, "GB/s")
    print("---")
"""
)

LEGEND = (
    ROWS
    + """
from matplotlib.figure import Figure

found = []
Figure.savefig = lambda figure, path, dpi: found.append(figure)
for dtypes in FLOATS[:1], FLOATS[:3]:
    plot([*rows(dtypes, host=[1])], copy, "GB/s", "muladd on a machine", "muladd.png", "muladd")
    figure = found[-1]
    figure.canvas.draw()
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert not any(axis.get_legend() or box.overlaps(axis.get_tightbbox()) for axis in figure.axes)
    assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y0 >= figure.bbox.y0
    texts = {text.get_text() for text in legend.get_texts()}
    own = {"muladd", "only its kernel", "bound by the host"}
    assert texts == {"copy", "eager", "torch.compile", *own}
    assert figure.axes[0].get_ylabel() == "GB/s, more is better"
    assert figure.axes[0].get_ylim()[0] == 0 and figure.axes[0].get_ylim()[1] > 6 * 2 * len(dtypes)
"""
)

# A pass without autograd computes the same.
ALONE = """
import torch
from common import *
from bench_{0} import *

op = my_ops.{0}
public = by_position(op, op)
for name in globals().get("OPERATIONS_OF") or bytes_of(public):
    args = make_args(4096, torch.float32, "cpu", True)
    results = []
    make_call = backward if name == "backward" else partial
    for call in [lambda: kernel(public, name, args, "cpu", False), lambda: make_call(public, *args)]:
        torch.manual_seed(0)  # of the gradient that goes in
        results.append(as_list(call()()))
    torch.testing.assert_close(*results)
    print(name)
"""

# Doubtful times: times that differ, or during which threads lost their cores.
DOUBTFUL = """
from common import *

for times, lost, expected in [([1, 1.01, 1.02], 5, 0), ([1, 1.2, 1.5], 0, 1), ([8, 8, 8], 120, 1), ([1], None, 0)]:
    assert is_doubtful(Measurement(1, times, TaskSpec("", ""), metadata=lost)) == expected
found = clock(lambda: None, "cpu")
assert len(found.times) > 9 and 0 <= found.metadata < 1000
"""

BENCHED = {
    "norm": "rowwise: norm(Tensor x, Tensor? weight=None, *, float eps=1e-5, int k=0)",
    "linear": "matmul: linear(Tensor x, Tensor w, Tensor? bias=None, *, float scale=1, int k=0)",
    "gate": "gate(Tensor x, *, Tensor y, float c=1) -> (Tensor out, Tensor twice)",
    "scale": "scale(Tensor x, Tensor! out, *, float? c=None) -> ()",
    "twice": "twice(Tensor x)",  # whose formula keeps nothing for its gradient
    "brighten": "image: brighten(Tensor image, *, float gain=1)",
    "normalize": "volume: normalize(Tensor volume, float? low=None, *, float? high=None)",
    "smooth": "custom: smooth(Tensor x: [B, C, L], Tensor taps: [C, K]) -> Tensor: [B, C, L]",
    "hashes": "custom: hashes(int size, Tensor keys: int64[size, N + 1]) -> Tensor: int64[N]",
    "apart": "custom: apart(Tensor x: [N, N], Tensor y: [M, N]) -> Tensor: [N]",
    "softened": "rowwise: softened(Tensor rows: [..., N]) -> Tensor: [..., N]",
    "anything": "custom: anything(Tensor x, *, bool leading) -> Tensor: [3]",
}
# What a custom operator's arguments have of 10^6 elements until its author edits them: no size of `keys` may grow.
GROWN = """
from importlib import import_module

import torch

for name in ["smooth", "apart", "softened", "anything", "hashes"]:
    args = import_module(f"bench_{name}").make_args(10**6, torch.float32, "meta", True)
    print(max(x.numel() for x in args if isinstance(x, torch.Tensor)))
"""
in_one_process = pytest.mark.xdist_group("benchmarks")


@pytest.fixture(scope="module")
def benchmarks(tmp_path_factory) -> Path:
    """A project of the build without a compiler: a benchmark knows of none."""
    answers = {"build": "nvrtc", "more_ops": "\n".join(BENCHED.values())}
    project = render(tmp_path_factory.mktemp("benchmarks") / "my_ops", answers)
    assert install(project).returncode == 0
    return project / "benchmarks"


@in_one_process
@pytest.mark.parametrize("name", BENCHED)
def test_benchmarks_of_any_signature(name, benchmarks):
    dtype = "int64" if name == "hashes" else "float32"
    options = ["--device", "cpu", "--dtypes", dtype, "--sizes", "4096", "--out", "results"]
    # What torch.compile makes of the reference takes most of the time, and is timed for one of them.
    skip = {} if name == "gate" else {"TORCHDYNAMO_DISABLE": "1"}
    text = succeed(python(), f"bench_{name}.py", *options, cwd=benchmarks, **skip)
    table = text[text.index(f"{name}, torch") :]
    row = rf"\n\nforward, {dtype}\n +elements +op +eager .*\n +4,096 +[\d.]+±\d+%!? "
    assert re.search(row, table), table
    assert not re.findall("^(?!written: ).{81,}", table, re.MULTILINE)
    assert (benchmarks / "results" / f"{name}_cpu.json").exists()


@in_one_process
def test_benchmarks_know_the_dtypes_of_their_operator(benchmarks):
    result = run(python(), "bench_brighten.py", "--dtypes", "float16", cwd=benchmarks)
    assert result.returncode == 2 and "invalid choice: 'float16'" in result.stdout


@in_one_process
def test_arguments_of_a_custom_operator_grow(benchmarks):
    *grown, constant = map(int, succeed(python(), "-c", GROWN, cwd=benchmarks).split())
    assert all(990_000 < numel <= 1_000_000 for numel in grown), grown
    assert constant < 100


@in_one_process
@pytest.mark.parametrize("name, dtypes", [("smooth", "32 64"), ("hashes", "int64")])
def test_dtypes_of_a_custom_operator_are_timed(name, dtypes, benchmarks):
    options = ["--device", "cpu", "--sizes", "4096"]
    skip = {"TORCHDYNAMO_DISABLE": "1"}
    text = succeed(python(), f"bench_{name}.py", *options, cwd=benchmarks, **skip)
    timed = re.findall("^forward, (?:float)?(.*)", text, re.MULTILINE)
    assert timed == dtypes.split()


@in_one_process
@pytest.mark.parametrize("name", ["norm", "linear", "gate", "brighten"])
def test_benchmarks_time_the_kernel_alone(name, benchmarks):
    text = succeed(python(), "-c", ALONE.format(name), cwd=benchmarks)
    assert text.split() == ["forward"] + ["backward"] * (name != "brighten")


@in_one_process
def test_benchmarks_doubt_times_of_a_busy_machine(benchmarks):
    succeed(python(), "-c", DOUBTFUL, cwd=benchmarks)


@in_one_process
def test_a_table_has_80_columns(benchmarks):
    wide, usual, _ = succeed(python(), "-c", TABLE, cwd=benchmarks).split("---\n")
    assert max(map(len, (wide + usual).splitlines())) <= 80
    assert wide.count("%! ") == 16 and "!" not in usual
    assert wide.count("bound by the host up to 268,435,456 elements") == 1 and "host" not in usual
    assert "keeps 0.67 of the memory" in usual and "±1% " in usual


@in_one_process
def test_a_legend_covers_no_curve(benchmarks):
    succeed(python(), "-c", LEGEND, cwd=benchmarks)


def test_what_a_cpu_loop_throws_is_an_error(tmp_path):
    project = render(tmp_path / "my_ops", {"build": "jit"})
    loop = "for_tile<T>("
    replace(project / "my_ops/csrc/muladd/muladd_cpu.cpp", loop, f"throw 1;\n  {loop}")
    assert install(project).returncode == 0
    call = "import torch, my_ops; x = torch.ones(3); my_ops.muladd(x, x, 1.0)"
    result = run(python(), "-c", call, cwd=project)
    assert result.returncode != 0 and "torch_parallel_for" in result.stdout
