"""Compiles csrc/ with setuptools. Shared code of the template: do not edit.

setup.py runs this file by its path, because the package can't be imported before its library
exists.
"""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import setuptools  # type: ignore[import-untyped, unused-ignore]

_PACKAGE = Path(__file__).parents[1]
_NAME = _PACKAGE.name


def _version(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)[:3]]


# An old setuptools fails with errors that do not name setuptools, so its version is checked first.
_needed = re.search(r'"(setuptools>=([\d.]+))"', Path("pyproject.toml").read_text())
_tools = _needed[1] if _needed else "setuptools"
if _needed and _version(setuptools.__version__) < _version(_needed[2]):
    raise SystemExit(
        f"setuptools {setuptools.__version__} is too old: run `pip install '{_tools}'` first"
    )

_build_log = SimpleNamespace(**runpy.run_path(str(_PACKAGE / "_kit" / "build_log.py")))
_build_log.drop_warnings()
try:
    import torch
    from setuptools.command.bdist_wheel import (  # type: ignore[import-untyped, unused-ignore]
        bdist_wheel,
    )
    from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension
except ModuleNotFoundError as error:
    raise SystemExit(
        f"{error}: {_NAME} compiles against the PyTorch that you use. Install torch and "
        f"{_tools} first, then run `pip install --no-build-isolation -e .`, without -e for a "
        "plain install. With uv, run `uv sync` instead"
    ) from None

_doctor = SimpleNamespace(**runpy.run_path(str(_PACKAGE / "_kit" / "doctor.py")))
_record = SimpleNamespace(**runpy.run_path(str(_PACKAGE / "_kit" / "record.py")))
_PROJECT = runpy.run_path(str(_PACKAGE / "_project.py"))
_BINDING = _PROJECT["BINDING"]
# A pybind11 module is for one version of Python. Other libraries never call Python.
_IS_MODULE = _BINDING == "pybind11"


def stop(error: Exception) -> NoReturn:
    """Print an error's message on stdout, where _library.py may read it, and exit."""
    print(error)
    raise SystemExit(1) from None


class BuildWithRecord(BuildExtension):
    """Compiles, and writes a record of the sources beside the library."""

    def finalize_options(self) -> None:
        super().finalize_options()
        # ninja finds what is up to date. Without it, setuptools would look only at .cpp and .cu files,
        # and leave out what an edited header changes.
        self.force = True

    def run(self) -> None:
        try:
            super().run()
        except (_build_log.BuildError, _doctor.Finding) as error:
            stop(error)
        except Exception:
            print(f"`python -m {_NAME}.doctor` lists faults of this machine", file=sys.stderr)
            raise
        library = Path(self.get_ext_fullpath(self.extensions[0].name))
        _record.write_record(library, self.record)
        if not self.use_ninja:
            print("files were compiled one at a time; faster: `pip install ninja`", file=sys.stderr)

    def build_extensions(self) -> None:
        _doctor.compiler()
        self.record = _record.take_record(("USE_CUDA", None) in self.extensions[0].define_macros)
        _record.prepare(Path(self.build_temp), self.record)
        # Send linkers' errors to stdout, where `compiling` reads them. setuptools calls `spawn` or
        # `call`, depending on its version.
        link = partial(subprocess.run, stderr=subprocess.STDOUT, check=True)
        self.compiler.spawn = self.compiler.call = link
        with _build_log.compiling():
            super().build_extensions()
        _record.finish(Path(self.build_temp), self.record)
        database = _PACKAGE / "_kit" / "compile_commands.py"
        subprocess.run([sys.executable, database, self.build_temp], check=False)


class WheelOfAnyPython(bdist_wheel):  # type: ignore[misc, unused-ignore]
    """A wheel for every Python, even a free-threaded one: its library never calls Python."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[-1]


def with_cuda() -> bool:
    """Return whether to compile `.cu` files; if so, find nvcc. A GPU is not needed."""
    if not _doctor.wants_cuda(torch.version.cuda):
        return False
    _doctor.use_nvcc(torch.version.cuda, "8.0;9.0+PTX")  # PTX lets later GPUs run the library too
    return True


def setup(
    include_dirs: Sequence[str], link_args: Sequence[str], compile_args: Mapping[str, list[str]]
) -> None:
    """Run setuptools, with the library as the package's extension.

    Args:
        include_dirs: Folders of headers, relative to the repository.
        link_args: Arguments of the linker.
        compile_args: Arguments of the compilers `cxx` and `nvcc`.
    """
    # By default, ninja starts two more compilers than cores, which slows down the longest file.
    os.environ["MAX_JOBS"] = os.environ.get("MAX_JOBS") or str(os.cpu_count())
    try:
        _doctor.require_versions()
        with suppress(_doctor.Finding):  # without ninja, PyTorch compiles one file at a time
            _doctor.ninja()
        cuda = with_cuda()
    except _doctor.Finding as finding:
        stop(finding)
    macros = [("USE_CUDA", None)] if cuda else []
    macros += map(tuple, _PROJECT["DEFINITIONS"])
    metadata, options = {}, {}
    if _BINDING != "torch_stable":
        # A wheel requires the PyTorch version that it was compiled for.
        metadata["install_requires"] = [f"torch=={torch.__version__.partition('+')[0]}"]
    if _IS_MODULE:
        commands = {"build_ext": BuildWithRecord}
        # Allow undefined symbols, even if LDFLAGS contains -z defs: the interpreter
        # defines Python's symbols.
        link_args = [*link_args, *(["-Wl,-z,undefs"] if sys.platform == "linux" else [])]
    else:
        # _C.so: not a Python module, so its name has no tag of a Python version.
        build_ext = BuildWithRecord.with_options(no_python_abi_suffix=True)
        commands = {"build_ext": build_ext, "bdist_wheel": WheelOfAnyPython}
        options["py_limited_api"] = True  # leaves out libtorch_python
    csrc = Path(_NAME, "csrc")
    extension = (CUDAExtension if cuda else CppExtension)(
        f"{_NAME}._C",
        sorted(map(str, [*csrc.rglob("*.cpp"), *(csrc.rglob("*.cu") if cuda else [])])),
        define_macros=macros,
        include_dirs=[os.path.abspath(folder) for folder in include_dirs],  # ninja runs elsewhere
        extra_link_args=[*link_args],
        extra_compile_args={
            name: [*args, *_doctor.debug_flags(name)] for name, args in compile_args.items()
        },
        **options,
    )
    setuptools.setup(
        ext_modules=[extension],
        cmdclass=commands,
        verbose=False,  # messages of setuptools would hide messages of compilers
        **metadata,
    )
