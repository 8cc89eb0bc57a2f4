"""Hostile calls of operators on the CPU, whose library g++ compiled with the address and undefined behaviour sanitizers.

`HOSTILE=20000 HOSTILE_SEED=1 ./dev build_cpu -- tests/build_cpu/test_sanitizers.py` makes it longer and repeatable.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from building import compile_faster, python, run, succeed
from render import render
from updating import replace

COUNT = int(os.environ.get("HOSTILE") or 3000)
SEED = int(os.environ.get("HOSTILE_SEED") or random.randrange(2**32))

# Of every kernel, with sizes from integers, what is written, lists, and results that a kernel counts.
OPS = """\
rowwise: rmsnorm(Tensor x, Tensor weight, float eps=1e-6)
rowwise: entropy(Tensor logits: [..., N], Tensor target: int64[...]) -> Tensor: float32[...]
matmul: linear(Tensor x, Tensor weight, Tensor bias, float scale)
image: gray(Tensor image)
volume: normalize(Tensor volume, float? low=None, float? high=None, int k=0)
custom: grown(Tensor x: [N], int k) -> Tensor: [N * k]
custom: windows(Tensor x: [N, K], int pad, int stride) -> Tensor: [N, (K + 2 * pad) // stride]
custom: scattered(Tensor(a!) out: [M, D], Tensor index: int64[N], Tensor values: [N, D], int k, float scale) -> ()
custom: joined(Tensor[] tables: [N, D], Tensor index: int64[M], Tensor? weight: [M]=None) -> Tensor: [M, D]
custom: kept(Tensor boxes: [N, 4], float bound) -> Tensor: int64[K?]
custom: faulty(Tensor x: [N], int k) -> Tensor: [N]
"""
BEFORE = "out[i] = i < N ? x[i] : scalar_t(0);"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize=vptr", "-fno-omit-frame-pointer"]


def edit(project: Path, op: str, before: str, after: str, threads: str) -> None:
    """Write a kernel as its author would."""
    folder = project / "my_ops" / "csrc" / op
    replace(folder / f"{op}.h", before, after)
    replace(folder / f"{op}.cpp", "num_threads = out.numel();", f"num_threads = {threads};")


@pytest.mark.long
def test_hostile_calls_stay_in_their_memory(tmp_path, summary):
    answers = {"binding": "torch_stable", "signature": "Tensor a, Tensor b, float c"}
    project = render(tmp_path / "my_ops", answers | {"more_ops": OPS.strip()}, extent="core")
    # A thread writes k elements: right if N * k is the size of the result, also where it overflows.
    loop = "for (int64_t j = 0; j < k; ++j) out[i * k + j] = x[i];"
    edit(project, "grown", BEFORE, loop, "N")
    # What shows that faults are seen, in the end: k from outside, and an element too many.
    edit(project, "faulty", "out[i] = x[i];", "out[i] = x[i + (k + 1) - k];", "N")
    compile_faster(project)
    flags = {"CFLAGS": " ".join(SANITIZERS), "LDFLAGS": f"{SANITIZERS[0]} -Wl,--as-needed"}
    succeed(python(), "setup.py", "-q", "build_ext", "--inplace", cwd=project, **flags)

    options = {
        "detect_leaks": 0,  # Python's
        "detect_odr_violation": 0,
        "allocator_may_return_null": 1,  # PyTorch raises an error
        "max_allocation_size_mb": 16,
    }
    written = ":".join(f"{name}={value}" for name, value in options.items())
    libraries = ["libasan.so", "libubsan.so", "libstdc++.so"]
    paths = [
        subprocess.check_output(["g++", f"-print-file-name={name}"], text=True).strip()
        for name in libraries
    ]
    script = Path(__file__).with_name("hostile_calls.py")
    result = run(
        *[python(), script, str(COUNT), str(SEED)],
        cwd=project,
        LD_PRELOAD=" ".join(paths),
        PYTHONPATH=str(project),
        ASAN_OPTIONS=written,
        UBSAN_OPTIONS="print_stacktrace=1",
    )
    again = f"HOSTILE={COUNT} HOSTILE_SEED={SEED} ./dev build_cpu -- tests/build_cpu/test_sanitizers.py repeats this"
    # Printed after the last call, which an error of the address sanitizer would have prevented.
    line = "".join(re.findall(r"^\d+ calls, .*", result.stdout, re.MULTILINE))
    calls, _, planted = result.stdout.partition(line or "\0")
    assert line and "runtime error" not in calls, f"{again}\n{calls[-6000:]}"
    assert "WRONG MEMORY" not in calls, f"{again}\n{calls[-6000:]}"
    # Both sanitizers see the planted faults.
    assert "signed integer overflow" in planted and "heap-buffer-overflow" in planted, planted
    assert "FaultyArgs" in planted and result.returncode != 0, planted
    counts = [int(x) for x in re.findall(r"(\d+)/", line)]
    assert len(counts) >= 12 and min(counts) > 0, line
    summary("hostile calls under sanitizers, 0 reports")(f"{line}; HOSTILE_SEED={SEED}")
