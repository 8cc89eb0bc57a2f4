"""Compiles {{ project }}._C; all else about the package is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import setup

try:
    import torch
except ImportError:
    raise SystemExit(
        "{{ project }} compiles against the PyTorch that you use: install torch first, then "
        "run `pip install --no-build-isolation -e .`"
    ) from None
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension


{% include pathjoin('variants', 'build', 'with_cuda.py') %}


cuda = with_cuda()
macros = [("USE_CUDA", None)] if cuda else []
{% for name, value in definitions %}
macros.append(("{{ name }}", "{{ value }}"))
{% endfor %}
csrc = Path("{{ project }}", "csrc")
sources = [*csrc.rglob("*.cpp"), *(csrc.rglob("*.cu") if cuda else [])]

setup(
    ext_modules=[
        (CUDAExtension if cuda else CppExtension)(
            "{{ project }}._C",
            sorted(map(str, sources)),
            define_macros=macros,
            # Without -g0, Python's own flags ask for debug information, a third of the compile time.
            # nvcc compiles two GPU architectures at a time, and C++17 faster than C++20.
            extra_compile_args={
                "cxx": ["-O3", "-g0"],
                "nvcc": ["-O3", "-std=c++17", "--threads=2"],
            },
{% if abi3 %}
            py_limited_api=True,  # the library never calls Python: one build serves all versions
{% endif %}
        )
    ],
    cmdclass={"build_ext": BuildExtension},
{% if abi3 %}
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
{% endif %}
)
