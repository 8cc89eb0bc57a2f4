"""Loads the compiled library, which registers the operators with PyTorch."""

import torch

from ._library import library_path

torch.ops.load_library(library_path())
