"""Compiles {{ project }}._C; all else about the package is in pyproject.toml."""

import gc
import os
import sys
from pathlib import Path

from setuptools import setup

# PyTorch's objects stay until the process ends. Python would look through them again and again while
# it imports them, and once more at the end, which takes half a second of each build.
gc.disable()
try:
    import torch
    from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension
except ModuleNotFoundError:
    raise SystemExit(
        "{{ project }} compiles against the PyTorch that you use: install torch first, then "
        "run `pip install --no-build-isolation -e .`"
    ) from None
gc.freeze()
gc.enable()


{% set architectures = '8.0;9.0+PTX' %}
{% include pathjoin('variants', 'build', 'with_cuda.py') %}


cuda = with_cuda()
macros = [("USE_CUDA", None)] if cuda else []
{% for name, value in definitions %}
macros.append(("{{ name }}", "{{ value }}"))
{% endfor %}
csrc = Path("{{ project }}", "csrc")
sources = [*csrc.rglob("*.cpp"), *(csrc.rglob("*.cu") if cuda else [])]

extension = (CUDAExtension if cuda else CppExtension)(
    "{{ project }}._C",
    sorted(map(str, sources)),
    define_macros=macros,
    # Without -g0, Python's own flags ask for debug information, a third of the compile time.
    # nvcc compiles two GPU architectures at a time, and C++17 faster than C++20. It optimizes GPU code
    # in any case; -O would be for the rest of a .cu file, which starts kernels.
    extra_compile_args={
        "cxx": ["-O3", "-g0"],
        "nvcc": ["-std=c++17", "--threads=2"],
    },
{% if abi3 %}
    py_limited_api=True,  # the library never calls Python: one build serves all versions
{% endif %}
)
if sys.platform == "linux":
    # libtorch brings in the libraries that hold the symbols. If they were named too, the linker would
    # read 100,000 symbols at each build, which takes a third of a second.
    extension.libraries = [x for x in extension.libraries if x not in ("torch_cpu", "torch_cuda")]
    extension.extra_link_args = ["-Wl,--no-as-needed", "-ltorch"]
    # ninja starts more jobs than there are cores. Where these are few, the longest job suffers.
    cores = len(os.sched_getaffinity(0))
    if cores <= 4:
        os.environ.setdefault("MAX_JOBS", str(cores))

setup(
    ext_modules=[extension],
    cmdclass={"build_ext": BuildExtension},
{% if abi3 %}
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
{% endif %}
)
