"""Facts of this project, for code that is the same in every project."""

BUILD = "setuptools"
BINDING = "torch_library"
