"""Compiles my_ops._C; all else about the package is in pyproject.toml."""

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from setuptools import setup

try:
    import torch
    from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension
except ModuleNotFoundError:
    raise SystemExit(
        "my_ops compiles against the PyTorch that you use: install torch first, then "
        "run `pip install --no-build-isolation -e .`"
    ) from None

# To import them would import the package, which needs the library.
_build = SimpleNamespace(**runpy.run_path("my_ops/_build.py"))
_build_log = SimpleNamespace(**runpy.run_path("my_ops/_build_log.py"))


def with_cuda() -> bool:
    """Whether to compile the CUDA code: yes, if PyTorch has CUDA.

    A GPU is not needed to compile, so none is asked for.
    """
    return torch.version.cuda is not None and os.environ.get("CPU_ONLY") != "1"


def require_compiler(*paths: Path) -> None:
    """Refuse a C++ compiler that is missing, or that PyTorch's headers do not compile with.

    Raises:
        RuntimeError: There is no C++ compiler, or it is a g++ before 11, or a path is one that
            PyTorch cannot tell ninja.
    """
    for path in paths:
        if re.search('[$:"]', str(path)):
            raise RuntimeError(
                f"{path} has a dollar sign, colon or quote in it, which PyTorch cannot tell ninja; "
                "rename that folder"
            )
    command = shlex.split(os.environ.get("CXX") or "c++")
    if shutil.which(command[0]) is None:
        raise RuntimeError(
            f"there is no C++ compiler {command[0]}; install g++ 11 or later, or clang, or set CXX to one"
        )
    predefined = [*command, "-dM", "-E", "-x", "c++", os.devnull]
    macros = subprocess.run(predefined, stdout=subprocess.PIPE, text=True, check=True).stdout
    gcc = re.search(r"__GNUC__ (\d+)", macros)
    if gcc and "__clang__" not in macros and int(gcc[1]) < 11:
        raise RuntimeError(
            f"{' '.join(command)} is g++ {gcc[1]}, and PyTorch needs 11 or later; install one, and set CXX to it"
        )


def require_nvcc() -> None:
    """Refuse an nvcc that is missing, or that does not fit PyTorch.

    Raises:
        RuntimeError: There is no nvcc, or it has another major version than PyTorch's CUDA.
    """
    if CUDA_HOME is None or not Path(CUDA_HOME, "bin", "nvcc").exists():
        raise RuntimeError(
            f"PyTorch {torch.__version__} has CUDA {torch.version.cuda}, but there is no nvcc "
            f"in CUDA_HOME ({CUDA_HOME}). `python -m my_ops.doctor` says how to get it; "
            "set CPU_ONLY=1 to compile the CPU code only."
        )
    nvcc = Path(CUDA_HOME, "bin", "nvcc")
    text = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release and release[2] != torch.version.cuda.split(".")[0]:
        raise RuntimeError(
            f"PyTorch has CUDA {torch.version.cuda}, but {nvcc} is of CUDA {release[1]}; set CUDA_HOME to a "
            "toolkit with the same major version, or set CPU_ONLY=1 to compile the CPU code only"
        )


class BuildWithRecord(BuildExtension):
    """Compiles, and writes beside the library what it was compiled from."""

    def run(self):
        try:
            super().run()
        except _build_log.BuildError as error:
            raise SystemExit(str(error)) from None
        except Exception:
            print(f"`python -m {csrc.parent}.doctor` says what is wrong here", file=sys.stderr)
            raise

    def build_extensions(self):
        require_compiler(Path.cwd())
        self.record = _build.take_record(cuda)
        _build.prepare(Path(self.build_temp), self.record)
        with _build_log.compiling():
            super().build_extensions()
        database = csrc.with_name("_compile_commands.py")
        subprocess.run([sys.executable, database, self.build_temp], check=False)
        _build.write_record(Path(self.get_ext_fullpath(extension.name)), self.record)

    def copy_file(self, source, target, **options):
        """Copy the library to its place whole or, if the disk is full, not at all."""
        new = Path(target).with_name(f"new_{Path(target).name}")
        super().copy_file(source, str(new), **options)
        new.replace(target)
        _build.write_record(Path(target), self.record)


# ninja would start more compilers than there are cores, and with few cores the longest suffers.
os.environ.setdefault("MAX_JOBS", str(os.cpu_count()))

cuda = with_cuda()
if cuda:
    require_nvcc()
    if not torch.cuda.is_available():
        # PyTorch would look at the GPUs for this. PTX lets later ones run it too.
        os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0;9.0+PTX")
macros = [("USE_CUDA", None)] if cuda else []
csrc = Path("my_ops", "csrc")
sources = [*csrc.rglob("*.cpp"), *(csrc.rglob("*.cu") if cuda else [])]

Extension = CUDAExtension if cuda else CppExtension
extension = Extension(
    "my_ops._C",
    sorted(map(str, sources)),
    define_macros=macros,
    # Without -g0, Python's own flags ask for debug information, a third of the compile time.
    # nvcc does two of its steps at a time, and compiles C++17 faster than C++20. It optimizes GPU code
    # in any case; -O would be for the rest of a .cu file, which starts kernels.
    extra_compile_args={
        "cxx": ["-O3", "-g0"],
        "nvcc": ["-std=c++17", "--threads=2", "--split-compile=2"],
    },
    py_limited_api=True,  # the library never calls Python: one build serves all versions
)

setup(
    # A wheel is for the PyTorch that it was compiled for.
    install_requires=[f"torch=={torch.__version__.partition('+')[0]}"],
    ext_modules=[extension],
    cmdclass={"build_ext": BuildWithRecord},
    verbose=False,  # what setuptools does would hide what compilers say
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
