"""Random operators, most of them with shapes: accepted operators compile and pass their own tests without an edit.

`SIGNATURES=300 SIGNATURES_SEED=1 ./dev build_cpu -- tests/build_cpu/test_build_random.py` draws more, and the same each time;
`SIGNATURES=real SIGNATURES_SEED=0` takes the operators of tests/lib/real_signatures.py, of all kernels,
`SIGNATURES=libraries` the operators of the four lists of definitions in tests/lib, and `SIGNATURES=odd` the operators of
odd_operators.yaml.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from building import as_one_source, failures, install, python, run, succeed
from random_ops import DRAWN, accepted, refusal
from real_signatures import library_operators, odd_operators, real_operators
from render import render
from updating import replace

SEED = int(os.environ.get("SIGNATURES_SEED") or random.randrange(2**32))
LISTS = {"real": real_operators, "libraries": library_operators, "odd": odd_operators}
REAL = os.environ.get("SIGNATURES") in LISTS
OPERATORS = LISTS[os.environ["SIGNATURES"]]() if REAL else {}
SIGNATURES = len(OPERATORS) or int(os.environ.get("SIGNATURES", "9"))
# Of hundreds, torch.compile is left out, which takes most of the time; PyTorch's opcheck traces each.
OPS, TESTS = (9, "drawn") if SIGNATURES == 9 else (30, "drawn and not compile and not absent")
if REAL:
    OPS, TESTS = 20, "drawn and not compile"

BINDINGS = ["torch_library", "pybind11", "torch_stable"]
# Signatures that the seeds 1, 11, 12 and 4003 drew, shortened, and whose fresh tests failed; the last is FlashAttention's,
# whose compiled gradient was compared with one that PyTorch rounds to float16 after each step.
FOUND = {
    "drawn_divisor": ("custom", "(Tensor x: int32[R]) -> Tensor: int64[K?, (R + R - 1) // R, R]"),
    "drawn_flags": ("custom", "(Tensor x: float64[N, D]) -> Tensor: bool[N]"),
    "drawn_powers": ("custom", "(Tensor x: [N * N, N, N, M], Tensor y: [N]) -> Tensor: [M]"),
    "drawn_coarse": ("custom", "(Tensor x: [N, D]) -> Tensor: float8_e5m2[N]"),
    "drawn_halves": (
        "custom",
        "(Tensor x: float16[N, D]) -> (Tensor out: float16[N, D], Tensor sums: float32[D, D])",
    ),
    # Of libraries: an element with strides, a size that may be divided by zero, more absent results than PyTorch compiles.
    "drawn_element": ("custom", "(Tensor(a!) x: float32[1], Tensor y: float32[1]) -> ()"),
    "drawn_bits": ("custom", "(Tensor x: int32[N], int bits) -> Tensor: int32[N // (32 // bits)]"),
    "drawn_absent": (
        "custom",
        f"(Tensor x: [N]{', bool b%d' * 9}) -> (Tensor out: [N]{', Tensor? out%d: [N] if b%d' * 9})"
        % (*range(9), *(i for i in range(9) for _ in "ab")),
    ),
    # A result without a gradient that may be absent: it was spread as a mapping.
    "drawn_places": (
        "custom",
        "(Tensor x: [N, D], Tensor? y: [D], bool wanted) -> (Tensor out: [N], Tensor? place: int64[N] if wanted)",
    ),
    # Integers of a product in double, which the reference computed in float32.
    "drawn_rounded": (
        "rowwise",
        "(Tensor grad: float32[..., n], *, Tensor(d!) cache: int32[..., n], Tensor boxes: [n]) -> ()",
    ),
    # A result that grows with a size that its kernel counts: a test took all memory.
    "drawn_counted": ("custom", "(Tensor x: int32[N, D, D, D]) -> Tensor: bool[K?, N * D * D * D]"),
    # Keyword-only arguments with the names of parameters of the kit's functions.
    "drawn_by_name": (
        "custom",
        "(Tensor x: [N], *, Tensor grads: [N], Tensor reference: [N], float op, int keys, float info, int dims, float grad) -> Tensor: [N]",
    ),
    # Names of the rendered code, which steps aside.
    "drawn_names": (
        "custom",
        "(Tensor forward: [i], Tensor? ctx: [i], Tensor[] check: [i], Tensor vjp: [n], float error, int args, bool num_threads, *, float? found=None) -> (Tensor runner: [n, i], Tensor as_contiguous: float32[n + args])",
    ),
    # Names of the C++ of other kernels, which calls these arguments otherwise.
    "drawn_elements": (
        "elementwise",
        "(Tensor numel, Tensor? kernel, float total, Tensor(a!)? tile, *, bool begin=True) -> (Tensor end, Tensor results)",
    ),
    "drawn_rows": ("rowwise", "(Tensor size, Tensor? count, Tensor row, float state)"),
    "drawn_written": (
        "custom",
        "(Tensor(a!) i: [N], Tensor(b!) args: [N] strided, Tensor(c!)[] op, Tensor const_data: int32[N], float max, int dtype, str device, int len) -> Tensor begin: [N]",
    ),
}
# And one that torch_stable refuses.
SCALES = {
    "drawn_scales": ("custom", "(Tensor x: [N], Tensor(a!) scales: float8_e8m0fnu[N]) -> ()"),
}


def draw(seed: int) -> dict[str, tuple[str, str]]:
    """Return kernels and signatures by the names of their operators; two thirds are custom."""
    rng, binding = random.Random(seed), BINDINGS[seed % 3]
    kernels = ["custom"] * (OPS - OPS // 3)
    kernels += [rng.choice(["rowwise", "rowwise", *DRAWN]) for _ in range(OPS // 3)]
    rng.shuffle(kernels)
    return {
        f"drawn_{i}": (x, next(accepted(x, rng, binding=binding))) for i, x in enumerate(kernels)
    }


def binding(seed: int, ops: dict[str, tuple[str, str]]) -> str:
    """Return a binding by the seed, that of LibTorch's stable ABI only for what is in it."""
    chosen = BINDINGS[seed % 3]
    return "torch_library" if any(refusal(*op, binding=chosen) for op in ops.values()) else chosen


def build(folder: Path, seed: int, ops: dict[str, tuple[str, str]]) -> Path:
    """Render a project of operators and install it; its README and its quickstart show the first one."""
    (op, (kernel, signature)), *others = ops.items()
    more = "\n".join(f"{kernel}: {name}{signature}" for name, (kernel, signature) in others)
    answers = {"kernel": kernel, "op": op, "signature": signature, "more_ops": more}
    project = render(folder / "my_ops", answers | {"binding": binding(seed, ops)})
    replace(project / "setup.py", '"-O3"', '"-O0"')
    as_one_source(project, ops)
    return project


@pytest.mark.long
@pytest.mark.parametrize("number", range(-(-SIGNATURES // OPS)))
def test_random_operators_pass_their_own_tests(number, tmp_path):
    seed = SEED + number
    ops = draw(seed) if not REAL else dict(list(OPERATORS.items())[number * OPS :][:OPS])
    ops |= {} if number else FOUND
    if BINDINGS[seed % 3] != "torch_stable":
        ops |= {} if number else SCALES
    print(
        f"SIGNATURES_SEED={seed} ./dev build_cpu -- tests/build_cpu/test_build_random.py repeats this"
    )
    print(*(f"{kernel}: {name}{text}" for name, (kernel, text) in ops.items()), sep="\n")
    project = build(tmp_path, seed, ops)
    built = install(project)
    assert built.returncode == 0, built.stdout[-6000:]
    report = project / "report.xml"
    # With any nvcc that is there, which only here compiles code of drawn signatures.
    options = ["-q", f"--junitxml={report}", "-k", TESTS]
    result = run("pytest", *options, cwd=project, CUDA_HOME=os.environ.get("CUDA_HOME", ""))
    found = {ops[name]: tests for name, tests in failures(report).items()}
    assert result.returncode == 0, f"{result.stdout[-6000:]}\n{found}"
    succeed(python(), "examples/quickstart.py", cwd=project)


def test_operators_without_a_compiler_pass_their_own_tests(tmp_path):
    """With nvrtc, the reference runs on a CPU, in the dtypes that a kernel computes in."""
    ops = ["drawn_rounded", "drawn_flags", "drawn_halves"]
    more = [f"{FOUND[op][0]}: {op}{FOUND[op][1]}" for op in ops]
    more += ["custom: drawn_float8(Tensor x: float8_e5m2[N, D]) -> Tensor: float8_e5m2[D]"]
    # With its second shape, x gives no N, by which a size is divided.
    shapes = "(Tensor x: [N, S] if k <= 2 else [1], Tensor y: [M, (M + N - 1) // N], int k) -> Tensor: [M]"
    more += [f"custom: drawn_shapes{shapes}"]
    counted = (
        "(Tensor x: [N, D], Tensor? y: [N]) -> (Tensor? rows: [K?, D] if y, Tensor? sums: [D] if y)"
    )
    more += [f"custom: drawn_told{counted}"]
    # The second shape of x has an expression of N, which only the first one gives.
    zero = "(Tensor x: [N, M] if k > 2 else [(N + 1) // 2], Tensor y: [M], int k) -> Tensor: [M]"
    more += [f"custom: drawn_zero{zero}"]
    lists = "(Tensor x: [N], Tensor[] parts: [N], Tensor y: [len(parts)]) -> Tensor: [N]"
    more += [f"custom: drawn_lists{lists}"]
    # The only result with a derivative is absent.
    absent = "(Tensor x: [N], bool b) -> (Tensor place: int64[N], Tensor? out: [N] if not b else [1] if b)"
    more += [f"custom: drawn_later{absent}"]
    # torch.vmap and DTensors have no rule for them.
    more += ["image: drawn_pixels(*, Tensor image)", "volume: drawn_voxels(*, Tensor volume)"]
    more += ["matmul: drawn_product(*, Tensor a, Tensor b)"]
    # Sizes are read without Python's `len`.
    length = "(Tensor x: [..., N, *s], Tensor y: [*s], Tensor[] parts: [N], float len) -> Tensor: [len(parts), N]"
    more += [f"custom: drawn_len{length}"]
    # pytest would run it as a test.
    more += ["custom: test_drawn(Tensor x: [N]) -> Tensor: [N]"]
    project = render(tmp_path / "my_ops", {"build": "nvrtc", "more_ops": "\n".join(more)})
    succeed("pytest", "-q", "-k", "drawn and not compile", cwd=project)
