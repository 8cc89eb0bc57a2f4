"""Facts of this project, for the template's shared code."""

BUILD = "setuptools"
BINDING = "torch_library"
AUTOGRAD = "function"
EXTENT = "core"

# Whether a wheel contains a compiled library. Otherwise a package compiles when it is used.
COMPILED_WHEELS = True

# Macros that every C++ and CUDA file is compiled with, and their values.
DEFINITIONS: list[list[str]] = []

# The rest has an effect only with EXTENT = "full", which adds the code that reads it.

# Operators whose tensors autocast converts to one dtype.
PROMOTED: list[str] = [
    "muladd",
]

# Operators that compute each element or pixel by itself: torch.vmap calls them once for a batch.
BATCHED: list[str] = [
    "muladd",
]

# Operators whose tensors can be DTensors, split over devices, and the rule for each operator.
SHARDED: dict[str, str] = {
    "muladd": "any_dimension",
}
