"""Compiles my_ops._C; all else about the package is in pyproject.toml."""

import os
import re
import runpy
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import setuptools

if tuple(map(int, re.findall(r"\d+", setuptools.__version__)[:3])) < (78, 1, 1):
    raise SystemExit(
        f"setuptools {setuptools.__version__} is too old: run `pip install 'setuptools>=78.1.1'` first"
    )

package = Path("my_ops")
if not package.exists():
    raise SystemExit(f"there is no {package}; `copier update --data project=NAME` renames it")
# To import the package would need the library.
_build_log = SimpleNamespace(**runpy.run_path("my_ops/_build_log.py"))
_build_log.drop_warnings()
try:
    import torch
    from setuptools.command.bdist_wheel import bdist_wheel
    from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension
except ModuleNotFoundError as error:
    raise SystemExit(
        f"{error}: my_ops compiles against the PyTorch that you use. Install torch and "
        "setuptools>=78.1.1 first, then run `pip install --no-build-isolation -e .`, without -e for a "
        "plain install; uv has both after `uv sync`"
    ) from None

_doctor = SimpleNamespace(**runpy.run_path("my_ops/doctor.py"))
_record = SimpleNamespace(**runpy.run_path("my_ops/_record.py"))


def stop(error):
    """End with a sentence on stdout, where an import that compiles reads it."""
    print(error)
    raise SystemExit(1) from None


class BuildWithRecord(BuildExtension):
    """Compiles, and writes beside the library what it was compiled from."""

    def run(self):
        try:
            super().run()
        except (_build_log.BuildError, _doctor.Finding) as error:
            stop(error)
        except Exception:
            print(f"`python -m {package}.doctor` says what is wrong here", file=sys.stderr)
            raise
        _record.write_record(Path(self.get_ext_fullpath(extension.name)), self.record)
        if not self.use_ninja:
            print("one file compiled at a time: `pip install ninja` is faster", file=sys.stderr)

    def build_extensions(self):
        _doctor.compiler()
        self.record = _record.take_record(cuda)
        _record.prepare(Path(self.build_temp), self.record)
        # Linkers write to stdout, as ninja does for compilers, where it is read. setuptools calls one
        # or the other, by its version.
        link = partial(subprocess.run, stderr=subprocess.STDOUT, check=True)
        self.compiler.spawn = self.compiler.call = link
        with _build_log.compiling():
            super().build_extensions()
        _record.finish(Path(self.build_temp), self.record)
        database = csrc.with_name("_compile_commands.py")
        subprocess.run([sys.executable, database, self.build_temp], check=False)


class WheelOfAnyPython(bdist_wheel):
    """A wheel whose library never calls Python: one build serves all, free-threaded ones too."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[-1]


# EDIT: what csrc/ uses of others, or of yours: folders of headers, as seen from the repository, and
# arguments of the linker. CUB and Thrust come with nvcc, and need neither. For example
#     INCLUDE_DIRS = ["third_party/cutlass/include"]
#     LINK_ARGS = ["-lcublas"]
INCLUDE_DIRS: list[str] = []
LINK_ARGS: list[str] = []

# ninja would start two more compilers than there are cores, and slow down the longest one.
os.environ["MAX_JOBS"] = os.environ.get("MAX_JOBS") or str(os.cpu_count())

try:
    _doctor.require_versions()
    with suppress(_doctor.Finding):  # without ninja, PyTorch compiles one file at a time
        _doctor.ninja()
    # A GPU is not needed to compile, so none is asked for.
    cuda = not _doctor.asked_for("CPU_ONLY") and torch.version.cuda is not None
    if cuda:
        # PyTorch does not look where pip installs nvcc.
        nvcc = _doctor.fitting_nvcc(torch.version.cuda)
        torch.utils.cpp_extension.CUDA_HOME = str(nvcc.parents[1])
except _doctor.Finding as finding:
    stop(finding)
if cuda and not torch.cuda.is_available():
    # PyTorch would look at the GPUs for this. PTX lets later ones run it too.
    os.environ["TORCH_CUDA_ARCH_LIST"] = os.environ.get("TORCH_CUDA_ARCH_LIST") or "8.0;9.0+PTX"
macros = [("USE_CUDA", None)] if cuda else []
csrc = package / "csrc"
sources = [*csrc.rglob("*.cpp"), *(csrc.rglob("*.cu") if cuda else [])]

Extension = CUDAExtension if cuda else CppExtension
extension = Extension(
    "my_ops._C",
    sorted(map(str, sources)),
    define_macros=macros,
    include_dirs=[os.path.abspath(folder) for folder in INCLUDE_DIRS],  # ninja runs elsewhere
    extra_link_args=LINK_ARGS,
    # Without -g0, Python's own flags ask for debug information, a third of the compile time.
    # nvcc does two of its steps at a time, and compiles C++17 faster than C++20. It optimizes GPU code
    # in any case; -O would be for the rest of a .cu file, which starts kernels.
    extra_compile_args={
        "cxx": ["-O3", "-g0"],
        "nvcc": ["-std=c++17", "--threads=2", "--split-compile=2"],
    },
    py_limited_api=True,  # the library never calls Python, so libtorch_python is left out
)

setuptools.setup(
    # A wheel is for the PyTorch that it was compiled for.
    install_requires=[f"torch=={torch.__version__.partition('+')[0]}"],
    ext_modules=[extension],
    cmdclass={
        # _C.so: it is no Python module, so its name says nothing of a Python.
        "build_ext": BuildWithRecord.with_options(no_python_abi_suffix=True),
        "bdist_wheel": WheelOfAnyPython,
    },
    verbose=False,  # what setuptools does would hide what compilers say
)
