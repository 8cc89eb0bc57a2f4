"""Registers the sharding rules of the operators: import this module where DTensors are used.

`import my_ops` does so too where `torch.distributed.tensor` is loaded already, and does not load it:
that takes a second.
"""

from . import _sharding  # noqa: F401
