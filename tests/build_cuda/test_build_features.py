"""Every feature of a signature, with each other one, is built and tested: a project for each binding."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from building import compile_faster, count_of_tests, each, install, python, succeed
from custom_edits import CUSTOM, FEW, make_edits
from custom_edits import more_ops as custom_ops
from features import FEWER_OPS, OPS, more_ops
from render import render
from row_edits import ROWS
from row_edits import make_edits as make_row_edits
from row_edits import more_ops as row_ops

from variants import Variant

torch = pytest.importorskip("torch")

# The most lines that change beside the math of rows, its reference and the arguments of its tests.
MOST = 10
# A starting formula for a rowwise signature.
STARTED = """
rowwise: started(Tensor x: [..., H, N], Tensor? y: int32[..., H, N], Tensor group: int64[..., H], Tensor? w: float64[N],
 Tensor(a!) total: float32[..., H], Tensor(b!) q: float8_e5m2[..., H, N], int k) ->
 (Tensor: bfloat16[..., H, N], Tensor: uint8[..., H], Tensor: bool[..., H, N])
""".replace("\n ", " ")
# And one of a kernel that reads a tensor whose size is a quotient.
STARTED += (
    "custom: unpacked(Tensor packed: uint8[R, P], Tensor scales: [R, (P * 2 + group - 1) // group], int group)"
    " -> Tensor: [R, P * 2]\n"
)

# Each binding and each autograd.
BUILT = [
    Variant("setuptools", "torch_library", "function"),
    Variant("setuptools", "torch_stable", "none"),
    Variant("inline", "pybind11", "cpp"),  # autograd's headers are read once for all
    Variant("nvrtc", None, "function"),
]
# Of the compiler's own tests, which are about no signature, those that compile for one architecture. A signature makes
# no difference between bfloat16 and float16, few between memory layouts, and none for the compiler's cache.
SELECTION = "(not test_package or sm_90) and not bfloat16 and not its_cache"
SELECTION += "".join(
    f" and not {layout}"
    for layout in ["sliced", "expanded", "channels_last", "large", "odd", "many"]
)

SCHEMAS = """
import json, my_ops, torch
namespace = torch.ops.my_ops
print(json.dumps({name: str(getattr(namespace, name).default._schema) for name in %r}))
"""


@pytest.fixture(scope="module", params=each(BUILT))
def built(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("features") / "project" / "my_ops"
    # All where nvcc compiles them, and NVRTC.
    custom = CUSTOM if request.param.binding in ("torch_library", None) else FEW
    rows = ROWS if custom is CUSTOM else ["cross_entropy", "cross_entropy_grad"]
    ops = f"{more_ops(FEWER_OPS)}\n{custom_ops(custom)}\n{row_ops(rows)}{STARTED}"
    project = render(folder, request.param.answers | {"more_ops": ops})
    make_edits(project, custom)
    changed = make_row_edits(project, rows)
    assert all(count <= MOST for count in changed.values()), changed
    if request.param.build == "setuptools":
        compile_faster(project)
    # One architecture takes half of the time, and the .cu files are those of torch_library.
    cuda = "torch_library" in str(request.param)
    options = {"TORCH_CUDA_ARCH_LIST": "9.0"} if cuda else {"CPU_ONLY": "1"}
    result = install(project, **options)
    assert result.returncode == 0, result.stdout[-6000:]
    return project


def the_schema_is_the_answer(built: Path) -> None:
    text = succeed(python(), "-c", SCHEMAS % FEWER_OPS, cwd=built.parent.parent)
    schemas = json.loads(text.splitlines()[-1])
    for op in FEWER_OPS:
        signature = OPS[op]
        arguments, _, results = signature.rpartition(" -> ")
        letters = iter("abc")
        arguments = re.sub(
            "Tensor!", lambda _, letters=letters: f"Tensor({next(letters)}!)", arguments
        )
        # The public function returns the written arguments; the operator does not.
        kept = [x for x in results.removeprefix("(").removesuffix(")").split(", ") if x]
        kept = [x.split()[0] for x in kept if "!" not in x]
        returned = kept[0] if len(kept) == 1 else f"({', '.join(kept)})"
        expected = torch._C.parse_schema(f"my_ops::{op}{arguments} -> {returned}")
        assert torch._C.parse_schema(schemas[op]) == expected, op


@pytest.mark.long
def test_features_work(built, request):
    if "torch_library" in request.node.name:
        # test_build_custom.py shows what these compute on a CPU; PyTorch's compiler does the same for each.
        left_out = f" and not (({' or '.join(CUSTOM)}) and not contiguous and not refuses)"
        left_out += f" and not (compile and ({' or '.join([*ROWS, 'started'])}))"
    else:
        # A binding hands over arguments, results and gradients: what they are once, shows all that it does.
        left_out = " and (contiguous or refuses or gradients and float32 or sm_90)"
        left_out += " and not dtensors and not float64"
    # A separate cache: PyTorch's own identifies an operator by its name, which each project has.
    cache = str(built / "inductor")
    ran = count_of_tests(built, "-k", SELECTION + left_out, TORCHINDUCTOR_CACHE_DIR=cache)
    if "torch_library" in request.node.name:
        for name in [*ROWS, "started"]:
            assert ran[f"tests.test_{name}"] >= 30, name
    the_schema_is_the_answer(built)  # here, since another test would build the project again
