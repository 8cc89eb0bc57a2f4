"""Kernels of other shapes, as their authors write them at the places marked EDIT, pass the rendered tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from building import compile_faster, count_of_tests, install, python, ran_tests, run, succeed
from custom_edits import CUSTOM, change, make_edits, more_ops
from render import render
from updating import replace

# The most lines that change beside the kernel's math, its reference and the arguments of its tests; 16-bit dtypes are two
# lists and their header. With CUB, its headers and two calls.
MOST, OF_16_BITS, OF_CUB = 10, 3, 5

# As they start: an operator that returns a list is known to PyTorch as one, but one that writes, too.
LISTS = {
    "parts": "(Tensor x: [N, D], Tensor? weight: [D]) -> [Tensor out: [N, D], Tensor: float32[N], Tensor: int64[2]]",
    "chosen": "(Tensor(a!) y: [N], Tensor x: [N], int k) -> [Tensor: [N], Tensor: int64[k]]",
    "alone": "(Tensor x: [N, D]) -> [Tensor corr: [N]]",
    "kept": "(Tensor(a!) y: [N], Tensor x: [N]) -> [Tensor sums: [N]]",
    "scanned": "(Tensor A: float32[D, S], Tensor B: [B, S], Tensor? D: [D]=None) -> Tensor: [B, D]",
    # Sizes of lists, and of a tensor of any shape.
    "resized": "(Tensor x: [C, H], int[2] size=3, *, int[2] pad=[0, 1]) -> Tensor: [C, size[0], H + 2 * pad[1] - size[1] // 2]",
    "interpolated": "(Tensor x: [N, C, H, W], int[] output_size, bool align_corners, int[] pad=[0, 1]) -> Tensor: [N, C, output_size[0], output_size[1] + pad[0]]",
    "stacked": "(Tensor[] tables: [N, D], Tensor index: int64[M]) -> Tensor: [M, len(tables), D]",
    "lengths": "(Tensor x: [N, D], int[] dims, float[] scales=[1], *, bool wide=True, Tensor? w: [len(dims)]=None) -> (Tensor: [N, 2 * len(dims)], Tensor: float32[len(scales)] if wide else float32[0])",
    "flattened": "(Tensor x, Tensor y: [x.numel()], Tensor(a!) z: [..., K]) -> Tensor: float32[z.numel() // 2, x.numel()]",
    # Scratch memory.
    "sorted_by": "(Tensor keys: int32[N, D]) -> (Tensor: int32[N, D], Tensor: int64[N]) using Tensor other: int32[N, D + 1]",
    "in_place": "(Tensor(a!) x: [..., N]) -> () using Tensor room: [..., N // 2], Tensor flags: int32[N, 2]",
    "asked": "(Tensor x: [..., N]) -> (Tensor: [..., N], Tensor: int64[K?]) using Tensor room: uint8[bytes?], Tensor more: [..., M?, N + 1]",
    # A result without elements has no bytes; a negative number becomes uint8 as in PyTorch.
    "narrowed": "(Tensor x: [N, D]) -> Tensor: float8_e5m2[N, D - 1]",
    "cast": "(Tensor x: [N, D], Tensor(a!) y: Q[D]) -> () where Q in {int8, uint8, float8_e4m3fn}",
    # A view that may be absent and whose sizes no other tensor has; a result that is only a number.
    "spread": "(Tensor x: [N, D], Tensor(a!)? y: [P, Q] strided) -> Tensor: [N]",
    "beside": "(Tensor x: [N, D] strided, Tensor(a!) y: [P, Q] strided) -> ()",
    # A result without elements of a size that may become negative, and the elements of a tensor in one of two shapes.
    "shortened": "(Tensor x: [R, D] strided, str? s, *, SymInt k) -> Tensor: float32[K?, x.numel(), x.numel() - k, D // 2]",
    "shorter": "(Tensor x: [N], Tensor v: int32[N - 3] if wide else [2], bool wide) -> (Tensor: [N], Tensor: [N - 3])",
    "either": "(Tensor x: [B, D], Tensor y: int32[B, D], Tensor v: int64[y.numel()] if wide else [0], bool wide) -> Tensor: [B]",
    # Names that the rendered code makes of others, and conditions that differ in case.
    "doubled": "(Tensor x: [B_C, C]) -> (Tensor a: [B_C + 1], Tensor a_b: [C + 1])",
    "redeclared": "(Tensor x: [N, A_N]) -> (Tensor b: [A_N], Tensor a: [N + 1])",
    "by_case": "(Tensor x: [N], bool a, bool A) -> (Tensor? y: [M?] if a, Tensor? z: [M?] if A)",
    # Autocast converts to float32, which the kernel lacks; the dtype of a result has no letter that a size has.
    "halves": "(Tensor x: T[N], Tensor y: T[N], bool wide) -> (Tensor n: float32[N] if wide else T[N]) where T in {float16, bfloat16}",
    "whether": "(Tensor x: [N, D]) -> (bool found)",
    # Any number of dimensions, with names.
    "channels": "(Tensor x: [N, C, *space], Tensor? scale: [*space]=None) -> (Tensor: float32[C], Tensor: [*space, N])",
    "crossed": "(Tensor x: [*a, N, *b], Tensor[] y: [*a], Tensor(a!) z: int32[*c, *b, 2]) -> Tensor: [*c, *a, N]",
    "picked": "(Tensor x: [N, D]) -> [Tensor index: int64[K?], Tensor rows: [K?, D]]",
    # Two shapes.
    "swapped": "(Tensor x: [N, C] if not last else [C, N], bool last, Tensor w: [C], Tensor(a!) y: int32[N, C] if kind == 0 else [0], int kind) -> (Tensor: [N, C] if last else [0], Tensor: [N]) using Tensor room: int32[N + 1 if last else 0, 2]",
    "packed_in": "(Tensor A: [...], int blocksize, ScalarType store) -> (Tensor: store[(A.numel() + 1) // (store.itemsize * 2), 1], Tensor: float32[blocksize]) where store in {uint8, bfloat16, float32}",
    "four_dtypes": "(Tensor x: X[..., H], Tensor y: T[...], Tensor w: W[N, H], Tensor? bias: out_dtype[N]=None, ScalarType? out_dtype=None) -> Tensor: out_dtype[..., N] where T in {float16, float32}, X in {int8, uint8}, W in {float64, int8}, out_dtype in {float16, float32}",
    "triangle": "(Tensor x: [..., N], Tensor? w: [N] if flag else [1], bool flag, int k=2) -> (Tensor: [..., N * (N + 1) // 2] if k > 1 else [..., N, N], Tensor? y: float32[N, 1] if flag else [N] if flag, Tensor: [N] if w else [0])",
    "summed_grad": "(Tensor(a!) grad_x: [N, I], Tensor x: [N, I], Tensor grad_out: [N]) -> ()",
    "counted": "(float alpha, Tensor? w: [N], Tensor x: [N], Tensor y: [N], Tensor(a!) counter: int32[1]) -> Tensor: [N]",
}
TYPES = """
import my_ops, torch
x = torch.ones(4, 3)
assert type(my_ops.parts(x, None)) is type(torch.ops.my_ops.parts(x, None)) is list
assert type(my_ops.parts(x.requires_grad_(), None)) is list
assert type(my_ops.alone(x)) is type(torch.ops.my_ops.alone(x)) is type(my_ops.kept(torch.ones(3), x[0].detach())) is list
assert type(my_ops.chosen(torch.ones(3), torch.ones(3), 2)) is list
print(torch.ops.my_ops.parts.default._schema)
"""

# Of a view with gaps, the first and the last element are compared with another argument.
BESIDE = """
import my_ops, torch
buffer = torch.ones(8, 8)
left = buffer[:, :4]
for other in buffer[:, 4:], buffer[:1, 4:], buffer[3:4, 4:], left[:0]:
    my_ops.beside(left, other)
    my_ops.beside(other, left)
for x, y in (left, buffer[7:]), (buffer[7:], left), (buffer[:1], left), (buffer[4:, 2:4], left):
    try:
        my_ops.beside(x, y)
    except RuntimeError as error:
        assert "beside: y is written to and must not share memory with another argument" in str(error)
    else:
        raise AssertionError(f"{x.shape} and {y.shape} share memory")
"""

# What the suite says about a kernel that accepts less than its reference, and about numbers that are fixed.
REFUSES = """
import pytest, torch
from my_ops_suite.custom import check_sizes
from test_counted import OPERATOR

def refusing(alpha, w, x, y, counter):
    if len(x) > 20:
        raise RuntimeError("N is too large")
    return OPERATOR.function(alpha, w, x, y, counter)

try:
    operator = OPERATOR._replace(function=refusing)
    check_sizes(operator, torch.float32, "cpu", {"N": 33}, "the result with N=33")
except pytest.skip.Exception as reason:
    said = "the result with N=33 is refused only by the operator: N is too large"
    assert str(reason) == said, reason
else:
    raise AssertionError("not refused")
assert OPERATOR.floats == [0] and OPERATOR._replace(fixed=["alpha"]).floats == []
"""

# PyTorch refuses DTensors in custom operators with an error, so nobody takes a part of a result for the whole.
SHARDED = """
from importlib import import_module
from pathlib import Path

import torch
from my_ops_suite.custom import apply, call
from torch import distributed
from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh

distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))
for path in Path().glob("test_*.py"):
    operator = getattr(import_module(path.stem), "OPERATOR", None)
    if operator is None:
        continue
    args = [apply(lambda y: distribute_tensor(y, mesh, [Shard(0)]), x) for x in operator.make_args()]
    for function in operator.function, operator.op:
        try:
            call(operator, function, args)
        except (NotImplementedError, RuntimeError) as error:
            assert operator.op._schema.name.partition("::")[2] in str(error), error
        else:
            raise AssertionError(f"{operator.op} takes DTensors")
    print("refused", path.stem)
"""


@pytest.mark.long
def test_edits_pass(tmp_path):
    """The binding differs from the binding of the CUDA session."""
    answers = {"binding": "torch_stable", "signature": "Tensor(a!) out, Tensor x, float c -> ()"}
    started = "".join(f"\ncustom: {name}{schema}" for name, schema in LISTS.items())
    project = render(tmp_path / "my_ops", answers | {"more_ops": more_ops() + started})
    # In tests of vmap, the second sample has another number.
    replace(project / "tests/test_counted.py", "return [0.5,", "return [torch.rand(()).item(),")
    changed = make_edits(project)
    most = {x: MOST + OF_16_BITS * y.of_16_bits + OF_CUB * bool(y.host) for x, y in CUSTOM.items()}
    assert all(count <= most[name] for name, count in changed.items()), changed
    compile_faster(project)
    ran = ran_tests(project, "-k", f"({' or '.join([*CUSTOM, *LISTS])}) and not compile")
    for name in [*CUSTOM, *LISTS]:
        assert ran[f"tests.test_{name}"] >= 5, name
    refused = succeed(python(), "-c", SHARDED, cwd=project / "tests")
    assert refused.count("refused") == len(CUSTOM) + len(LISTS), refused
    succeed(python(), "-c", BESIDE, cwd=project)
    succeed(python(), "-c", REFUSES, cwd=project / "tests")
    schema = "my_ops::parts(Tensor x, Tensor? weight) -> Tensor[]"
    assert schema in succeed(python(), "-c", TYPES, cwd=project)
    # Of an operator that writes, and returns nothing.
    assert "differs from plain PyTorch by" in succeed(
        python(), "examples/quickstart.py", cwd=project
    )


THEN = """
import sys, types, torch
from my_ops._kit import bindings
from test_deform_conv import make_args

def launcher(p, dtypes, device):
    def launch(call):  # what the kernel writes
        out, columns = [x for x in call.struct if isinstance(x, torch.Tensor)][-2:]
        out.fill_(1)
        columns.copy_(torch.arange(columns.numel()).view_as(columns).sin())
    return launch

sys.modules["my_ops._library"] = types.SimpleNamespace(launcher=launcher)
args = make_args()
out = bindings.cuda_function(bindings.OPS["deform_conv"][0])(*args)
weight = args[2].flatten(1)
columns = torch.arange(out.shape[0] * weight.shape[1] * out[0, 0].numel()).sin()
columns = columns.view(len(out), weight.shape[1], -1)
torch.testing.assert_close(out.flatten(2), 1 + weight @ columns)
"""


def test_nvrtc_calls_what_follows_a_kernel(tmp_path):
    """PyTorch multiplies after the launch; here without a GPU, so that the launch writes without a kernel."""
    answers = {"build": "nvrtc", "more_ops": more_ops(["deform_conv"])}
    project = render(tmp_path / "my_ops", answers, extent="core")
    make_edits(project, ["deform_conv"])
    succeed(python(), "-c", THEN, cwd=project / "tests", PYTHONPATH=f"{project}:{project}/tests")


REFUSED = """
import my_ops, torch
x = torch.ones(2, 3)
compiled = torch.compile(my_ops.pad, fullgraph=True, dynamic=True, backend="eager")
assert compiled(x, 2).shape == (2, 3)
for function in my_ops.pad, compiled, lambda x, rows: my_ops.pad(x.to("meta"), rows):
    try:
        function(x, 0)
    except Exception as error:
        print(next(line for line in str(error).splitlines() if "positive" in line))
"""


def test_nvrtc_counts_threads_of_absent_results(tmp_path):
    """The call computes the number of threads by Python's `max`, unless an argument has that name."""
    schema = "(Tensor x: [N], bool max) -> (Tensor? few: [N] if max, Tensor many: [N, 2])"
    answers = {"kernel": "custom", "op": "doubled", "signature": schema, "build": "nvrtc"}
    project = render(tmp_path / "my_ops", answers)
    program = (
        "import torch\n"
        "from my_ops.ops.doubled import _call\n"
        "print([_call(torch.ones(3), x).struct[-1] for x in (False, True)])\n"
    )
    printed = succeed(python(), "-c", program, cwd=project, PYTHONPATH=str(project))
    assert printed.strip() == "[6, 9]"


OPTIONAL = """
import torch
from my_ops.ops.sized import _fake
x = torch.ones(3)
_fake(x, torch.ones(2), [x], torch.ones(1), 2)
for w, v in (torch.ones(3), None), (None, torch.ones(2)):
    try:
        _fake(x, w, [x], v, 2)
    except RuntimeError as error:
        print(error)
"""


def test_an_optional_tensor_has_the_size_of_a_number(tmp_path):
    """A size that only an optional tensor has, and that a number gives, was not checked."""
    schema = "(Tensor x: [N], Tensor? w: [n], Tensor[] xs: [N], Tensor? v: [len(xs)], int n) -> Tensor: [N]"
    answers = {"kernel": "custom", "op": "sized", "signature": schema, "build": "nvrtc"}
    project = render(tmp_path / "my_ops", answers, extent="core")
    printed = succeed(python(), "-c", OPTIONAL, cwd=project, PYTHONPATH=str(project))
    assert printed.splitlines() == [
        "sized: w must have the shape [n] with n = 2, but has [3]",
        "sized: v must have the shape [len(xs)] with len(xs) = 1, but has [2]",
    ]


@pytest.mark.parametrize("shape, tests", [("N", ["cpu", "cuda"]), ("2, 3", [])])
def test_only_a_result_that_can_be_empty_is_tested_empty(shape, tests, tmp_path):
    """For other operators, the test repeated an earlier one."""
    answers = {
        "kernel": "custom",
        "op": "kept",
        "signature": f"(Tensor x: [{shape}]) -> Tensor: [{shape}]",
    }
    project = render(tmp_path / "my_ops", answers | {"build": "nvrtc"}, extent="core")
    collect = run(
        "pytest", "-q", "--collect-only", "tests/test_kept.py", cwd=project, PYTHONPATH=str(project)
    )
    assert re.findall(r"::test_empty\[(\w+)]", collect.stdout) == tests


def test_a_difference_is_said_in_four_lines(tmp_path):
    """As for other kernels, the first failure is reported in full and a repeated failure in one line."""
    signature = "Tensor values: [N, D], int rows -> Tensor: [rows, D]"
    answers = {"kernel": "custom", "op": "pad", "signature": signature, "build": "jit"}
    project = render(tmp_path / "my_ops", answers | {"binding": "torch_stable"})
    replace(project / "my_ops/ops/pad.py", "return start.view", "return -start.view")
    # A value is refused, as README states.
    readme = (project / "README.md").read_text()
    in_python, in_cpp = re.findall(r"`(torch\._check.*?\)|if .*?;)`", readme)
    fake = "    check = _checks.Checks("
    replace(project / "my_ops/ops/pad.py", fake, f"    {in_python}\n{fake}")
    threads = "  // EDIT: the number of threads"
    replace(project / "my_ops/csrc/pad/pad.cpp", threads, f"  {in_cpp}\n{threads}")
    assert install(project).returncode == 0
    extensions = {"TORCH_EXTENSIONS_DIR": str(tmp_path / "extensions")}
    text = run(
        "pytest",
        "-q",
        "-k",
        "test_values and not test_values_ or gradcheck",
        cwd=project,
        **extensions,
    ).stdout
    refused = run(python(), "-c", REFUSED, cwd=project, **extensions)
    assert refused.stdout.count("pad: rows must be positive") == 3, refused.stdout
    failures = text.split("= FAILURES =")[1].split("= short test summary info =")[0]
    lines = failures.splitlines()[1:-1]
    of = "between my_ops/csrc/pad/ and pad_reference in my_ops/ops/pad.py"
    assert lines[1] == lines[6] == f"pad: the result differs {of}", failures
    assert re.match(r"Mismatched .*; Greatest absolute difference: .* at index \(", lines[2])
    assert re.match(r"with values = float32\[5, 7\], rows = \d$", lines[3]), failures
    assert lines[4].startswith("Compared with double, the kernel is off by ")
    of = "between PadFunction.backward in my_ops/ops/pad.py and finite differences of my_ops/csrc/pad/"
    assert lines[8] == f"pad: the gradient differs {of}" and len(lines) == 11, failures
    # In autocast, which computes products in 16 bits, its reference is still what a kernel would be.
    module = project / "my_ops/ops/pad.py"
    change(
        module,
        r"(    return -start\..*?\n)",
        "    return torch.eye(rows, len(values)).to(values) @ values\n",
    )
    replace(module, "HAS_CPU_KERNEL = True", "HAS_CPU_KERNEL = False")
    text = succeed("pytest", "-q", "-k", "autocast", cwd=project, **extensions)
    assert "2 passed" in text, text


ROWS = """
import torch
import my_ops

class Rows(torch.nn.Module):
    def forward(self, x):
        index, rows = my_ops.rows_above(x, 0.0)
        return index + 1, rows.sin()

exported = torch.export.export(Rows(), (torch.randn(5, 3),), dynamic_shapes=({0: torch.export.Dim("n")},))
for x in (torch.randn(9, 3), torch.ones(4, 3), torch.ones(1, 3), -torch.ones(4, 3), torch.ones(0, 3)):
    torch.testing.assert_close(exported.module()(x), Rows()(x))
x = -torch.ones(1000, 3)
x[3] = 1
rows = my_ops.rows_above(x, 0.0)[1]
assert rows.untyped_storage().nbytes() == rows.nbytes == 12
x = torch.stack([torch.ones(4, 3), torch.ones(4, 3), -torch.ones(4, 3)])
assert torch.vmap(lambda x: my_ops.rows_above(x, 0.0)[0])(x[:2]).tolist() == [[0, 1, 2, 3]] * 2
try:
    torch.vmap(lambda x: my_ops.rows_above(x, 0.0)[0])(x)
except RuntimeError as error:
    assert "equal size" in str(error), error
else:
    raise AssertionError("other numbers of rows are no batch")
"""


GENERATOR = """
import torch, my_ops
q, x = torch.zeros(3), torch.ones(3)
for function in my_ops.dropped, torch.ops.my_ops.dropped, torch.compile(my_ops.dropped):
    assert len(function(q.zero_(), x, torch.Generator())) == 2
    assert q.tolist() == [1, 1, 1]
"""


@pytest.mark.long
def test_a_size_that_only_the_kernel_knows(tmp_path):
    """It is exported, compiled and batched, next to an operator with a generator.

    Results keep no more memory than they need, and a wrong count is refused. Takes a minute, mostly Inductor's C++
    compiler.
    """
    answers = {"kernel": "custom", "op": "rows_above", "build": "jit"}
    signature = CUSTOM["rows_above"].signature
    dropped = "dropped(Tensor(a!) q: [N], Tensor x: [N], Generator? gen=None) -> [Tensor: [N], Tensor mask: bool[N]]"
    answers |= {"signature": signature, "more_ops": f"custom: {dropped}"}
    project = render(tmp_path / "my_ops", answers)
    assert make_edits(project, ["rows_above"])["rows_above"] <= MOST
    assert install(project).returncode == 0
    extensions = {"TORCH_EXTENSIONS_DIR": str(tmp_path / "extensions")}
    tests = "rows_above and (compile or opcheck or gradcheck)"
    text = run("pytest", "-q", "-k", tests, cwd=project, **extensions).stdout
    assert "6 passed" in text, text
    text = run(
        "pytest",
        "-q",
        "-k",
        "dropped and (compile or test_values and not another)",
        cwd=project,
        **extensions,
    ).stdout
    assert "9 passed" in text, text
    succeed(python(), "-c", GENERATOR, cwd=project, **extensions)
    succeed(python(), "examples/quickstart.py", cwd=project, **extensions)
    succeed(python(), "-c", ROWS, cwd=project, **extensions)
    replace(
        project / "my_ops/csrc/rows_above/rows_above.h",
        "  atomic_add(count, int64_t(1))",
        "  atomic_add(count, int64_t(2))",
    )
    wrong = run(
        python(),
        "-c",
        "import torch, my_ops; my_ops.rows_above(torch.ones(4, 3), 0.0)",
        cwd=project,
        **extensions,
    )
    assert "rows_above: the kernel counted K = 8, which must be from 0 to 4" in wrong.stdout


ONCE = """
import torch
from my_ops.ops import rows_above

fake, calls = rows_above._fake, []
rows_above._fake = lambda *args, **keywords: calls.append(keywords) or fake(*args, **keywords)
x = -torch.ones(1000, 3)
x[3] = 1
results = torch.ops.my_ops.rows_above(x, 0.0)
assert len(calls) == 1, calls
assert [y.untyped_storage().nbytes() for y in results] == [8, 12]
"""


def test_without_a_compiler(tmp_path):
    """With NVRTC, the reference computes on the CPU: in autocast too, with dtypes of the signature beside elementwise operators."""
    more = [
        "muladd(Tensor a, Tensor b)",
        "custom: scaled(Tensor x: [N, D], Tensor scale: float16[D]) -> Tensor: [N, D]",
        f"custom: rows_above{CUSTOM['rows_above'].signature}",
    ]
    signature = "Tensor x: [N, D] -> Tensor: [N, N]"
    answers = {"kernel": "custom", "op": "gram", "signature": signature, "build": "nvrtc"}
    project = render(tmp_path / "my_ops", answers | {"more_ops": "\n".join(more)})
    make_edits(project, ["rows_above"])
    change(project / "my_ops/ops/gram.py", r"(    return start\..*?\n)", "    return x @ x.T\n")
    ran = count_of_tests(project, "-k", "autocast and not muladd", PYTHONPATH=str(project))
    assert all(ran[f"tests.test_{name}"] == 2 for name in ("gram", "scaled", "rows_above")), ran
    succeed(python(), "-c", ONCE, cwd=project, PYTHONPATH=str(project))


# Signatures that tests of a fresh project had to be made for: counters of one element, arguments before the first tensor,
# many sizes, lists that are written, and as vLLM, FP6-LLM and torchvision have them.
UNTOUCHED = {
    "counted": "(Tensor x: float32[N], Tensor(a!) counter: int32[1]) -> ()",
    "found": "(Tensor x: [N], Tensor(a!) found_inf: float32[]) -> ()",
    "blend": "(float alpha, Tensor x: [N], Tensor y: [N]) -> Tensor: [N]",
    "maybe": "(Tensor? w: [N], Tensor x: [N], Tensor y: [N]) -> Tensor: [N]",
    "listed": "(float alpha, Tensor[] xs: [N], Tensor y: [N]) -> Tensor: [N]",
    "many": "(Tensor a: [A, B, C, D], Tensor b: [E, F, G, H], Tensor c: [J, K, L, M]) -> Tensor: [J, K, L, M]",
    "valid": "(Tensor x: [H, W], Tensor k: [h, w]) -> Tensor: [H - h + 1, W - w + 1]",
    "moe_align_block_size": "(Tensor topk_ids: int32[T, K], int num_experts, int block_size, "
    "Tensor! sorted_token_ids: int32[S], Tensor! experts_ids: int32[E], Tensor! num_tokens_post_pad: int32[1]) -> ()",
    "quant_llm_linear": "(int EXPONENT, int MANTISSA, Tensor _in_feats: float16[B, I], "
    "Tensor _weights: uint8[O, I * (1 + EXPONENT + MANTISSA) // 8], Tensor _scales: float16[O], int splitK) "
    "-> Tensor: float16[B, O]",
    "widened": "(Tensor x: [N], ScalarType? dtype, bool wide) -> (Tensor y: dtype[N], "
    "Tensor z: dtype[N] if wide else int64[N]) where dtype in {float32, float64}",
    "padded": "(Tensor y: [2] if t else [out_numel], bool t) -> Tensor: [2] if t else [out_numel]",
    "adam_": "(Tensor(a!)[] params, Tensor(b!)[] m, Tensor(c!)[] v, Tensor[] grads, float lr, float beta1=0.9) -> ()",
    "deform_conv2d": "(Tensor input: [N, C, H, W], Tensor weight: [O, C // groups, kh, kw], "
    "Tensor offset: [N, 2 * offset_groups * kh * kw, P, Q], Tensor mask: [N, offset_groups * kh * kw, P, Q], "
    "Tensor bias: [O], int stride_h, int stride_w, int pad_h, int pad_w, int dil_h, int dil_w, int groups, "
    "int offset_groups, bool use_mask) -> Tensor: [N, O, P, Q]",
}


def test_fresh_projects_pass(tmp_path):
    """No compiler is needed here; `test_edits_pass` compiles some of these."""
    # Rows have more elements than int16 has numbers.
    looked_up = "(Tensor min: [..., H], Tensor at: int16[...]) -> Tensor: [..., H]"
    more = "\n".join(f"custom: {name}{schema}" for name, schema in UNTOUCHED.items())
    more += f"\nrowwise: looked_up{looked_up}"
    project = render(tmp_path / "my_ops", {"build": "nvrtc", "more_ops": more})
    names = [*UNTOUCHED, "looked_up"]
    selection = f"({' or '.join(names)}) and not compile and not opcheck"
    ran = count_of_tests(project, "-k", selection, PYTHONPATH=str(project))
    assert all(ran[f"tests.test_{name}"] >= 10 for name in names), ran


def test_adding_to_a_const_argument(tmp_path):
    """The compiler's error names the line, and no detail of atomic_add."""
    answers = {"kernel": "custom", "op": "smooth", "signature": "Tensor x: [N] -> Tensor: [N]"}
    csrc = render(tmp_path / "my_ops", answers) / "my_ops/csrc"
    source = """
#include "kit/atomic.h"
void add(double* out, const double* x) {
  my_ops::atomic_add(out, 1.0);
  my_ops::atomic_add(x + 1, 1.0);
}
"""
    (csrc / "add.cpp").write_text(source)
    found = run("c++", "-std=c++20", "-fsyntax-only", "add.cpp", cwd=csrc).stdout
    (error,) = re.findall("error: .*", found)
    assert "cannot add to a const argument" in error and "add.cpp:5:" in found, found


# Sizes of arguments that kernels read from and write to, besides those of the gradient that README proposes.
QUOTIENTS = """
custom: dequantized(Tensor packed: uint8[R, P], Tensor scales: [R, (P*2+group-1)//group], int group) -> Tensor: [R, P*2]
custom: halves(Tensor(a!) y: [..., (N + 1) // 2], Tensor(b!)? store: int32[N // k * 2], Tensor x: [..., N], int k) -> ()
custom: kept(Tensor x: [N // k, D], int k, Tensor y: [N]) -> (Tensor index: int64[K?], Tensor rows: [K?, N // k])
"""


@pytest.mark.parametrize("build", ["setuptools", "nvrtc"])
def test_kernels_get_sizes_that_are_quotients(build, tmp_path):
    """A kernel gets each quotient by name, because C++ rounds towards zero and a GPU divides slowly."""
    signature = "Tensor x: [N, C, W], int k, int stride=1 -> Tensor: [N, C, (W - k) // stride + 1]"
    answers = {"kernel": "custom", "op": "pool", "signature": signature}
    readme = (render(tmp_path / "first", answers) / "README.md").read_text()
    (gradient,) = re.findall(r"'more_ops=\+(custom: pool_grad.*)'", readme)
    answers |= {"build": build, "more_ops": f"{gradient}{QUOTIENTS}"}
    csrc = render(tmp_path / "my_ops", answers) / "my_ops/csrc"
    # With setuptools, no header of PyTorch is included; nvcc and NVRTC read the same lines. NVRTC may get 16-bit types
    # without an edit of the header, and reads CUDA's in place of PyTorch's.
    flags = [] if build == "setuptools" else [f"-I{Path(torch.__file__).parent}/include"]
    for op in ("pool", "pool_grad", "dequantized", "halves", "kept"):
        (csrc / "thread.cpp").write_text(f'#include <cstdint>\n#include "{op}/{op}.h"\n')
        succeed(
            "c++", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", *flags, "thread.cpp", cwd=csrc
        )
    header = (csrc / "pool_grad/pool_grad.h").read_text()
    assert "x_grad[i] = i < N * C * out_grad_w ? out_grad[i] : scalar_t(0);" in header


# The largest absolute value of a row, wherever the NaN is.
WITH_NAN = """
#include <cmath>

#include "softened/softened.h"

int main() {
  for (int at = 0; at < 6; ++at) {
    my_ops::SoftenedState<float> one, other;
    for (int i = 0; i < 6; ++i) (i < 3 ? one : other).add(i == at ? NAN : i - 2, i);
    one.merge(other);
    my_ops::SoftenedRow<float> row;
    one.finish(6, row);
    if (!std::isnan(row.scale)) return 1;
  }
}
"""


def test_a_new_operator_on_rows_keeps_a_nan(tmp_path):
    """As its reference does."""
    answers = {"kernel": "rowwise", "op": "softened"}
    answers |= {"signature": "Tensor rows: float32[..., N] -> Tensor: float32[..., N]"}
    csrc = render(tmp_path / "my_ops", answers) / "my_ops/csrc"
    (csrc / "main.cpp").write_text(WITH_NAN)
    succeed("c++", "-std=c++20", "-Wall", "-Werror", "main.cpp", "-o", "main", cwd=csrc)
    succeed("./main", cwd=csrc)


def test_what_differs_is_named(tmp_path):
    """The message names the argument with the wrong gradient, and the call. In core, which has no autocast."""
    answers = {"kernel": "custom", "op": "scaled_forward", "build": "nvrtc", "extent": "core"}
    signature = "Tensor x: [N], Tensor weight: [N], Tensor? bias: [N] -> Tensor: [N]"
    project = render(tmp_path / "my_ops", answers | {"signature": signature})
    module = project / "my_ops/ops/scaled_forward.py"
    product = "    return x * weight * (1 if bias is None else bias)\n"
    change(module, r"(    start = .*?\n    return start.*?\n)", product)
    call = "_checks.vjp(scaled_forward_reference, [grad_out], x, weight, bias)"
    wrong = (
        f"grad_x, grad_weight, grad_bias = {call}\n        return grad_x, -grad_weight, grad_bias"
    )
    replace(module, f"return {call}", wrong)
    replace(module, "ADDS_ATOMICALLY = False", "ADDS_ATOMICALLY = True")
    tests = "test_gradients and not compiled or test_deterministic"
    text = run("pytest", "-q", "-k", tests, cwd=project, PYTHONPATH=str(project)).stdout
    backward = "ScaledForwardFunction.backward in my_ops/ops/scaled_forward.py"
    assert f"scaled_forward: the gradient of weight differs between {backward} and" in text, text
    assert "6 failed, 2 passed" in text, text
    replace(module, "-grad_weight", "None")
    text = run("pytest", "-q", "-k", tests, cwd=project, PYTHONPATH=str(project)).stdout
    assert (
        f"{backward} gives no gradient of weight, and scaled_forward_reference has one" in text
    ), text
    test = project / "tests/test_scaled_forward.py"
    replace(test, "constant=[]", 'constant=["weight"]')
    replace(module, "return x * weight", "return x * weight.detach()")
    succeed("pytest", "-q", "-k", tests, cwd=project, PYTHONPATH=str(project))
    refused = """
import torch, my_ops
torch.use_deterministic_algorithms(True)
my_ops.scaled_forward(torch.ones(2), torch.ones(2), None)
"""
    text = run(python(), "-c", refused, cwd=project, PYTHONPATH=str(project)).stdout
    assert "my_ops::scaled_forward does not have a deterministic implementation" in text, text


@pytest.mark.parametrize("dtypes", [("", "float32"), ("float32", ""), ("float32", "float32")])
def test_gradcheck_of_float32(dtypes, tmp_path):
    """Only finite differences find a wrong gradient, because PyTorch derives it from the reference."""
    first, result = dtypes
    signature = f"Tensor x: {first}[N], Tensor weight: [N, D] -> Tensor: {result}[N]"
    answers = {"kernel": "custom", "op": "energy", "build": "nvrtc", "extent": "core"}
    project = render(tmp_path / "my_ops", answers | {"signature": signature})
    module = project / "my_ops/ops/energy.py"
    product = "    return ((x * x).unsqueeze(1) * weight).sum(1)"
    product += ".float()\n" if result else ".to(weight)\n"
    change(module, r"(    start = .*?\n    return start.*?\n)", product)
    text = succeed("pytest", "-q", "-k", "gradcheck", cwd=project, PYTHONPATH=str(project))
    assert "1 passed" in text, text
    replace(module, "(x * x)", "(x * x.detach())")
    text = run("pytest", "-q", "-k", "gradcheck", cwd=project, PYTHONPATH=str(project)).stdout
    assert "energy: the gradient differs" in text and "1 failed" in text, text


def test_gradients_of_rows_in_float16_may_round(tmp_path):
    """In autocast too, where they were compared to 1e-5: one run in two failed for such an operator."""
    answers = {"kernel": "rowwise", "op": "softcap", "build": "nvrtc", "extent": "core"}
    answers |= {"signature": "Tensor x: float16[..., N], float cap=30 -> Tensor: float16[..., N]"}
    project = render(tmp_path / "my_ops", answers)
    selection = "(autocast or test_gradients) and not compiled"
    for seed in "2", "3":  # which failed
        succeed("pytest", "-q", "-k", selection, cwd=project, PYTHONPATH=str(project), SEED=seed)


def test_gradcheck_draws_again_at_a_kink(tmp_path):
    """Of rows with a result in float32, one run in 130 has two elements that are nearly the largest."""
    signature = "Tensor x: [N, D] -> Tensor: float32[N]"
    answers = {"kernel": "custom", "op": "largest", "build": "nvrtc", "extent": "core"}
    project = render(tmp_path / "my_ops", answers | {"signature": signature})
    module, test = project / "my_ops/ops/largest.py", project / "tests/test_largest.py"
    change(module, r"(    start = .*?\n    return start.*?\n)", "    return x.amax(1).float()\n")
    replace(
        test, "import torch\n", "from itertools import count\n\nimport torch\n\nDRAWS = count()\n"
    )
    kink = "torch.ones((N, D), dtype=dtype, device=device)"
    replace(test, "x = torch.randn(", f"x = {kink} if next(DRAWS) == 0 else torch.randn(")
    text = succeed("pytest", "-q", "-k", "gradcheck", cwd=project, PYTHONPATH=str(project))
    assert "1 passed" in text, text
    replace(test, "if next(DRAWS) == 0", "if next(DRAWS) >= 0")
    text = run("pytest", "-q", "-k", "gradcheck", cwd=project, PYTHONPATH=str(project)).stdout
    assert "largest: the gradient differs" in text and "1 failed" in text, text


NAMES = """
import torch, my_ops
x, conjugate = torch.ones(4), torch.ones(4, dtype=torch.complex64).conj()
calls = {
    "copied: out is written to and must not be a view with is_neg()": lambda: my_ops.copied(conjugate.imag, x),
    "kept: y is written to and must not be a view with is_neg()": lambda: my_ops.kept(conjugate.imag, x),
    "kept: y is written to and must not be a view with is_conj()": lambda: my_ops.kept(conjugate, x),
    "scaled: ys is written to and must not": lambda: my_ops.scaled([x, conjugate.imag], [x, x]),
    "summed: xs must have at least one tensor": lambda: my_ops.summed([]),
    "my_ops::summed() Expected": lambda: my_ops.summed(x),
    "my_ops::muladd() Expected": lambda: my_ops.muladd(x.clone().requires_grad_(), 2.0, 1.0),
    "my_ops::muladd() Expected a value of type 'float'": lambda: my_ops.muladd(x, x, "a"),
}
for sentence, call in calls.items():
    try:
        call()
    except RuntimeError as error:
        assert str(error).startswith(sentence) and error.__context__ is None, (sentence, error)
        assert "_forward" not in str(error), error
    else:
        raise AssertionError(sentence)
my_ops.copied(torch.zeros(4), conjugate.imag)
"""


def test_sentences_have_public_names(tmp_path):
    """Errors name neither the second registration of an operator, below Autograd, nor PyTorch's own names."""
    more = [
        "copied(Tensor(a!) out, Tensor x) -> ()",
        "custom: kept(Tensor(a!) y: [N], Tensor x: [N]) -> ()",
        "custom: summed(Tensor[] xs: [N]) -> Tensor: [N]",
        "custom: scaled(Tensor(a!)[] ys: [N], Tensor[] xs: [N]) -> ()",
    ]
    answers = {"build": "nvrtc", "extent": "core", "more_ops": "\n".join(more)}
    project = render(tmp_path / "my_ops", answers)
    succeed(python(), "-c", NAMES, cwd=project, PYTHONPATH=str(project))


# Threads of results of other sizes, and of the number that a kernel counts, where D is 0.
WITHOUT_D = {
    "two": "(Tensor x: [N, D], Tensor y: [M]) -> (Tensor: [N, D], Tensor: [M])",
    "found": "(Tensor x: [N, D]) -> Tensor: [K?, D]",
}
MAIN = """
#include "{0}.h"

int main() {{
  float value = 1;
  int64_t count = 0;
  my_ops::{1}Args<float> args{{}};
  args.N = 1;
  args.num_threads = 1;
  {2};
  my_ops::{0}_thread(0, args);
}}
"""


@pytest.mark.parametrize("op", WITHOUT_D)
def test_an_empty_result_beside_another_divides_by_no_0(op, tmp_path):
    """Without optimization, coordinates are computed that no code reads."""
    project = render(tmp_path / "my_ops", {"more_ops": f"custom: {op}{WITHOUT_D[op]}"})
    folder = project / "my_ops/csrc" / op
    fields = {"two": "args.M = 1; args.y = args.out2 = &value", "found": "args.count = &count"}
    (folder / "main.cpp").write_text(MAIN.format(op, op.capitalize(), fields[op]))
    succeed("g++", "-std=c++20", "-O0", "main.cpp", "-o", "main", cwd=folder)
    succeed("./main", cwd=folder)


# Each thread writes on which of PyTorch's threads it ran, after that many sines.
ON_WHICH = """
  double sum = 0;
  for (int64_t j = 0; j < sines; ++j) sum += std::sin(static_cast<double>(i + j));
  const auto id = std::hash<std::thread::id>()(std::this_thread::get_id());
  out[i] = static_cast<int64_t>(id >> 1) + (sum > 1e30);
"""
# Of the cheap body, one call may be interrupted, and then looks expensive.
COUNTED = """
import my_ops, torch
torch.set_num_threads(4)
x = torch.zeros(64)
print(max(my_ops.which(x, 20_000).unique().numel() for _ in range(3)))
print(min(my_ops.which(x, 0).unique().numel() for _ in range(20)))
"""


@pytest.mark.parametrize("binding", ["torch_library", "torch_stable"])
def test_what_threads_cost_decides_on_how_many_cores_they_run(binding, tmp_path):
    """64 threads are few: 32768 of them, as of an elementwise operator, would be one core's share."""
    signature = "Tensor x: [N], int sines -> Tensor: int64[N]"
    answers = {"kernel": "custom", "op": "which", "signature": signature, "autograd": "none"}
    project = render(tmp_path / "my_ops", answers | {"binding": binding, "build": "jit"})
    header = project / "my_ops/csrc/which/which.h"
    change(header, r"\] = *(?:\n *)?args;\n\n(.*?)}\n\n}  // namespace", ON_WHICH.lstrip("\n"))
    replace(header, "#pragma once\n", "#pragma once\n\n#include <cmath>\n#include <thread>\n")
    extensions = {"TORCH_EXTENSIONS_DIR": str(tmp_path / "extensions"), "CPU_ONLY": "1"}
    text = succeed(python(), "-c", COUNTED, cwd=project, **extensions)
    expensive, cheap = map(int, text.splitlines()[-2:])
    assert expensive == 4, text
    assert cheap == 1, text
