"""Runs the commands of docs/debugging.md in a project whose kernel has a fault, as its author would."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from building import new_python, run, succeed
from render import render
from test_sanitizers import SANITIZERS
from updating import replace

BUILDS = {"setuptools": "torch_stable", "cmake": "torch_stable", "jit": "torch_library"}


def blocks(project: Path) -> dict[str, str]:
    """Return the first block of commands under each heading of the page."""
    text = (project / "docs" / "debugging.md").read_text()
    return dict(re.findall(r"^## (.+?)\n.*?^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def has_lines(project: Path) -> bool:
    """A debugger finds the lines of the library that was built last."""
    library = max(project.rglob("*.so"), key=lambda path: path.stat().st_mtime)
    sections = subprocess.check_output(["readelf", "-S", library], text=True)
    return ".debug_info" in sections


@pytest.mark.parametrize("build", BUILDS)
def test_commands_of_the_page_on_debugging(build, tmp_path):
    project = render(tmp_path / "my_ops", {"build": build, "binding": BUILDS[build]}, extent="full")
    commands = blocks(project)
    environment = {
        "TORCH_EXTENSIONS_DIR": str(project / "extensions"),
        "PATH": f"{Path(new_python()).parent}:{os.environ['PATH']}",
    }

    def shell(lines: str) -> None:
        succeed("bash", "-ec", lines.replace("pip ", "python -m pip "), cwd=project, **environment)

    shell(commands["Build for a debugger"])
    assert has_lines(project)
    shell(commands["Build for a debugger"].removeprefix("DEBUG=1 "))
    assert not has_lines(project)
    if build != "setuptools":
        return

    asan = commands["Memory errors on the CPU"]
    assert " ".join(SANITIZERS) in asan
    kernel = project / "my_ops" / "csrc" / "muladd" / "muladd_cpu.cpp"
    replace(kernel, "for_tile<T>(begin, end,", "for_tile<T>(begin, end + 1,")
    before, _, _ = kernel.read_text().partition("for_tile<T>(begin, end + 1,")
    line = before.count("\n") + 1
    output = run("bash", "-ec", asan, cwd=project, **environment).stdout
    assert "heap-buffer-overflow" in output, output[-6000:]
    assert re.search(rf"muladd_cpu\.cpp:{line}\b", output), output[-6000:]
