"""Loads the compiled library, which registers the operators with PyTorch."""

import torch

from ._build_log import loading
from ._library import library_path

_path = library_path()
with loading():
    torch.ops.load_library(_path)
