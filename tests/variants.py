"""The one table of variants: what is offered, and so what is rendered, built and tested.

Test ids, nox sessions, continuous integration, the GPU run and the README's matrix come from here.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

BUILDS = ["setuptools", "cmake", "jit"]
BINDINGS = ["torch_library", "pybind11"]
AUTOGRADS = ["function", "none"]


@dataclass(frozen=True)
class Variant:
    """One consistent set of answers."""

    build: str
    binding: str
    autograd: str

    def __str__(self) -> str:
        return f"{self.build}-{self.binding}-{self.autograd}"

    @property
    def answers(self) -> dict[str, str]:
        return asdict(self)


VARIANTS = [
    Variant(build, binding, autograd)
    for build in BUILDS
    for binding in BINDINGS
    for autograd in AUTOGRADS
]
