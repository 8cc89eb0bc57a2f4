"""A wheel is built once, and serves every Python and, if stable, every PyTorch that it promises.

Runs with the newest PyTorch, compiles for the CPU, and takes in OLDEST the Python of another environment:
it has the oldest PyTorch that a stable wheel is for, and pytest and numpy.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest
from render import render
from test_build import run, succeed

from variants import Variant

BUILT = [
    Variant("setuptools", "torch_stable", "function"),
    Variant("cmake", "torch_stable", "function"),
    Variant("setuptools", "torch_library", "function"),
]


@dataclass
class Built:
    project: Path
    wheel: Path
    site: Path
    """A folder with nothing but the wheel installed in it."""


@pytest.fixture(scope="session", params=BUILT, ids=str)
def variant(request):
    return request.param


@pytest.fixture(scope="session")
def built(variant, tmp_path_factory) -> Built:
    folder = tmp_path_factory.mktemp("wheel")
    project = render(folder / "my_ops", variant.answers)
    pip = ["pip", "wheel", "--no-build-isolation", "--no-deps", "-w", folder, "."]
    succeed(*pip, cwd=project, CPU_ONLY="1")
    (wheel,) = folder.glob("*.whl")
    succeed("pip", "install", "--no-deps", "--no-index", "-t", folder / "site", wheel, cwd=folder)
    return Built(project, wheel, folder / "site")


def test_one_wheel_for_every_python(built):
    assert re.fullmatch(r"my_ops-0\.1\.0-cp310-abi3-linux_\w+\.whl", built.wheel.name)
    succeed("abi3audit", "--strict", built.wheel, cwd=built.site)


def test_it_holds_the_library_and_the_python_files(built):
    names = [name for name in ZipFile(built.wheel).namelist() if ".dist-info/" not in name]
    modules = [
        "__init__",
        "_autocast",
        "_bindings",
        "_checks",
        "_library",
        "ops/__init__",
        "ops/muladd",
    ]
    python = [f"my_ops/{name}.py" for name in modules]
    assert sorted(names) == ["my_ops/_C.abi3.so", *python, "my_ops/py.typed"]


def test_only_a_stable_wheel_keeps_to_the_stable_abi(built, variant):
    result = run("torch-abi-audit", "--check", "both", built.site / "my_ops", cwd=built.site)
    stable = variant.binding == "torch_stable"
    assert (result.returncode == 0) == stable, result.stdout
    if stable:
        assert re.search(r"Min torch: +2\.10\.0\n", result.stdout), result.stdout


@pytest.mark.parametrize("variant", BUILT[:1], ids=str, indirect=True, scope="session")
def test_one_wheel_for_every_pytorch(built, variant, tmp_path, summary):
    shutil.copytree(built.project / "tests", tmp_path / "tests")
    environment = {
        "PYTHONPATH": str(built.site),
        "PYTHONSAFEPATH": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    passed = {}
    for interpreter in [sys.executable, os.environ["OLDEST"]]:
        code = "import torch, my_ops; print(my_ops.__file__); print(torch.__version__)"
        lines = succeed(interpreter, "-c", code, cwd=tmp_path, **environment).splitlines()
        assert lines[-2] == str(built.site / "my_ops/__init__.py")
        text = succeed(interpreter, "-m", "pytest", "-q", "tests", cwd=tmp_path, **environment)
        passed[lines[-1]] = int(re.search(r"(\d+) passed", text)[1])
    newest, oldest = passed
    assert oldest.startswith("2.10.")
    assert passed[newest] == passed[oldest] >= 100
    summary("wheels")(
        f"{variant!s:34} built with torch {newest}, unrebuilt: "
        + ", ".join(f"{number} passed with {release}" for release, number in passed.items())
    )
