"""Compiles {{ project }}._C; all else about the package is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import setup

try:
    import torch
    from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension
except ModuleNotFoundError:
    raise SystemExit(
        "{{ project }} compiles against the PyTorch that you use: install torch first, then "
        "run `pip install --no-build-isolation -e .`"
    ) from None


{% set architectures = '8.0;9.0+PTX' %}
{% include pathjoin('variants', 'build', 'with_cuda.py') %}


# ninja would start more compilers than there are cores, and with few cores the longest suffers.
os.environ.setdefault("MAX_JOBS", str(os.cpu_count()))

cuda = with_cuda()
macros = [("USE_CUDA", None)] if cuda else []
{% for name, value in definitions %}
macros.append(("{{ name }}", "{{ value }}"))
{% endfor %}
csrc = Path("{{ project }}", "csrc")
sources = [*csrc.rglob("*.cpp"), *(csrc.rglob("*.cu") if cuda else [])]

Extension = CUDAExtension if cuda else CppExtension
extension = Extension(
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

setup(
    ext_modules=[extension],
    cmdclass={"build_ext": BuildExtension},
{% if abi3 %}
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
{% endif %}
)
