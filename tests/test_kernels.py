"""Tests the CUDA kernels without a GPU: compiled for the CPU, they run there thread by thread.

AddressSanitizer and UndefinedBehaviorSanitizer watch where threads do not wait for each other. What only a GPU does,
tests/gpu.py tests.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from render import render

HERE = Path(__file__).parent / "kernels_on_cpu"


def test_all_elements_are_computed_and_none_beyond(tmp_path):
    csrc = render(tmp_path / "project", {"project": "my_ops", "op": "muladd"}) / "my_ops" / "csrc"
    kernels = csrc / "muladd" / "muladd_cuda.cu"
    launches = re.compile(r"(\w+)<<<(.+), (\w+), 0, stream>>>\(")
    text, count = launches.subn(r"launch(\1, \2, \3, ", kernels.read_text())
    assert count == 2, "a launcher for each pass"
    kernels.write_text(text)
    program = tmp_path / "program"
    flags = ["-std=c++17", "-O1", "-g", "-x", "c++", "-fsanitize=address,undefined"]
    flags += ["-fno-sanitize-recover=all", "-include", HERE / "stand_ins.h", f"-I{HERE}"]
    compiler = os.environ.get("CXX", "g++")
    subprocess.run(
        [compiler, *flags, f"-I{kernels.parent}", HERE / "main.cpp", "-o", program], check=True
    )

    seed = random.randrange(2**32)
    print("seed", seed)
    result = subprocess.run([program, str(seed)], capture_output=True, text=True, check=False)

    print(result.stdout, result.stderr)
    assert result.returncode == 0
    assert int(result.stdout.split()[0]) > 1_000_000


# In place of assembly, functions of kernels_on_cpu/blocks.h: by its first words.
ASSEMBLY = {
    r"cp\.async\.c.\.shared": "copy_later(to, from, kBytes, bytes);",
    r"cp\.async\.commit": "commit();",
    r"cp\.async\.wait": "wait_for(kGroups);",
    r"ldmatrix[.\w]*trans": "load_four_matrices<true>(to, row);",
    "ldmatrix": "load_four_matrices<false>(to, row);",
    r"mma[.\w]*bf16": "multiply_matrices<true>(sums, a, b);",
    "mma": "multiply_matrices<false>(sums, a, b);",
}


def replace(path: Path, pattern: str, new: str, count: int) -> None:
    text, found = re.subn(pattern, new, path.read_text(), flags=re.DOTALL)
    assert found == count, (path, pattern)
    path.write_text(text)


@pytest.mark.parametrize("architecture", [750, 900])
def test_products_are_right(architecture, tmp_path):
    csrc = render(tmp_path / "project", {"project": "my_ops", "kernel": "matmul"}) / "my_ops/csrc"
    kernels = csrc / "linear" / "linear_cuda.cu"
    replace(kernels, r"kernel<<<(\w+), ([\w:]+), 0, stream>>>\(", r"run(kernel, \1, \2, ", 3)
    row, matmul = csrc / "row.cuh", csrc / "matmul.cuh"
    replace(row, r"(\w+<T>)<<<(\w+), (\w+), 0, stream>>>\(", r"run(\1, \2, \3, ", 1)
    replace(row, r'asm volatile\("" : "\+r"\((\w+)\)\);', r"static_cast<void>(\1);", 1)
    replace(matmul, r"const auto \w+ = [\w<> ]+\(__cvta_generic_to_shared\(\w+\)\);", "", 2)
    for words, function in ASSEMBLY.items():
        replace(
            matmul, rf'asm(?: volatile)?\(\s*"{words}.*?\);', function, 2 if "c." in words else 1
        )
    program = tmp_path / "program"
    flags = ["-std=c++17", "-O1", "-g", "-x", "c++", "-include", HERE / "blocks.h", f"-I{HERE}"]
    flags += [f"-DARCHITECTURE={architecture}"]
    compiler = os.environ.get("CXX", "g++")
    subprocess.run(
        [compiler, *flags, f"-I{kernels.parent}", HERE / "products.cpp", "-o", program], check=True
    )

    seed = random.randrange(2**32)
    print("seed", seed)
    result = subprocess.run([program, str(seed)], capture_output=True, text=True, check=False)

    print(result.stdout, result.stderr)
    assert result.returncode == 0
    assert int(result.stdout.split()[0]) > 100_000
