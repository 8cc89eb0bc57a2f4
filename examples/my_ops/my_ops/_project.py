"""Facts of this project, for code that is the same in every project."""

BUILD = "setuptools"
BINDING = "torch_library"
AUTOGRAD = "function"
EXTENT = "core"

# Operators that take several tensors of one dtype, and write to none of them.
PROMOTED: list[str] = [
    "muladd",
]
