"""Compares the GPU code of two rendered projects, kernel by kernel: `python tools/machine_code.py BEFORE AFTER`.

A change that moves text, or changes what is around kernels, leaves it as it is, which tells without a GPU that results
and times are those of before. Needs nvcc, in CUDA_HOME or /usr/local/cuda, and pyelftools. The exit status is 1 if a
kernel differs, or is in one of the projects alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from elftools.elf.elffile import ELFFile

NVCC = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
# As PyTorch's builds have it.
FLAGS = ["-std=c++17", "-cubin", "-DUSE_CUDA"]
FLAGS += ["-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__"]
FLAGS += ["-D__CUDA_NO_HALF2_OPERATORS__", "-D__CUDA_NO_BFLOAT16_CONVERSIONS__"]


def kernels_of_file(path: Path, architecture: str) -> dict[str, bytes]:
    """Return the machine code of the kernels of a .cu file by their mangled names."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder, "kernels.cubin")
        command = [NVCC, *FLAGS, f"-arch=sm_{architecture}", path, "-o", cubin]
        subprocess.run(command, check=True)
        with open(cubin, "rb") as file:
            sections = ELFFile(file).iter_sections()
            code = {x.name: x.data() for x in sections if x.name.startswith(".text.")}
    return {name.removeprefix(".text."): data for name, data in code.items()}


def kernels(project: Path, architecture: str) -> dict[str, bytes]:
    found = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = sorted(project.rglob("*.cu"))
        for part in pool.map(lambda path: kernels_of_file(path, architecture), paths):
            found |= part
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path, help="a rendered project")
    parser.add_argument("after", type=Path, help="the same, rendered from another commit")
    parser.add_argument("--architectures", nargs="+", default=["80", "90a"], help="default: 80 90a")
    options = parser.parse_args()
    differ = 0
    for architecture in options.architectures:
        before, after = (kernels(x, architecture) for x in (options.before, options.after))
        if not before and not after:
            parser.error(f"{options.before} and {options.after}: there is no .cu file in them")
        names = sorted(name for name in before | after if before.get(name) != after.get(name))
        print(f"sm_{architecture}: {len(before | after)} kernels, {len(names)} differ")
        print(*(f"  {name}\n" for name in names), sep="", end="")
        differ += len(names)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
