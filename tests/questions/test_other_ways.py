"""docs/questions.md names another way for each thing that a signature does not describe: each way is accepted. A second."""

import re

import pytest
from macros import ROOT
from random_ops import refusal

# By the first column: a signature as a library has it, if one can be written, and those of the other way.
WAYS = {
    "strides of a tensor of any rank or of a list, `[..., N]` with gaps between rows": (
        "Tensor x: [..., N] strided -> Tensor: [N]",
        ["Tensor x: [B, N] strided -> Tensor: [N]"],
    ),
    "any rank and a `dim`": (
        "Tensor src: [*before, N, *after], int dim -> Tensor: [*before, N, *after]",
        ["Tensor src: [B, N, D] -> Tensor: [B, D]"],
    ),
    "an operator of PyTorch between two kernels, such as `at::sort`": (
        "Tensor keys: [N]; Tensor out: [N, D]",
        [
            "Tensor x: [N, D] -> Tensor: [N]",
            "Tensor order: int64[N], Tensor x: [N, D] -> Tensor: [N, D]",
            "Tensor x: [N] -> Tensor: [N] using Tensor room: uint8[bytes?]",
        ],
    ),
    "an optional output argument, `out=None`": (
        "Tensor x: [N], Tensor(a!)? out: [N]=None -> ()",
        ["Tensor(a!) out: [N], Tensor x: [N] -> ()"],
    ),
    "a number of results that depends on an argument": (
        "Tensor x: [N] -> Tensor[]",
        ["Tensor x: [N], bool with_lse -> (Tensor out: [N], Tensor? lse: float32[N] if with_lse)"],
    ),
    "a `float` as a result": ("Tensor x: [N] -> float", ["Tensor x: [N] -> Tensor: float32[]"]),
    "a size that only the kernel knows, and that differs along another, `[..., K?]`": (
        "Tensor x: [..., N] -> Tensor: int64[..., K?]",
        ["Tensor x: [..., N] -> (Tensor kept: int64[..., N], Tensor count: int64[...])"],
    ),
    "a size that only the kernel knows and that has no bound": (
        "",
        ["Tensor x: [N] -> Tensor: int64[1]", "Tensor x: [N], int count -> Tensor: [count, 3]"],
    ),
    "a size from the values of a tensor, or from `int? n`": (
        "Tensor x: [N], int? n=None -> Tensor: [n]",
        ["Tensor x: [N], int n -> Tensor: [n]"],
    ),
    "a size that only an optional tensor has": (
        "Tensor x: [N], Tensor? index: int64[M]=None -> Tensor: [M]",
        ["Tensor x: [N], Tensor? index: int64[M]=None, int length=0 -> Tensor: [length]"],
    ),
    "a number for a dtype, `DType dtype`, `int type_id`": (
        "Tensor x: [N], DType dtype -> Tensor: [N]",
        ["Tensor x: [N], ScalarType dtype -> Tensor: dtype[N] where dtype in {float16, float32}"],
    ),
    "an enum, `Mode mode`": (
        "Tensor x: [N], Mode mode -> Tensor: [N]",
        ["Tensor x: [N], int mode -> Tensor: [N]"],
    ),
    "a list of lists of tensors, a pair of tensors": (
        "Tensor[][] lists -> ()",
        [
            "Tensor[] grads, Tensor(a!)[] params -> ()",
            "Tensor x: [N], Tensor y: [N] -> Tensor: [N]",
        ],
    ),
    "a small tensor on the CPU beside tensors on the GPU": (
        "",
        ["Tensor x: [N], int[] counts -> Tensor: [N]"],
    ),
    "random numbers": (
        "",
        [
            "Tensor x: [N], Generator? gen -> Tensor: [N]",
            "Tensor x: [N], Tensor random: float32[N] -> Tensor: [N]",
        ],
    ),
    "`complex64`, `uint32`, `float4`": (
        "Tensor x: complex64[N] -> Tensor: complex64[N]",
        [
            "Tensor x: float32[N, 2] -> Tensor: float32[N, 2]",
            "Tensor x: int32[N] -> Tensor: int32[N]",
            "Tensor x: uint8[N] -> Tensor: uint8[N]",
        ],
    ),
    "an object, a handle, state between calls": (
        "Tensor x: [N], Handle handle -> Tensor: [N]",
        ["Tensor(a!) state: [N], Tensor x: [N] -> ()"],
    ),
}
# Code of these rows that is in no signature: Python, and a file.
NO_SIGNATURE = [
    "reshape",
    "view",
    "torch.sort",
    "item()",
    "torch.view",
    "x.view",
]


def rows():
    page = (ROOT / "docs/questions.md").read_text()
    table = page.split("### What a signature does not describe")[1].split("\n\n`more_ops`")[0]
    return re.findall(r"^\| (.*) \| (.*) \|$", table, re.MULTILINE)[1:]


def wrong(signature):
    return refusal("custom", f"({signature.replace(' -> ', ') -> ', 1)}")


@pytest.mark.parametrize(("thing", "text"), rows())
def test_another_way_is_accepted(thing, text):
    library, ways = WAYS[thing]
    assert not any(map(wrong, ways))
    for code in re.findall("`([^`]+)`", text):
        named = code.startswith(tuple(NO_SIGNATURE))
        assert named or any(code.removeprefix("-> ") in way for way in ways), code
    if library:
        assert wrong(library)
