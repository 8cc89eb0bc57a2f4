"""Wrong kernels fail the tests of a project with the rendered samples, without a test of the author's.

Each is a right kernel with one fault. The edits of the tests are those that the right kernel needs to pass.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from building import as_one_source, failures, install, run
from custom_edits import CUSTOM, Edit, make_edits, more_ops
from render import render
from updating import replace

UNPACK = Edit(
    "(Tensor packed: uint8[R, P], Tensor scales: [R, (P * 2 + group - 1) // group], int group) -> Tensor: [R, P * 2]",
    """
  const int64_t r = i / (P * 2);
  const int64_t c = i % (P * 2);
  const int byte = packed[r * P + c / 2];
  const int value = c % 2 ? byte >> 4 : byte & 15;
  out[i] = static_cast<scalar_t>(value - 8) * scales[r * ((P * 2 + group - 1) / group) + c / group];
""",
    """
    values = torch.stack([packed & 15, packed >> 4], -1).flatten(1).to(scales.dtype) - 8
    columns = torch.arange(values.shape[1], device=packed.device) // group
    return values * scales[:, columns]
""",
)
SUMMED = Edit(
    "(Tensor x: [B, L], Tensor states: [B, S], Tensor? skip: [B]=None, float gain=1.0) -> Tensor: [B, L]",
    """
  const int64_t b = i / L;
  scalar_t sum = 0;
  for (int64_t s = 0; s < S; ++s) sum += states[b * S + s];
  if (skip != nullptr) sum += skip[b];
  out[i] = static_cast<scalar_t>(gain) * sum * x[i];
""",
    """
    sums = states.sum(1, keepdim=True)
    if skip is not None:
        sums = sums + skip[:, None]
    return gain * sums * x
""",
)
COUNTED = Edit(
    "(Tensor weight: [N], Tensor index: int64[N], int bins) -> Tensor: [bins]",
    """
  atomic_add(out + index[i], weight[i]);
""",
    """
    return weight.new_zeros(bins).index_add(0, index, weight)
""",
    tensors=(
        ("check.result(", "check.zeros("),
        ("num_threads = out.numel();", "num_threads = weight.numel();"),
    ),
)
RIGHT = {"unpack": UNPACK, "summed": SUMMED, "counted": COUNTED} | {
    name: CUSTOM[name]
    for name in (
        "gather_rows",
        "gather_from_lists",
        "stencil",
        "max_pool",
        "token_loss",
        "rotary",
        "histogram",
    )
}
# Faults by the right kernel: a text of it, and its replacement.
WRONG = {
    "unpack": {
        "the high bits of a nibble are dropped": (">> 4", ">> 4 & 1"),
        "the low nibble has a bit": ("& 15", "& 1"),
        "another zero": ("value - 8", "value - 7"),
        "the last column": ("c % 2 ?", "c % 2 && c < P * 2 - 1 ?"),
        "the group of the sample": ("c / group]", "c / 3]"),
        "one group": ("c / group]", "0]"),
        "columns beyond a block": ("out[i] =", "if (c < 256) out[i] ="),
    },
    "summed": {
        "states beyond 16": ("s < S", "s < 16 && s < S"),
        "the last state": ("s < S", "s < S - 1"),
        "the tensor that may be absent": ("skip != nullptr", "false"),
        "its neighbour": ("skip[b]", "skip[0]"),
        "a number": ("static_cast<scalar_t>(gain) *", ""),
        "a batch": ("x[i]", "x[i % L]"),
    },
    "gather_rows": {
        "places above 1": ("index[n] *", "(index[n] > 1 ? 1 : index[n]) *"),
        "columns beyond a warp": ("+ d]", "+ (d < 32 ? d : 0)]"),
        "the index": ("index[n]", "n % S"),
    },
    "gather_from_lists": {
        "the list": ("table[n]]", "0]"),
        "its last tensor": ("table[n]]", "table[n] % 2]"),
    },
    "stencil": {
        "the upper edge": ("y < 0", "y < 1"),
        "the lower edge": ("y >= H", "y >= H - 1"),
        "no lower edge": ("y >= H ||", ""),
        "the right edge": ("column >= W", "column >= W - 1"),
        "a column of the filter": ("dw < 3", "dw < 2"),
        "the filter turned": ("(c * 3 + dh) * 3 + dw", "(c * 3 + dw) * 3 + dh"),
        "the batch": ("(n * C + c)", "c"),
    },
    "max_pool": {
        "the stride": ("(h * stride + dh)", "(h + dh)"),
        "the kernel of the sample": ("dh < kernel", "dh < 3"),
        "negative values": ("most = image[h * stride * W + w * stride]", "most = 0"),
    },
    "token_loss": {
        "smoothing": (" - share * total / static_cast<scalar_t>(C)", ""),
        "what is ignored": ("target[i] != ignored", "true"),
        "the first column": ("int64_t c = 0; c < C; ++c) {", "int64_t c = 1; c < C; ++c) {"),
    },
    "rotary": {
        "a sign": ("second * cosine + first", "second * cosine - first"),
        "the positions": ("cosine = cache[positions[row]", "cosine = cache[row % P"),
        "later heads": ("head[d] =", "if (i / half % H == 0) head[d] ="),
    },
    "counted": {
        "no atomic": ("atomic_add(out + index[i], weight[i])", "out[index[i]] += weight[i]"),
        "the weight": ("weight[i])", "scalar_t(1))"),
    },
    "histogram": {
        "the lower end": ("x[i] - low", "x[i]"),
        "no atomic": (
            "atomic_add(out + static_cast<int64_t>(share * bins), int64_t(1))",
            "out[static_cast<int64_t>(share * bins)] += 1",
        ),
    },
}
in_one_process = pytest.mark.xdist_group("mutants")
# What no test sees, and why.
LIVES = {
    ("histogram", "no atomic"): "no size has a name, so the samples have six elements, on one core",
}
# Those that compare values. PyTorch's compiler and opcheck compare no others, and take most of the time.
TESTS = "(values or absent or empty or cores) and not gradients"


def mutants() -> dict[str, tuple[str, str]]:
    """The right kernel and the fault, by names for operators."""
    faults = [(name, fault) for name, found in WRONG.items() for fault in found]
    return {f"{name}_{number}": (name, fault) for number, (name, fault) in enumerate(faults)}


def edits() -> dict[str, Edit]:
    """The operators of the authors of right and of wrong kernels, for the CPU."""
    made = {
        name: edit._replace(kernel="", launch=(), call=(), tests="") for name, edit in RIGHT.items()
    }
    for name, (right, fault) in mutants().items():
        old, new = WRONG[right][fault]
        assert old in made[right].thread, (right, fault)
        made[name] = made[right]._replace(thread=made[right].thread.replace(old, new, 1))
    return made


@pytest.fixture(scope="module")
def killers(tmp_path_factory) -> dict[str, list[str]]:
    """The tests that failed, by operator."""
    folder: Path = tmp_path_factory.mktemp("mutants") / "my_ops"
    made = edits()
    with pytest.MonkeyPatch.context() as patch:
        for name, edit in made.items():
            patch.setitem(CUSTOM, name, edit)
        project = render(folder, {"more_ops": more_ops(made)})
        make_edits(project, made)
    replace(project / "setup.py", '"-O3"', '"-O0"')
    as_one_source(project, made)
    built = install(project)
    assert built.returncode == 0, built.stdout[-6000:]
    report = project / "report.xml"
    files = [f"tests/test_{name}.py" for name in made]
    ran = run("pytest", "-q", f"--junitxml={report}", "-k", TESTS, *files, cwd=project)
    assert report.exists(), ran.stdout[-6000:]
    return failures(report)


@in_one_process
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_kernel_passes(killers, name):
    assert name not in killers, killers[name]


@in_one_process
@pytest.mark.parametrize("name", mutants(), ids=[": ".join(x) for x in mutants().values()])
def test_a_wrong_kernel_fails(killers, name):
    right, fault = mutants()[name]
    if why := LIVES.get((right, fault)):
        assert name not in killers, f"{right}: {fault}: a test sees it now"
        pytest.xfail(why)
    assert killers.get(name), f"{right}: {fault}: no test of the project sees it"
