"""Tests the CUDA kernels without a GPU: compiled for the CPU, they run there thread by thread.

AddressSanitizer and UndefinedBehaviorSanitizer watch. What only a GPU does, tests/gpu.py tests.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

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
