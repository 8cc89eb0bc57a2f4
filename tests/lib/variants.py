"""The only table of variants, which are offered, rendered, built and tested.

Test ids, nox sessions, continuous integration, the GPU run and the README's matrix come from here.
"""

from __future__ import annotations

from dataclasses import dataclass

BUILDS = ["setuptools", "cmake", "jit", "inline", "nvrtc"]
BINDINGS = ["torch_library", "torch_stable", "pybind11"]
AUTOGRADS = ["function", "cpp", "none"]


@dataclass(frozen=True)
class Variant:
    """One consistent set of answers."""

    build: str
    binding: str | None
    autograd: str

    def __str__(self) -> str:
        return "-".join(filter(None, [self.build, self.binding, self.autograd]))

    @property
    def extent(self) -> str:
        """How much is rendered: core with each build, and all of it with each build, binding and autograd."""
        return "core" if self.autograd == "none" and self.binding != "pybind11" else "full"

    @property
    def answers(self) -> dict[str, str]:
        axes = ["build", "binding", "autograd", "extent"]
        return {axis: getattr(self, axis) for axis in axes if getattr(self, axis)}

    @property
    def compiled(self) -> bool:
        """Whether a C++ compiler compiles it."""
        return self.build != "nvrtc"


VARIANTS = [
    *(
        Variant(build, binding, autograd)
        for build in BUILDS
        if build != "nvrtc"
        for binding in BINDINGS
        for autograd in AUTOGRADS
        if (binding, autograd) != ("torch_stable", "cpp")  # the stable ABI has no autograd
    ),
    *(Variant("nvrtc", None, autograd) for autograd in ["function", "none"]),
]

# Variants that are also built without CUDA: every build, binding and autograd at least once.
CPU_VARIANTS = [
    Variant("setuptools", "torch_library", "function"),
    Variant("setuptools", "torch_stable", "none"),
    Variant("cmake", "torch_stable", "function"),
    Variant("jit", "pybind11", "none"),
    Variant("inline", "torch_library", "cpp"),
    Variant("inline", "pybind11", "function"),
    Variant("nvrtc", None, "function"),
]

# Each build with each binding and extent, and each binding with each autograd. A file belongs to one axis, so other
# variants have no other code: tests/render/test_render.py compares them line by line. These are built with nvcc, and
# updated; tests/update/test_pairs.py goes from each variant to others.
COVERING = [
    *CPU_VARIANTS,
    Variant("setuptools", "pybind11", "cpp"),
    Variant("cmake", "torch_library", "none"),
    Variant("cmake", "pybind11", "function"),
    Variant("jit", "torch_library", "none"),
    Variant("jit", "torch_stable", "function"),
    Variant("inline", "torch_stable", "none"),
    Variant("nvrtc", None, "none"),
]

# Whatever builds the library does not know of operators: of those that render the same C++ and Python, one, which is
# built without CUDA too if any is.
DISTINCT = list({(v.binding, v.autograd): v for v in reversed(COVERING)}.values())
