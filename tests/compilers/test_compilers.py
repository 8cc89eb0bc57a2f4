"""Rendered sources compile with every compiler that users have, and compute the same with each.

Needs in NVCC the nvcc of several CUDA versions, one path after the other; PyTorch, NumPy and cuda-core with the
NVRTC of CUDA 12, whose nvcc PyPI does not have; and ziglang, which has clang.
"""

from __future__ import annotations

import math
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from building import install, succeed
from cases import CASES
from math_functions import ANSWERS, FUNCTIONS, call_all_of_them
from render import render

NVCC = {path.split("nvcc-")[1].split("/")[0]: path for path in os.environ["NVCC"].split(os.pathsep)}
CPP = {"g++": ["g++"], "clang": [sys.executable, "-m", "ziglang", "c++"]}

# As PyTorch's builds have it, with one GPU architecture and no PTX, since that is soon compiled.
CUDA_FLAGS = [
    "-std=c++17",
    "-DUSE_CUDA",
    "-gencode=arch=compute_80,code=sm_80",
    "-Werror=all-warnings",
    "-Xcompiler=-Wall,-Wextra,-Wconversion,-Werror",  # which the owner of a project may turn on
]
for what in ["HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS", "BFLOAT16_CONVERSIONS"]:
    CUDA_FLAGS.append(f"-D__CUDA_NO_{what}__")
# Kernels that take a 16-bit type of PyTorch's include its header.
CUDA_FLAGS += ["-isystem", f"{Path(torch.__file__).parent}/include"]

# Names of functions that the math may call, as names of an operator and its arguments.
NAMES = {"op": "exp", "signature": "Tensor log, Tensor rsqrt, float sqrt, bool abs"}


def compile(*command: str | Path) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout[-3000:]}{result.stderr[-3000:]}"


@pytest.fixture(scope="session")
def kernels(tmp_path_factory) -> dict[str, Path]:
    """Every .cu file that is rendered, by what makes it different.

    With the answer `function`: `cpp` has the same kernels, and `none` a part of them, which build_cuda compiles.
    """
    found = {}
    for case, answers in (CASES | {"names of functions": NAMES}).items():
        project = render(tmp_path_factory.mktemp("x") / "x", answers | {"autograd": "function"})
        for path in project.rglob("*.cu"):
            found[f"{case}, {path.stem}"] = path
    return found


@pytest.mark.xdist_group("kernels")
@pytest.mark.parametrize("version", NVCC)
def test_nvcc_compiles_every_kernel(version, kernels, tmp_path, summary):
    for path in kernels.values():
        compile(NVCC[version], *CUDA_FLAGS, "-c", path, "-o", tmp_path / "kernel.o")
    summary("compilers")(f"nvcc {version}: {len(kernels)} .cu files")


@pytest.mark.xdist_group("kernels")
@pytest.mark.parametrize("version", NVCC)
def test_nvcc_compiles_products_for_hopper(version, kernels, tmp_path):
    """Only products that are compiled for 9.0a have wgmma."""
    path = next(path for path in kernels.values() if path.name.endswith("_cuda_16bit.cu"))
    architecture = [flag.replace("80", "90a") for flag in CUDA_FLAGS]
    compile(NVCC[version], *architecture, "-c", path, "-o", tmp_path / "kernel.o")
    to_ptx = ["-std=c++17", "-DUSE_CUDA", "-arch=compute_90a", "-ptx"]
    compile(NVCC[version], *to_ptx, path, "-o", tmp_path / "ptx")
    assert "wgmma.mma_async" in (tmp_path / "ptx").read_text()


@pytest.mark.parametrize("header", ["Half", "BFloat16", "Float8_e5m2", "Float8_e4m3fn"])
@pytest.mark.parametrize("version", NVCC)
def test_headers_of_pytorch_come_before_those_of_the_kit(version, header, formula, tmp_path):
    """PyTorch's headers include CUDA's 16-bit types without conversions, which the kit switches on."""
    source = tmp_path / "order.cu"
    names = [f"torch/headeronly/util/{header}.h", "kit/tile.cuh", "kit/float8.cuh"]
    source.write_text("".join(f'#include "{name}"\n' for name in names))
    include = ["-I", formula / "my_ops" / "csrc"]
    compile(NVCC[version], *CUDA_FLAGS, *include, "-c", source, "-o", tmp_path / "order.o")


SIGNATURES = {
    "more_ops": "\n".join(
        f"op{i}({x['signature']})"
        for i, x in enumerate(CASES.values())
        if ":" not in x.get("signature", ":")  # of the kernel elementwise, which has no shapes
    )
}


@pytest.mark.parametrize(
    "answers", [SIGNATURES, ANSWERS, NAMES], ids=["signatures", "functions", "names"]
)
def test_nvrtc_12_compiles_the_kernels(answers, tmp_path, summary):
    project = render(tmp_path / "x", answers | {"build": "nvrtc"})
    tests = ["tests/test_package.py"]  # which compile for three generations of GPUs
    if answers is ANSWERS:
        call_all_of_them(project)
        tests += ["-k", "compiles_without_a_gpu and sm_90"]
    output = succeed(sys.executable, "-m", "pytest", "-q", "-rs", *tests, cwd=project)
    assert "skipped" not in output, output
    code = "from cuda.bindings import nvrtc; print(*nvrtc.nvrtcVersion()[1:], sep='.')"
    version = succeed(sys.executable, "-c", code, cwd=project).strip()
    assert version.startswith("12.")
    summary("compilers")(f"NVRTC {version}: {output.splitlines()[-1]}")


# ---- The functions that the math may call

BOUNDS = """
#include "kit/compute.h"

void bound(float (&x)[32], const float (&y)[32], const double (&z)[32]) {
  for (int i = 0; i < 32; ++i) x[i] = my_ops::fmin(my_ops::fmax(x[i], y[i]), 2);
  for (int i = 0; i < 32; ++i) x[i] = my_ops::fmin(z[i], 0.5) * my_ops::fmax(i, 1);
}
"""


@pytest.mark.parametrize("compiler", CPP)
def test_bounds_are_vector_instructions(compiler, formula, tmp_path):
    source = tmp_path / "bounds.cpp"
    source.write_text(BOUNDS)
    headers = formula / "my_ops" / "csrc"
    flags = ["-std=c++20", "-O3", "-g0", "-fPIC", "-I", headers, "-S"]
    compile(*CPP[compiler], *flags, source, "-o", tmp_path / "bounds.s")
    text = (tmp_path / "bounds.s").read_text()
    assert re.search(r"\bv?(cmplt|min)ps\b", text) and not re.search(r"\bf(min|max)f?\b", text)


MAIN = r"""
#include <cstdio>

#include "formula.h"

template <typename T>
void print(const T (&values)[COUNT]) {
  for (int which = 0; which < FUNCTIONS; ++which) {
    for (const T x : values) {
      T out;
      my_ops::formula_element<T>(x, T(0.75), which, out);
      std::printf("%.17g\n", static_cast<double>(out));
    }
  }
}

int main() {
  const float floats[] = {VALUES};
  print<float>(floats);
  const double doubles[] = {VALUES};
  print<double>(doubles);
}
"""


@pytest.fixture(scope="session")
def formula(tmp_path_factory) -> Path:
    project = render(tmp_path_factory.mktemp("formula") / "my_ops", ANSWERS)
    call_all_of_them(project)
    return project


@pytest.mark.parametrize("compiler", [*CPP, *(f"nvcc {version}" for version in NVCC)])
def test_functions_compute_what_pytorch_does(compiler, formula, tmp_path, summary):
    seed = random.randrange(2**32)
    print("seed", seed)
    rng = random.Random(seed)
    # Exact in float and in text, so that all compute from the same.
    values = [rng.randint(-4096, 4096) / 1024 for _ in range(50)]
    sources = formula / "my_ops" / "csrc" / "formula"
    numbers = [*(f"{x:.17g}" for x in values), "NAN", "INFINITY"]
    source = tmp_path / "main.cpp"
    source.write_text(
        MAIN.replace("COUNT", str(len(numbers)))
        .replace("FUNCTIONS", str(len(FUNCTIONS)))
        .replace("VALUES", ", ".join(numbers))
    )
    program = tmp_path / "program"
    if compiler in CPP:
        # g++ links it, because ziglang would first build its own C++ library, which takes most of a minute.
        compiled, flags = program.with_suffix(".o"), ["-std=c++20", "-O2", "-Wall", "-Werror"]
        compile(*CPP[compiler], *flags, f"-I{sources}", "-c", source, "-o", compiled)
        compile("g++", compiled, "-o", program)
    else:
        nvcc = NVCC[compiler.removeprefix("nvcc ")]
        # For the GPU it is compiled too, with all warnings, and runs in tools/gpu.py.
        cuda = sources / "formula_cuda.cu"
        compile(nvcc, *CUDA_FLAGS, "-c", cuda, "-o", tmp_path / "cuda.o")
        compile(nvcc, "-std=c++17", "-x", "cu", f"-I{sources}", source, "-o", program)

    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()

    printed = torch.tensor([float(line) for line in lines], dtype=torch.float64)
    x = torch.tensor([*values, math.nan, math.inf], dtype=torch.float64)
    names = {"torch": torch, "x": x, "y": torch.full_like(x, 0.75)}
    expected = torch.cat([eval(function, names) for function in FUNCTIONS.values()])
    floats, doubles = printed.chunk(2)
    options = {"equal_nan": True}
    torch.testing.assert_close(doubles, expected, rtol=1e-12, atol=1e-12, **options)
    torch.testing.assert_close(floats.float(), expected.float(), rtol=1e-5, atol=1e-5, **options)
    summary("compilers")(f"{compiler}: {len(FUNCTIONS)} functions, {len(lines)} values")


def test_names_of_functions_build_and_pass(tmp_path):
    project = render(tmp_path / "my_ops", NAMES | {"binding": "torch_stable"})
    result = install(project)
    assert result.returncode == 0, result.stdout[-6000:]
    succeed("pytest", "-q", "-k", "test_values or test_gradients", cwd=project)
