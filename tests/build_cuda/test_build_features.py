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

# The most lines that change beside the math of rows, its reference and the arguments of its tests. Eight are one call that an
# author replaces, with an argument a line.
MOST = 12
# A starting formula for a rowwise signature.
STARTED = """
rowwise: started(Tensor x: [..., H, N], Tensor? y: int32[..., H, N], Tensor group: int64[..., H], Tensor? w: float64[N],
 Tensor(a!) total: float32[..., H], Tensor(b!) q: float8_e5m2[..., H, N], int k) ->
 (Tensor: bfloat16[..., H, N], Tensor: uint8[..., H], Tensor: bool[..., H, N])
""".replace("\n ", " ")
# And one of a kernel that reads a tensor whose size is a quotient, with the name of a function of the kit.
STARTED += (
    "custom: quotient(Tensor packed: uint8[R, P], Tensor scales: [R, (P * 2 + group - 1) // group], int group)"
    " -> Tensor: [R, P * 2]\n"
)

# Each binding and each autograd.
BUILT = [
    # In one file for nvcc and two for g++, which read headers once: in a third of the time.
    Variant("inline", "torch_library", "function"),
    # Here each file is compiled by itself. Of .cu files, tests/compilers does that.
    Variant("setuptools", "torch_stable", "none"),
    Variant("inline", "pybind11", "cpp"),
    Variant("nvrtc", None, "function"),
]
# One architecture takes half of the time. The code for GPUs runs on none here, so that it need not be fast.
WITH_CUDA = {
    "TORCH_CUDA_ARCH_LIST": "9.0",
    "NVCC_APPEND_FLAGS": "-Xcicc -O0 -Xptxas -O0",
}
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


def options_of(variant: str) -> dict[str, str]:
    """Return the variables of a build, and of each later process, which would otherwise compile again."""
    if "nvrtc" in variant:
        return {}
    # The .cu files of each binding are the same.
    return WITH_CUDA if "torch_library" in variant else {"CPU_ONLY": "1"}


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
    if request.param.compiled:
        compile_faster(project)
    result = install(project, **options_of(str(request.param)))
    assert result.returncode == 0, result.stdout[-6000:]
    return project


def the_schema_is_the_answer(built: Path, options: dict[str, str]) -> None:
    text = succeed(python(), "-c", SCHEMAS % FEWER_OPS, cwd=built.parent.parent, **options)
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
    options = options_of(request.node.name) | {"TORCHINDUCTOR_CACHE_DIR": str(built / "inductor")}
    ran = count_of_tests(built, "-k", SELECTION + left_out, **options)
    if "torch_library" in request.node.name:
        for name in [*ROWS, "started"]:
            assert ran[f"tests.test_{name}"] >= 30, name
    # Here, since another test would build the project again.
    the_schema_is_the_answer(built, options)
