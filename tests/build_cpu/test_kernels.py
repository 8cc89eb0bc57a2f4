"""Tests the CUDA kernels without a GPU: compiled for the CPU, they run there thread by thread.

AddressSanitizer and UndefinedBehaviorSanitizer watch where threads do not wait for each other. What only a GPU does,
tools/gpu.py tests.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from edits import between, replace_body
from render import render

HERE = Path(__file__).parent / "kernels_on_cpu"


def launched_on_the_cpu(path: Path, function: str) -> int:
    """Replace the launches in a file by calls, and return their number."""
    launches = re.compile(r"([\w<>]+?)<<<(.+), ([\w:.]+), [\w:.]+, stream>>>\(")
    text, count = launches.subn(rf"{function}(\1, \2, \3, ", path.read_text())
    path.write_text(text)
    return count


# For threads that do not wait for each other.
ALONE = ["-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
ALONE += ["-include", HERE / "stand_ins.h"]


def together(architecture: int) -> list:
    """Return the flags for threads that wait for each other."""
    return ["-include", HERE / "blocks.h", f"-DARCHITECTURE={architecture}"]


def run_on_the_cpu(csrc: Path, op: str, flags: list) -> int:
    """Compile and run the program for an operator, and return how many elements it compared."""
    program = csrc / "program"
    flags = [
        "-std=c++17",
        "-O1",
        "-g",
        "-DUSE_CUDA",
        "-x",
        "c++",
        *flags,
        f"-I{HERE}",
        f"-I{csrc / op}",
    ]
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, *flags, HERE / f"{op}.cpp", "-o", program], check=True)

    seed = random.randrange(2**32)
    print("seed", seed)
    result = subprocess.run([program, str(seed)], capture_output=True, text=True, check=False)

    print(result.stdout, result.stderr)
    assert result.returncode == 0
    return int(result.stdout.split()[0])


def render_op(folder: Path, kernel: str, op: str) -> Path:
    return render(folder, {"project": "my_ops", "kernel": kernel, "op": op}) / "my_ops" / "csrc"


def test_all_elements_are_computed_and_none_beyond(tmp_path):
    csrc = render_op(tmp_path / "project", "elementwise", "muladd")
    assert launched_on_the_cpu(csrc / "muladd" / "muladd_cuda.cu", "launch") == 2
    assert run_on_the_cpu(csrc, "muladd", ALONE) > 1_000_000


@pytest.mark.parametrize("channels", [(1, 1), (3, 1), (3, 3), (4, 2), (5, 7)], ids=str)
def test_all_pixels_are_computed_and_none_beyond(channels, tmp_path):
    csrc = render_op(tmp_path / "project", "image", "gray")
    header = csrc / "gray" / "gray.h"
    for which, count in zip(["kIn", "kOut"], channels):
        between(header, f"constexpr int {which} = ", "\n", f"{count};")
    replace_body(
        header, "gray", "for (int i = 0; i < {1}; ++i) out[i] = image[i % {0}];".format(*channels)
    )
    assert launched_on_the_cpu(csrc / "gray" / "gray_cuda.cu", "launch") == 1
    assert run_on_the_cpu(csrc, "gray", ALONE) > 100_000


def test_all_voxels_are_computed_and_none_beyond(tmp_path):
    csrc = render_op(tmp_path / "project", "volume", "normalize")
    assert launched_on_the_cpu(csrc / "normalize" / "normalize_cuda.cu", "launch") == 1
    assert launched_on_the_cpu(csrc / "kit" / "voxel.cuh", "launch_together") == 2
    assert run_on_the_cpu(csrc, "normalize", ALONE) > 100_000


# In place of assembly, functions of kernels_on_cpu/blocks.h: by its first words.
COPIES = {
    r"cp\.async\.c.\.shared": "copy_later(to, from, kBytes, bytes);",
    r"cp\.async\.commit": "commit();",
    r"cp\.async\.wait": "wait_for(kGroups);",
}
PRODUCTS = {
    r"ldmatrix[.\w]*trans": "load_four_matrices<true>(to, row);",
    "ldmatrix": "load_four_matrices<false>(to, row);",
    r"mma[.\w]*bf16": "multiply_matrices<true>(sums, a, b);",
    "mma": "multiply_matrices<false>(sums, a, b);",
}


def replace(path: Path, pattern: str, new: str, count: int) -> None:
    text, found = re.subn(pattern, new, path.read_text(), flags=re.DOTALL)
    assert found == count, (path, pattern)
    path.write_text(text)


def replace_addresses(path: Path) -> None:
    replace(path, r"const auto \w+ = [\w<> ]+\(__cvta_generic_to_shared\(\w+\)\);", "", 1)


def replace_assembly(path: Path, functions: dict[str, str]) -> None:
    for words, function in functions.items():
        count = 2 if "c." in words else 1
        replace(path, rf'asm(?: volatile)?\(\s*"{words}.*?\);', function, count)


def prepare_copies(path: Path) -> None:
    """Make async_copy.cuh what a C++ compiler takes."""
    replace_addresses(path)
    replace_assembly(path, COPIES)


def replace_empty_assembly(path: Path) -> None:
    replace(path, r'asm volatile\("" : "\+r"\((\w+)\)\);', r"static_cast<void>(\1);", 1)


def prepare_rows(path: Path) -> None:
    """Make row.cuh what a C++ compiler takes."""
    assert launched_on_the_cpu(path, "run") == 1
    replace_empty_assembly(path)
    memory = "__shared__ uint4 kept_memory[kSharedBytes / 16];"
    replace(path, r"extern __shared__ uint4 kept_memory\[\];", memory, 1)


def test_rows_are_right(tmp_path):
    csrc = render_op(tmp_path / "project", "rowwise", "rmsnorm")
    prepare_rows(csrc / "kit" / "row.cuh")
    replace_empty_assembly(csrc / "kit" / "rows.cuh")
    assert launched_on_the_cpu(csrc / "rmsnorm" / "rmsnorm_cuda.cu", "run") == 1
    # Clusters exist only on GPUs from 9.0 on.
    assert run_on_the_cpu(csrc, "rmsnorm", together(890)) > 100_000


@pytest.mark.parametrize("architecture", [750, 900])
def test_products_are_right(architecture, tmp_path):
    csrc = render_op(tmp_path / "project", "matmul", "linear")
    tensor = csrc / "kit" / "tensor_cores.cuh"
    prepare_rows(csrc / "kit" / "row.cuh")
    prepare_copies(csrc / "kit" / "async_copy.cuh")
    replace_addresses(tensor)
    replace_assembly(tensor, PRODUCTS)
    assert launched_on_the_cpu(csrc / "linear" / "linear.cuh", "run") == 3
    assert run_on_the_cpu(csrc, "linear", together(architecture)) > 100_000


def test_a_product_may_read_what_it_is_written_to(tmp_path):
    """As BLAS's beta * c: tiles write elements that other lanes have read."""
    signature = "Tensor(a!) c, Tensor a, Tensor b, float alpha, float beta -> ()"
    answers = {"project": "my_ops", "kernel": "matmul", "op": "into", "signature": signature}
    csrc = render(tmp_path / "project", answers) / "my_ops" / "csrc"
    replace_body(csrc / "into" / "into.h", "into", "c = product * alpha + beta * c;")
    tensor = csrc / "kit" / "tensor_cores.cuh"
    prepare_rows(csrc / "kit" / "row.cuh")
    prepare_copies(csrc / "kit" / "async_copy.cuh")
    replace_addresses(tensor)
    replace_assembly(tensor, PRODUCTS)
    assert launched_on_the_cpu(csrc / "into" / "into.cuh", "run") == 2
    assert run_on_the_cpu(csrc, "into", together(900)) > 10_000
