"""Products of csrc/kit/product.h as C++ of both bindings, compared with PyTorch's. Needs a C++ compiler; 20 seconds."""

import shutil
import subprocess

import pytest
from macros import environment
from render import KIT

torch = pytest.importorskip("torch")

SOURCE = """
#include "kit/product.h"
#include <torch/%(folder)slibrary.h>
namespace %(name)s {
void into(Tensor product, Tensor a, Tensor b) { product_into(product, a, b); }
void add(Tensor sum, Tensor a, Tensor b) { add_product(sum, a, b); }
Tensor flat(Tensor x, int64_t first) { return flattened(x, first); }
%(library)s(%(name)s, m) {
  m.def("into(Tensor(a!) product, Tensor a, Tensor b) -> ()");
  m.def("add(Tensor(a!) sum, Tensor a, Tensor b) -> ()");
  m.def("flat(Tensor(a) x, int first) -> Tensor(a)");
}
%(library)s_IMPL(%(name)s, CPU, m) {
  m.impl("into", %(box)s(&into));
  m.impl("add", %(box)s(&add));
  m.impl("flat", %(box)s(&flat));
}
}
"""
BINDINGS = ["torch_library", "torch_stable"]


@pytest.fixture(scope="module", params=BINDINGS)
def ops(request, tmp_path_factory):
    from torch.utils import cpp_extension

    folder, stable = tmp_path_factory.mktemp("products"), request.param == "torch_stable"
    name = f"products_{request.param}"
    csrc = folder / "csrc"
    shutil.copytree(KIT, csrc / "kit")
    project = environment().get_template("template/{{ project }}/csrc/project.h.jinja")
    (csrc / "project.h").write_text(project.render(project=name, binding=request.param))
    words = {
        "name": name,
        "folder": "csrc/stable/" if stable else "",
        "library": "STABLE_TORCH_LIBRARY" if stable else "TORCH_LIBRARY",
        "box": "TORCH_BOX" if stable else "",
    }
    (csrc / "ops.cpp").write_text(SOURCE % words)
    output = folder / f"{name}.so"
    flags = ["-std=c++20", "-O0", "-fPIC", "-shared"]
    flags += ["-DTORCH_TARGET_VERSION=0x020a000000000000"] * stable
    flags += [f"-I{x}" for x in cpp_extension.include_paths()]
    flags += [f"-L{x}" for x in cpp_extension.library_paths()]
    command = ["g++", *flags, str(csrc / "ops.cpp"), "-o", str(output)]
    subprocess.run([*command, "-lc10", "-ltorch_cpu", "-ltorch"], check=True)
    torch.ops.load_library(output)
    return getattr(torch.ops, name)


SHAPES = [
    ([4, 5], [5, 3], [4, 3]),
    ([2, 4, 5], [2, 5, 3], [2, 4, 3]),
    ([4, 5], [2, 5, 3], [2, 4, 3]),
    ([2, 4, 5], [5, 3], [2, 4, 3]),
    ([4, 0], [0, 3], [4, 3]),
    ([0, 4, 5], [5, 3], [0, 4, 3]),
    ([1, 1], [1, 1], [1, 1]),
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize(("a", "b", "product"), SHAPES)
def test_products_are_those_of_pytorch(ops, a, b, product, dtype):
    a, b = torch.randn(a, dtype=dtype), torch.randn(b, dtype=dtype)
    out = torch.full(product, torch.nan, dtype=dtype)
    ops.into(out, a, b)
    torch.testing.assert_close(out, a @ b)
    ops.add(out, a, b)
    torch.testing.assert_close(out, 2 * (a @ b))


def test_views_are_multiplied(ops):
    """Also parts of an allocation, transposed matrices, and results with gaps."""
    a = torch.randn(3, 5, 4)[1:].mT
    b = torch.randn(2, 7, 5)[1].t()
    out = torch.zeros(2, 4, 14)[..., ::2]
    ops.into(out, a, b)
    torch.testing.assert_close(out, a @ b)


def test_autograd_and_autocast_do_not_look(ops):
    a, b = torch.randn(4, 5, requires_grad=True), torch.randn(2, 5, 3, requires_grad=True)
    out = torch.zeros(2, 4, 3)
    with torch.autocast("cpu", torch.bfloat16):
        ops.into(out, a, b)
        ops.add(out, a, b)
    assert not out.requires_grad
    torch.testing.assert_close(out, 2 * (a @ b).detach())


WRONG = [
    ([4, 5], [4, 3], [4, 3]),
    ([4, 5], [5, 3], [3, 4]),
    ([4, 5], [5, 3], [2, 4, 3]),
    ([2, 4, 5], [3, 5, 3], [2, 4, 3]),
    ([2, 4, 5], [2, 5, 3], [4, 3]),
    ([4], [4, 3], [3]),
]


@pytest.mark.parametrize(("a", "b", "product"), WRONG)
def test_wrong_shapes_are_named(ops, a, b, product):
    sentence = f"the product of {a} and {b} cannot have the shape {product}"
    for function in ops.into, ops.add:
        with pytest.raises(RuntimeError) as error:
            function(torch.zeros(product), torch.zeros(a), torch.zeros(b))
        assert sentence in str(error.value)


def test_other_dtypes_are_named(ops):
    sentence = "a product and its factors must have one dtype, got Float and Double"
    for others in [(torch.float64, torch.float32), (torch.float32, torch.float64)]:
        product, b = (torch.zeros(4, 4, dtype=x) for x in others)
        with pytest.raises(RuntimeError, match=sentence):
            ops.into(product, torch.zeros(4, 4), b)


def test_flattened_is_a_view(ops):
    x = torch.randn(3, 2, 4, 5)[1:]
    for first in range(4):
        flat = ops.flat(x, first)
        assert torch.equal(flat, x.flatten(first)) and flat.data_ptr() == x.data_ptr()
    with pytest.raises(RuntimeError, match="must be contiguous"):
        ops.flat(x.mT, 1)
