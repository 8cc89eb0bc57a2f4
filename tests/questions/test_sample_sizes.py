"""The sizes of arguments in tests: small, apart, and none that is computed of them empty. Seconds for all."""

from math import prod

import pytest
from macros import data
from real_signatures import FAMILIES, refusal_of

MOST_ELEMENTS = 16384
SIGNATURES = [
    "Tensor a: [A, B, C, D], Tensor b: [E, F, G, H], Tensor c: [J, K, L, M] -> Tensor: [J, K, L, M]",
    "Tensor x: [A, B, C, D, E, F, G, H] -> Tensor: [A, B, C, D, E, F, G, H]",
    "Tensor x: [N] -> Tensor: [N * N * N, N * N, N]",
    "Tensor x: [N, D], int a, int b, int c, int d, int e -> Tensor: [N, a, b, c, d, e]",
    "Tensor x: [N, 65536] -> Tensor: [N, 65536]",
    "Tensor x: [H, W], Tensor k: [P, Q] -> Tensor: [H - P + 1, W - Q + 1]",
    "Tensor x: [N], int begin, int end -> Tensor: [end - begin]",
    "Tensor x: [N], int dilation, int width -> Tensor: [(N - dilation * (width - 1) - 1) // 2 + 1]",
    "Tensor x: [N, D] -> Tensor: [N // 128, D - 100]",
    "Tensor x: [N, M] -> Tensor: [N // 9000, M]",
    "Tensor x: [N], int block -> Tensor: [N // (block * block * block)]",
    "Tensor x: [N, *a, M, *b], Tensor y: [*b, 2] -> Tensor: [*b, *a, N, M * M - N]",
]


def sample_of(signature):
    """Return sizes by name, and the shape of each tensor."""
    schema = data("parse", signature, path="questions/schema.jinja")
    facts = data("read_shapes", schema)
    sizes = data("sample_sizes", facts, path="questions/sample_sizes.jinja")
    shapes = {}
    for tensor in facts["tensors"]:
        values = {name: eval(str(x)) for name, x in sizes.items()}
        texts = [x["text"] for x in tensor["sizes"] if x["known"]]
        shape = eval(f"[{', '.join(texts)}]", values)
        shapes[tensor["name"]] = [2, 3, *shape] if tensor["leading"] else shape
    return sizes, shapes


@pytest.mark.parametrize("signature", SIGNATURES)
def test_samples_are_small_and_not_empty(signature):
    _, shapes = sample_of(signature)
    assert all(size >= 1 for shape in shapes.values() for size in shape), shapes
    assert all(prod(shape) <= MOST_ELEMENTS or 65536 in shape for shape in shapes.values()), shapes


@pytest.mark.parametrize("size", ["V - 32000", "V - 9000 * B", "V // 20000"])
def test_a_large_number_is_reached(size):
    """More elements than tests of seconds have are better than a refusal, or than no elements."""
    _, shapes = sample_of(f"Tensor x: [B, V] -> Tensor out: [{size}]")
    assert shapes["out"][0] >= 1, shapes


@pytest.mark.parametrize("family", FAMILIES)
def test_samples_of_what_people_write(family):
    """All sizes differ, so that a swap of two dimensions is another shape."""
    for name, signature in FAMILIES[family].items():
        if "->" in signature and not refusal_of(signature):
            sizes, shapes = sample_of(signature)
            assert all(prod(shape) <= MOST_ELEMENTS for shape in shapes.values()), (name, shapes)
            assert all(size >= 1 for shape in shapes.values() for size in shape), (name, shapes)
            assert len(set(sizes.values())) == len(sizes), (name, sizes)
