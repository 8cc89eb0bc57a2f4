"""A package runs the library that was compiled from the sources beside it, whatever other libraries are in reach.

The other libraries have other answers, another checkout or an installation. An import refuses them with one
sentence, and the command in that sentence fixes the fault.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from itertools import product
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from building import new_python, run
from render import render
from updating import commit, git, start, update_as_told

from variants import BINDINGS, BUILDS

torch = pytest.importorskip("torch")

HEADER = "my_ops/csrc/muladd/muladd.h"


class Checkout:
    """A repository, and a Python that it may be installed into."""

    code = "import my_ops, torch; x = torch.ones(1); print(my_ops.muladd(x, x, 1.0).item())"
    modules = ""

    def __init__(self, path: Path, interpreter: str):
        self.path = path
        self.interpreter = interpreter

    def run(self, *command: str, cwd: Path | None = None, **environment: str) -> CompletedProcess:
        # As in an environment that is activated.
        folder = Path(self.interpreter).parent
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "CPU_ONLY": "1", "MAX_JOBS": "1"} | environment
        environment["TORCH_EXTENSIONS_DIR"] = str(folder / "extensions")
        if command[0] in ("python", "pip", "pytest"):
            module = [] if command[0] == "python" else ["-m", command[0]]
            command = (self.interpreter, *module, *command[1:])
        return run(*command, cwd=cwd or self.path, **environment)

    def succeed(self, *command: str, cwd: Path | None = None, **environment: str) -> str:
        result = self.run(*command, cwd=cwd, **environment)
        assert result.returncode == 0, result.stdout[-6000:]
        return result.stdout

    def compute(self, cwd: Path | None = None, **environment: str) -> float:
        output = self.succeed(
            "python", "-c", self.code, cwd=cwd, PYTHONPATH=self.modules, **environment
        )
        return float(output.splitlines()[-1])

    def refused(self) -> str:
        """Return the sentence that an import ends with."""
        result = self.run("python", "-c", self.code, PYTHONPATH=self.modules)
        assert result.returncode == 1, result.stdout
        return (
            result.stdout.splitlines()[-1]
            .removeprefix("ImportError: ")
            .partition(" (`python -m")[0]
        )

    def obey(self, sentence: str) -> str:
        """Run the command of a sentence."""
        folder, command = re.search(r"; in (\S+), run `([^`]+)`", sentence).groups()
        assert folder == str(self.path)
        return self.succeed(*command.split(), *(["--no-deps", "-v"] if "pip" in command else []))

    def edit(self, factor: int) -> None:
        """Edit the sources so that the result is 1 more than the factor."""
        text = (self.path / HEADER).read_text()
        text, edits = re.subn(r"out = a \* b \+ .*c;", f"out = a * b + {factor} * c;", text)
        assert edits == 1
        (self.path / HEADER).write_text(text)


def new_checkout(template: Path, path: Path, **answers: str) -> Checkout:
    start(render(path, {"autograd": "none"} | answers, template=template))
    return Checkout(path, new_python())


def test_another_build_another_operator_another_checkout(template, tmp_path):
    a = new_checkout(template, tmp_path / "a" / "my_ops", build="cmake", binding="torch_stable")
    a.obey(a.refused())
    assert a.compute() == 2

    # Of CMake, installed editable, to setuptools in place.
    update_as_told(a.path, {"build": "setuptools"})
    a.edit(2)
    sentence = a.refused()
    assert sentence.startswith(f"{a.path}/my_ops/_C.so is missing; in {a.path}, run")
    a.obey(sentence)
    assert a.compute() == a.compute(cwd=tmp_path) == 3
    tests = "pytest", "-q", "tests/test_package.py"
    assert "1 passed" in a.succeed(*tests)

    # An edit.
    a.edit(3)
    sentence = a.refused()
    assert sentence.startswith(f"{HEADER} changed after {a.path}/my_ops/_C.so was compiled; ")
    assert f"ERROR: not tested: {sentence}" in a.run(*tests).stdout
    assert sentence.partition("; ")[2] in a.run("python", "-m", "my_ops.doctor").stdout

    # Another operator.
    commit(a.path, "edited")
    update_as_told(a.path, {"more_ops": "another(Tensor x)"})
    assert " and 4 more changed after " in a.refused()
    a.succeed("pip", "install", "--no-build-isolation", "--no-deps", "-e", ".")
    assert a.compute() == a.compute(cwd=tmp_path) == 4

    # Another checkout, a worktree of git, where the first one is installed editable.
    commit(a.path, "another operator")
    b = Checkout(tmp_path / "b" / "my_ops", a.interpreter)
    git(a.path, "worktree", "add", "-q", str(b.path))
    b.edit(4)
    assert b.refused().startswith(f"{b.path}/my_ops/_C.so is missing; in {b.path}, run")
    assert b.compute(MY_OPS_REBUILD="1") == 5
    assert a.compute() == a.compute(cwd=tmp_path) == 4


def test_another_binding(template, tmp_path):
    checkout = new_checkout(template, tmp_path / "my_ops", build="setuptools", binding="pybind11")
    assert checkout.compute(MY_OPS_REBUILD="1") == 2
    (before,) = checkout.path.glob("my_ops/_C.*so")
    update_as_told(checkout.path, {"binding": "torch_library"})
    checkout.edit(2)
    sentence = checkout.refused()
    assert "_C.so is missing; in " in sentence
    checkout.obey(sentence)
    assert checkout.compute() == 3 and not before.exists()


def test_the_package_of_another_clone_is_not_tested(tmp_path):
    """The message names both paths. A package that was installed from a wheel of the same files is tested, as in CI."""
    first, second = (render(tmp_path / name / "my_ops", {"build": "nvrtc"}) for name in "ab")

    def collect(folder: Path) -> str:
        tests = [sys.executable, "-m", "pytest", "-q", "--collect-only", "tests/test_package.py"]
        there = {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
        return run(*tests, cwd=second, **there).stdout

    says = f"not tested: Python finds {first}/my_ops, which is not {second}/my_ops"
    remedy = f"; in {second}, run `pip install -e '.[test]'`"
    assert f"ERROR: {says}{remedy}\n" in collect(first)
    module = second / "my_ops/ops/muladd.py"
    module.write_text(f"{module.read_text()}# edited\n")
    assert f"{says}, and has another ops/muladd.py{remedy}\n" in collect(first)
    site = tmp_path / "site-packages"
    shutil.copytree(second / "my_ops", site / "my_ops")
    assert " tests collected" in collect(site)
    (site / "my_ops/ops/muladd.py").write_text("# older\n")
    said = f"Python finds {site}/my_ops, which is not {second}/my_ops, and has another"
    assert said in collect(site)


# ---- All builds and bindings, with a library that has no operators and names its sources

LOADER = """
import re
from pathlib import Path

from .._library import library_path

print(re.search(rb"sources (\\d+)", Path(library_path()).read_bytes())[1].decode())
"""
SOURCE = 'extern "C" {{ extern const char sources[] = "sources {}"; }}\n'


class Small(Checkout):
    code = "import my_ops"

    def __init__(self, path: Path, modules: Path):
        super().__init__(path, new_python())
        self.sources = 0
        # As far as who only looks for a library needs PyTorch, which takes a second to import.
        (modules / "torch").mkdir(parents=True)
        (modules / "torch" / "__init__.py").touch()
        shutil.copy(Path(torch.__file__).with_name("version.py"), modules / "torch")
        self.without_pytorch = str(modules)
        path.mkdir()
        start(path)

    def answer(self, build: str, binding: str) -> None:
        """Replace the sources by those of other answers. Ignored files stay, as in an update."""
        files = git(self.path, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
        for name in filter(None, files):
            (self.path / name).unlink()
        render(self.path, {"build": build, "binding": binding})
        package = self.path / "my_ops"
        shutil.rmtree(package / "csrc")
        (package / "csrc").mkdir()
        (package / "_kit" / "bindings.py").write_text(LOADER)
        (package / "__init__.py").write_text("from ._kit import bindings\n")
        self.sources += 1
        (package / "csrc" / "bindings.cpp").write_text(SOURCE.format(self.sources))
        self.modules = "" if build in ("jit", "inline") else self.without_pytorch


@pytest.fixture
def small(tmp_path) -> Small:
    return Small(tmp_path / "my_ops", tmp_path / "modules")


FEW = [
    ("setuptools", "pybind11"),
    ("cmake", "torch_stable"),
    ("cmake", "pybind11"),
    ("setuptools", "pybind11"),
    ("cmake", "torch_library"),
    ("setuptools", "torch_library"),
    ("setuptools", "pybind11"),
    ("jit", "pybind11"),
    ("jit", "torch_stable"),
    ("inline", "torch_stable"),
    ("jit", "torch_stable"),
    ("setuptools", "torch_stable"),
]


def all_pairs() -> list[tuple[str, str]]:
    """Return a walk that goes from each build and binding to each other."""
    all_of_them = list(product([build for build in BUILDS if build != "nvrtc"], BINDINGS))
    steps = []
    for number, first in enumerate(all_of_them):
        steps += [first, *(step for other in all_of_them[number + 1 :] for step in (other, first))]
    return steps


def test_each_build_after_each_other(small):
    """Before a step is compiled, the library of the step before is refused. ALL_PAIRS=1 walks through all."""
    for step in all_pairs() if os.environ.get("ALL_PAIRS") == "1" else FEW:
        build, binding = step
        small.answer(build, binding)
        if build in ("setuptools", "cmake"):
            small.obey(small.refused())
        assert small.compute() == small.sources, step
        assert len(list(small.path.glob("my_ops/_C.*so"))) <= 1, step


def test_cmake_rebuilds_with_another_binding(small):
    small.answer("cmake", "pybind11")
    rebuild = ["--config-settings=editable.rebuild=true"]
    small.succeed("pip", "install", "--no-build-isolation", "--no-deps", *rebuild, "-e", ".")
    assert small.compute() == small.sources
    small.answer("cmake", "torch_library")
    small.modules = ""  # the import compiles, for which it needs PyTorch
    assert small.compute() == small.sources


@pytest.mark.parametrize("build", ["setuptools", "cmake"])
def test_a_wheel_beside_a_checkout(build, small, tmp_path):
    """It has one library, looks for no sources, and is not what a checkout that is not compiled runs."""
    for binding in ["pybind11", "torch_library"]:
        small.answer(build, binding)
        small.succeed("pip", "install", "--no-build-isolation", "--no-deps", ".")
        assert small.compute(cwd=tmp_path) == small.sources
    (site,) = Path(small.interpreter).parents[1].glob("lib/python*/site-packages")
    assert len(list(site.glob("my_ops/_C.*so"))) == 1
    # Of packages that put them there by mistake.
    for name in ["setup.py", "CMakeLists.txt", "pyproject.toml"]:
        (site / name).touch()
    assert small.compute(cwd=tmp_path) == small.sources
    assert "my_ops/_C.so is missing; in" in small.refused()


# The name selects a fault, in a folder with a library that no compiler made.
OF_OTHERS = """
import os, sys, types
from pathlib import Path

import torch
from torch.utils import cpp_extension

sys.modules["my_ops"] = package = types.ModuleType("my_ops")
package.__path__ = [os.path.abspath("my_ops")]


def load(name, *arguments, build_directory, **options):
    Path(build_directory, f"{name}.so").touch(0o777)


cpp_extension.load = cpp_extension.load_inline = load
torch.ops.load_library = str
from my_ops._library import library_path
from my_ops._kit.extension import build_directory, find_library


def refused():
    try:
        library_path()
    except ImportError as error:
        return str(error)


os.umask(0o002)  # as of a user whose group is shared
folder, library, other = build_directory(False), find_library(), 12345
if "kept" in sys.argv:
    folder.mkdir(parents=True)
    os.chown(folder, other, -1)
    print(refused())
    assert not any(folder.iterdir())
    folder.rmdir()
assert refused() is None
assert not any(path.stat().st_mode & 0o022 for path in [folder, *folder.rglob("*")])
for path in {folder, library.parent, library}:
    mode = path.stat().st_mode
    path.chmod(mode | 0o002)
    print(refused())
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, other, -1)
        print(refused())
        os.chown("my_ops/_kit/trust.py", other, -1)  # the owner of the package may write the library
        assert refused() is None
        os.chown("my_ops/_kit/trust.py", 0, -1)
        os.chown(path, 0, -1)
if os.geteuid() == 0:
    moved = folder.rename(folder.with_name("moved"))
    folder.symlink_to(moved)
    assert refused() is None
    os.chown(folder, other, -1, follow_symlinks=False)
    print(refused())
"""


@pytest.mark.parametrize("build", ["jit", "inline"])
def test_a_library_that_another_user_may_have_written(build, tmp_path):
    """TORCH_EXTENSIONS_DIR may be a folder that others may write to, and the names in it can be guessed."""
    project = render(tmp_path / "my_ops", {"build": build, "autograd": "none"})
    extensions = tmp_path / "extensions"
    environment = {"TORCH_EXTENSIONS_DIR": str(extensions), "CPU_ONLY": "1"}
    kept = ["kept"] if os.geteuid() == 0 else []
    said = run(sys.executable, "-c", OF_OTHERS, *kept, cwd=project, **environment).stdout
    lines = [line for line in said.splitlines() if not line.startswith("my_ops: compiling ")]
    paths = 2 if build == "jit" else 3
    assert len(lines) == (2 + 2 * paths if kept else paths), said
    for line in lines:
        begins = "my_ops: only this user, root or the owner of my_ops may write to "
        assert line.startswith(f"{begins}{extensions}/my_ops-"), said
        assert "but it has mode " in line or "but it belongs to user 12345; " in line, said
        assert line.endswith("delete it, or set TORCH_EXTENSIONS_DIR to a folder of yours"), said


# Of PyTorch, and of Python, in whose module they are.
UNDEFINED = {
    "torch_library": "int aoti_torch_device_type_cpu(void)",
    "torch_stable": "int aoti_torch_device_type_cpu(void)",
    "pybind11": "int PyErr_CheckSignals(void)",
}


@pytest.mark.parametrize("build", ["setuptools", "cmake", "jit"])
def test_a_linker_that_refuses_undefined_symbols(build, small):
    """Some distributions set it in LDFLAGS. CMake forgets earlier settings."""
    strict = "-Wl,-z,defs"
    for binding in ["torch_library", "pybind11"]:
        small.answer(build, binding)
        used = UNDEFINED[binding]
        call = used.replace("int ", "").replace("void", "")
        source = small.path / "my_ops/csrc/bindings.cpp"
        text = f'{source.read_text()}extern "C" {{ {used}; int use(void) {{ return {call}; }} }}\n'
        source.write_text(text)
        if build == "jit":
            assert small.succeed("python", "-c", "import my_ops", LDFLAGS=strict)
            continue
        install = ["pip", "install", "--no-build-isolation", "--no-deps", "-e", "."]
        if build == "cmake":
            assert small.run(*install, LDFLAGS="-lno_such_library").returncode != 0
        small.succeed(*install, LDFLAGS=strict)
        assert small.compute() == small.sources


@pytest.mark.parametrize("build", ["setuptools", "cmake", "jit"])
def test_what_an_update_writes_again_is_not_compiled_again(build, small):
    """Copier writes all files anew, and ninja compares times: contents decide."""
    small.answer(build, "torch_library")
    csrc = small.path / "my_ops/csrc"
    (csrc / "number.h").write_text("#define NUMBER 1\n")
    (csrc / "other.cpp").write_text('#include "number.h"\nint other = NUMBER;\n')
    command = {
        "setuptools": ["python", "setup.py", "build_ext", "--inplace"],
        "cmake": ["pip", "install", "--no-build-isolation", "--no-deps", "-v", "-e", "."],
        "jit": ["python", "-c", "import my_ops"],
    }[build]

    def compiled() -> set[str]:
        text = small.succeed(*command)
        return set(re.findall(r"^ *\[\d+/\d+\] (\w+\.cpp)$", text, re.MULTILINE))

    assert compiled() == {"bindings.cpp", "other.cpp"}
    for path in csrc.iterdir():
        path.write_text(path.read_text())
    (csrc / "added.cpp").write_text("int added = 1;\n")
    assert compiled() == {"added.cpp"}
    # A header that really changed, at a time of before.
    (csrc / "number.h").write_text("#define NUMBER 2\n")
    os.utime(csrc / "number.h", (1e9, 1e9))
    assert "other.cpp" in compiled()


def test_an_addition_to_inline_compiles_the_files_that_it_joins(small):
    """load_inline makes one file of its sources: contents decide for each of these files, and not for its parts."""
    small.answer("inline", "torch_library")
    csrc = small.path / "my_ops/csrc"
    (csrc / "other.cpp").write_text("int other = 1;\n")

    def compiled() -> int:
        text = small.succeed("python", "-c", "import my_ops")
        return len(re.findall(r"^ *\[\d+/\d+\] main\.cpp$", text, re.MULTILINE))

    assert compiled() == 2  # what knows tensors, and kernels
    for path in csrc.iterdir():
        path.write_text(path.read_text())
    assert compiled() == 0
    (csrc / "added.cpp").write_text("int added = 1;\n")
    assert compiled() == 1  # PyTorch's headers are not read again
    (csrc / "more").mkdir()
    (csrc / "more/more.cpp").write_text("int with_tensors = 1;\n")
    assert compiled() == 1  # and the kernels are kept
