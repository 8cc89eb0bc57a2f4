"""The functions that the math of an operator may call, and the edit of a project that calls them all."""

from __future__ import annotations

from pathlib import Path

from updating import replace

ANSWERS = {"op": "formula", "signature": "Tensor x, Tensor y, int which", "autograd": "none"}

# As C++ has them in <op>.h, and as PyTorch has them.
FUNCTIONS = {
    "exp(x)": "torch.exp(x)",
    "exp2(x)": "torch.exp2(x)",
    "expm1(x)": "torch.expm1(x)",
    "log(fabs(x))": "torch.log(x.abs())",
    "log2(fabs(x))": "torch.log2(x.abs())",
    "log10(fabs(x))": "torch.log10(x.abs())",
    "log1p(fabs(x))": "torch.log1p(x.abs())",
    "sqrt(fabs(x))": "torch.sqrt(x.abs())",
    "rsqrt(fabs(x))": "torch.rsqrt(x.abs())",
    "cbrt(x)": "x.sign() * x.abs() ** (1 / 3)",
    "pow(fabs(x), y)": "x.abs() ** y",
    "hypot(x, y)": "torch.hypot(x, y)",
    "sin(x)": "torch.sin(x)",
    "cos(x)": "torch.cos(x)",
    "tan(x)": "torch.tan(x)",
    "asin(tanh(x))": "torch.asin(x.tanh())",
    "acos(tanh(x))": "torch.acos(x.tanh())",
    "atan(x)": "torch.atan(x)",
    "atan2(x, y)": "torch.atan2(x, y)",
    "sinh(x)": "torch.sinh(x)",
    "cosh(x)": "torch.cosh(x)",
    "tanh(x)": "torch.tanh(x)",
    "asinh(x)": "torch.asinh(x)",
    "acosh(1 + fabs(x))": "torch.acosh(1 + x.abs())",
    "atanh(tanh(x) / 2)": "torch.atanh(x.tanh() / 2)",
    "erf(x)": "torch.erf(x)",
    "erfc(x)": "torch.erfc(x)",
    "lgamma(x)": "torch.lgamma(x)",
    "fabs(x)": "x.abs()",
    "abs(x)": "x.abs()",
    "floor(x)": "torch.floor(x)",
    "ceil(x)": "torch.ceil(x)",
    "trunc(x)": "torch.trunc(x)",
    "rint(x)": "torch.round(x)",
    "fmod(x, y)": "torch.fmod(x, y)",
    "fmin(x, y)": "torch.fmin(x, y)",
    "fmax(x, y)": "torch.fmax(x, y)",
    "fma(x, y, x)": "x * y + x",
    "copysign(x, y)": "torch.copysign(x, y)",
    "isnan(x) ? T(1) : y": "torch.where(x.isnan(), 1, y)",
    "isinf(x) ? T(1) : y": "torch.where(x.isinf(), 1, y)",
    "isfinite(x) ? T(1) : y": "torch.where(x.isfinite(), 1, y)",
}

TEST = '''"""Every function of the math, on CPU and GPU."""

import pytest
import torch
from my_ops_suite import DTYPES

from my_ops import formula
from my_ops.ops.formula import FUNCTIONS, formula_reference


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("which", range(len(FUNCTIONS)), ids=lambda i: FUNCTIONS[i])
def test_function(which, dtype, device):
    x, y = torch.randn(2, 1000, dtype=dtype, device=device)
    x[:3] = torch.tensor([float("nan"), float("inf"), -float("inf")])
    expected = formula_reference(x.double(), y.double(), which).to(dtype)
    # The last bits of some functions are CUDA's own. In 16 bits, the usual tolerance is wider.
    tolerance = {torch.float32: dict(rtol=1e-5, atol=1e-5)}.get(dtype, {})
    torch.testing.assert_close(formula(x, y, which), expected, equal_nan=True, **tolerance)
'''


def call_all_of_them(project: Path) -> None:
    """Edit the math of a project with ANSWERS, its reference and its tests: `which` chooses a function."""
    cases = "\n".join(
        f"    case {which}:\n      out = {call};\n      break;"
        for which, call in enumerate(FUNCTIONS)
    )
    header = project / "my_ops" / "csrc" / "formula" / "formula.h"
    formula = "  out = x * y + static_cast<T>(which);\n"
    replace(header, formula, f"  switch (which) {{\n{cases}\n  }}\n")
    module = project / "my_ops" / "ops" / "formula.py"
    replace(module, "    return x * y + which\n", "    return eval(FUNCTIONS[which])\n")
    replace(
        module, "import Tensor\n", f"import Tensor\n\nFUNCTIONS = {list(FUNCTIONS.values())!r}\n"
    )
    test = project / "tests" / "test_formula.py"
    replace(test, "torch.randint(-3, 4, ())", f"torch.randint({len(FUNCTIONS)}, ())")
    (project / "tests" / "test_functions.py").write_text(TEST)
