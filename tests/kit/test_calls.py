"""The kit's files for NVRTC, as a package with operators of each kernel: nothing is rendered or compiled."""

from __future__ import annotations

import ctypes
import importlib
import random
import shutil
import sys

import pytest
import torch
from render import TEMPLATE

OPERATORS = """
from ._kit.calls import Operator

OPERATORS = {
    "scale": Operator("elementwise", ["scale"], "(Tensor x, Tensor? y, float? c=None, int[2] n=1) -> Tensor",
                      "(Tensor grad_out, Tensor x, Tensor? y, float? c, bool needs_x, bool needs_y) -> (Tensor, Tensor)"),
    "store": Operator("elementwise", ["store", "_store_forward", "_store_unwritten"],
                      "(Tensor x, Tensor(a!)? out, *, ScalarType dtype) -> Tensor"),
    "norm": Operator("rowwise", ["norm"], "(Tensor x, Tensor w, Tensor? b=None) -> Tensor",
                     "(Tensor grad_out, Tensor x, Tensor w, Tensor? b, bool needs_x, bool needs_w, bool needs_b) "
                     "-> (Tensor, Tensor, Tensor)"),
    "linear": Operator("matmul", ["linear"], "(Tensor a, Tensor b, Tensor bias) -> Tensor",
                       "(Tensor grad_out, Tensor a, Tensor b, Tensor bias, bool needs_a, bool needs_b, bool needs_bias) "
                       "-> (Tensor, Tensor, Tensor)"),
    "gray": Operator("image", ["gray"], "(Tensor image) -> Tensor"),
    "window": Operator("volume", ["window"], "(Tensor x, float? low, float? high) -> Tensor"),
    "picked": Operator("custom", ["picked"], "(Tensor x, Tensor[] tables, int k=2) -> Tensor"),
}
"""


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """Return the package's modules by name."""
    folder = tmp_path_factory.mktemp("kit") / "_kit_of_calls"
    shutil.copytree(TEMPLATE / "template" / "{{ project }}" / "csrc" / "kit", folder / "csrc/kit")
    for name in ("{{ project }}", "{{ project if not compiled else '' }}"):
        kit = TEMPLATE / "template" / name / "_kit"
        shutil.copytree(kit, folder / "_kit", dirs_exist_ok=True)
    (folder / "csrc/gray").mkdir()
    (folder / "csrc/gray/gray.h").write_text("constexpr int kIn = 3;\nconstexpr int kOut = 1;\n")
    (folder / "_project.py").write_text('BUILD = BINDING = "nvrtc"\nCOMPILED_WHEELS = False\n')
    (folder / "_operators.py").write_text(OPERATORS)
    (folder / "__init__.py").touch()
    sys.path.insert(0, str(folder.parent))
    try:
        yield importlib.import_module("_kit_of_calls._kit.bindings")
    finally:
        sys.path.remove(str(folder.parent))


def pass_of(kit, name):
    return next(p for passes in kit.OPS.values() for p in passes if p.name == name)


X, W = torch.zeros(2, 8), torch.zeros(8)


def test_calls_have_what_kernels_get(kit):
    """Inputs, numbers and outputs in the order of the struct; an absent number is 0."""
    call = pass_of(kit, "scale").prepare(X, None)
    assert call.inputs == [X, None] and call.inputs[0] is X
    assert call.numbers == [0] and call.dtypes == (torch.float32,)
    assert call.outputs[0] is call.result and call.result.shape == X.shape
    assert pass_of(kit, "scale").numbers == ["float"]
    call = pass_of(kit, "store").prepare(X, torch.zeros(2, 8), dtype=torch.float16)
    assert len(call.outputs) == 2 and call.result.dtype == torch.float16
    assert call.dtypes == (torch.float32, torch.float16)


def test_gradients_are_made_only_where_they_are_needed(kit):
    backward = pass_of(kit, "norm_backward")
    assert backward.kernel.__name__ == "RowwiseBackward" and backward.numbers == []
    call = backward.prepare(X, X, W, None, False, True, False)
    rows, weight, bias = call.result
    assert rows is None and bias is None and weight.shape == W.shape
    call = pass_of(kit, "linear_backward").prepare(
        torch.zeros(2, 3), X, torch.zeros(8, 3), torch.zeros(3), True, False, True
    )
    assert [x if x is None else [*x.shape] for x in call.result] == [[2, 8], None, [3]]


def test_tensors_keep_the_layout_of_the_first(kit):
    call = pass_of(kit, "scale").prepare(torch.zeros(8, 2).t(), torch.zeros(2, 8))
    assert {x.stride() for x in [*call.inputs, *call.outputs]} == {(1, 2)}
    sliced = torch.zeros(4, 16)[::2, ::2]
    assert pass_of(kit, "norm").prepare(sliced, W).inputs[0].is_contiguous()


def test_bounds_that_are_absent_get_memory(kit):
    prepare = pass_of(kit, "window").prepare
    assert prepare(X, 0.0, 1.0).inputs[1:] == [None, None]
    volume = torch.zeros(3, dtype=torch.int32)
    _, low, high = prepare(volume, None, None).inputs
    assert high.data_ptr() == low.data_ptr() + 8 and low.dtype == torch.float64
    _, low, high = prepare(X, 1.0, None).inputs
    assert low is None and high.storage_offset() == 1


def test_defaults_are_those_of_the_schema(kit):
    schema = pass_of(kit, "picked").schema
    tables = [X]
    assert schema.bind((X, tables), {}) == {"x": X, "tables": tables, "k": 2}
    assert [*schema.bind((X,), {"tables": tables})] == ["x", "tables", "k"]
    assert pass_of(kit, "scale").schema.defaults["n"] == (1, 1)  # which no call can change


def test_schemas_are_registered_under_each_name(kit):
    assert [
        str(getattr(torch.ops._kit_of_calls, x).default._schema)
        for x in ("store", "_store_unwritten")
    ] == [
        "_kit_of_calls::store(Tensor x, Tensor(a!)? out, *, ScalarType dtype) -> Tensor",
        "_kit_of_calls::_store_unwritten(Tensor x, Tensor? out, *, ScalarType dtype) -> Tensor",
    ]


REFUSALS = [
    ("scale", (None, X), "scale: x must be a tensor, but is None"),
    ("scale_backward", (X, None, X, None, True, True), "scale: x must be a tensor, but is None"),
    ("scale", (X, X.double()), "scale: y must have the dtype of x, Float, but has Double"),
    ("scale", (X, X, 1.0, [1]), "scale: n must have length 2, got 1"),
    ("store", (X, X, "dtype"), "store: out is written to and must not share memory"),
    ("norm", (X, X), r"norm: w must have the shape of a row of x, \[8\], but has \[2, 8\]"),
    ("linear", (X, X, W), r"linear: b must have the shape \[8, 8\]"),
    ("gray", (X,), "gray: image must have 3 channels in its last dimension"),
    ("window", (X.half(), None, None), "window: x must have dtype Byte, Short, UInt16, Int or Float"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "message"), REFUSALS)
def test_calls_are_refused_by_name(kit, name, args, message):
    keywords = {"dtype": torch.float32} if "dtype" in args else {}
    with pytest.raises(RuntimeError, match=f"^{message}"):
        pass_of(kit, name).prepare(*[x for x in args if not isinstance(x, str)], **keywords)


def test_views_of_one_allocation_are_written_to(kit):
    """As in C++: a view may have any strides, but no two elements in the same memory."""
    both = torch.zeros(3, 2, 4)
    a, b = both.unbind(1)
    kit.check_written("store", [b, None, torch.zeros(3), a[:0]], ["a"], a=a)
    kit.check_written("store", [a], ["a"], a=a[:0])
    for other in both, both[0, 0, :1]:
        with pytest.raises(RuntimeError, match="store: a is written to and must not share memory"):
            kit.check_written("store", [other], ["a"], a=a)
    with pytest.raises(RuntimeError, match="store: x is written to and must not share memory"):
        kit.check_written("store", [both.flatten()[:9]], ["x"], x=both[1])
    with pytest.raises(RuntimeError, match=r"two elements in the same memory, .* \[0, 1\]"):
        kit.check_written("store", [], ["a"], a=a[:1].expand(3, 4))


def test_of_a_view_with_gaps_the_first_and_the_last_element_are_compared(kit):
    """As in C++: between them, its elements may alternate with another tensor's."""
    buffer = torch.zeros(8, 8)
    left, row = buffer[:, :4], buffer[7]
    for read in buffer[:, 4:], buffer[0, 4:], buffer[3, 4:], left[:1].expand(9, 4)[:, :0]:
        kit.check_written("store", [read], ["out"], out=left)
        kit.check_written("store", [left], ["out"], out=read)
    for out, read in (row, left), (left, row), (left, buffer[0]), (left, buffer[4:, 2:4]):
        for strided in [["out"], []] if out is row else [["out"]]:
            with pytest.raises(RuntimeError, match="store: out is written to and must not share"):
                kit.check_written("store", [read], strided, out=out)
    # An expanded tensor with gaps.
    kit.check_written("store", [buffer[:1, ::2].expand(9, 4)], ["out"], out=buffer[0, 1:2])


def test_what_is_written_is_compared_with_all_other_tensors(kit):
    x, y = torch.zeros(4), torch.zeros(4)
    kit.check_written("store", [None, torch.zeros(4)], [], x=x, y=[y, y[:0]], z=None)
    for written in {"x": x, "y": x[1:]}, {"x": [y, x], "y": x}, {"x": [x, x]}:
        with pytest.raises(
            RuntimeError, match=r"store: x(\[1\])? is written to and must not share"
        ):
            kit.check_written("store", [], [], **written)
    with pytest.raises(
        RuntimeError, match=r"store: y\[0\] is written to and must not share memory"
    ):
        kit.check_written("store", [y], [], x=x, y=[y])
    with pytest.raises(RuntimeError, match=r"x is written to and must be contiguous, .* \[2\]"):
        kit.check_written("store", [], [], x=x[::2])


def test_a_written_tensor_may_be_an_argument_that_the_signature_names(kit):
    """As in C++: the whole tensor, and no part of it or view of its memory."""
    x, y = torch.zeros(4, 4), torch.zeros(4, 4)
    for other in x, x.view(4, 4), y, None:
        kit.check_written("store", [other, y], [], {"x": [other]}, x=x, z=None)
    kit.check_written("store", [x.t()], ["x"], {"x": [x.t(), x.t()]}, x=y)
    for other in x[:2], x.t(), x.view(torch.int32), x[1:]:
        for strided in [], ["x"]:
            with pytest.raises(RuntimeError, match="store: x is written to and must not share"):
                kit.check_written("store", [other], strided, {"x": [other]}, x=x)
    with pytest.raises(RuntimeError, match="store: x is written to and must not share memory"):
        kit.check_written("store", [x], [], {"y": [x]}, x=x, y=y)


def test_quick_checks_agree_with_those_that_refuse(kit):
    """`fits` agrees with `check` on random tensors; `check` names the argument."""
    rng, seen = random.Random(0), set()
    names = [
        "scale",
        "scale_backward",
        "store",
        "norm",
        "norm_backward",
        "linear",
        "linear_backward",
        "gray",
        "window",
    ]
    shapes = [(2, 3), (3, 3), (3, 3), (3,), (3,), (2,), (), (0, 3), (2, 1)]
    dtypes = [torch.float32] * 30 + [torch.float16, torch.int32, torch.uint8]
    for _ in range(6000):
        p = pass_of(kit, rng.choice(names))
        calls = p.prepare.__self__
        usual = rng.choice(shapes)
        given = dict.fromkeys(p.schema.names)
        for x in p.schema.tensors:
            if x in p.schema.required or rng.random() < 0.5:
                shape = usual if rng.random() < 0.7 else rng.choice(shapes)
                device = "meta" if rng.random() < 0.03 else "cpu"
                given[x] = torch.zeros(shape, dtype=rng.choice(dtypes), device=device)
        for x in p.schema.lengths:
            given[x] = [1, 2]
        try:
            calls.check(given)
            passes = True
        except RuntimeError:
            passes = False
        fits = calls.fits(given)
        # Where a list has a length, only `check` looks at it.
        assert fits == passes or (passes and p.schema.lengths), (p.name, given)
        seen.add((p.name, passes))
    assert {(name, passes) for name in names for passes in (True, False)} <= seen


def test_names_of_kernels(kit):
    assert [name for dtypes in pass_of(kit, "window").instances() for name in pass_of(kit, "window").kernel.kernel_names("window", dtypes)][4:6] == [
        "_kit_of_calls::window_kernel<false, short>",
        "_kit_of_calls::window_kernel<true, short>",
    ]  # fmt: skip
    assert [*pass_of(kit, "picked").instances()] == [()]
    assert pass_of(kit, "picked").kernel.kernel_names("picked", ()) == [
        "_kit_of_calls::picked_kernel"
    ]


def test_launches_cover_all_elements(kit):
    """Each kernel gets the blocks that its elements need, and only aligned memory gets the wide instance."""
    launch = kit.Elementwise((torch.float32,))
    call = pass_of(kit, "scale").prepare(torch.zeros(launch.block_elements), None)
    (found,) = launch.launches(call, [256, 0], [0.0], [512])
    assert (found.kernel, found.grid, found.sizes) == (1, 1, [launch.block_elements])
    (found,) = launch.launches(call, [260, 0], [0.0], [512])
    assert found.kernel == 0
    (found,) = kit.Rowwise((torch.float32,)).launches(
        pass_of(kit, "norm").prepare(X, W), [0], [], [0]
    )
    threads, together = found.block[:2]
    assert found.grid * together >= 2 and threads * 4 >= 8 and found.sizes == [2, 8]


def test_structs_are_laid_out_as_in_c(kit):
    """The type that NumPy has of a kernel's struct has the offsets and the size that C gives it."""
    numpy = pytest.importorskip("numpy")
    kinds = {int: ctypes.c_int64, float: ctypes.c_double, bool: ctypes.c_bool}
    field = importlib.import_module("_kit_of_calls._kit.calls").field
    rng = random.Random(0)
    for _ in range(200):
        values = [
            rng.choice([1, 1.0, True, X, None, [X, 0], [1, 2, 3]]) for _ in range(rng.randint(1, 9))
        ]
        fields = [(str(i), *field(x)) for i, x in enumerate(values)]
        made = numpy.dtype(fields, align=True)

        def of_c(x):
            each = kinds.get(type(x[0] if isinstance(x, list) else x), ctypes.c_void_p)
            return each * len(x) if isinstance(x, list) else each

        struct = type(
            "Struct",
            (ctypes.Structure,),
            {"_fields_": [(str(i), of_c(x)) for i, x in enumerate(values)]},
        )
        assert made.itemsize == ctypes.sizeof(struct)
        assert [made.fields[str(i)][1] for i in range(len(values))] == [
            getattr(struct, str(i)).offset for i in range(len(values))
        ]
