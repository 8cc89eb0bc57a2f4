"""Registers the sharding rules of the operators: import this module to use DTensors.

The package imports this module if `torch.distributed.tensor` is already loaded, and otherwise does
not, because loading it takes a second. This file is the same in every project; `_sharding.py` has
the rules, and `_project.py` names the rule of each operator.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.distributed.tensor import Partial, Placement, Replicate
from torch.distributed.tensor.experimental import register_sharding

from . import _sharding, ops
from ._kit.private import OpOverload, arguments_of_rule, schema_of
from ._project import SHARDED
from ._sharding import RULES, Rule, whole

# The namespace of the operators has the package's name.
_namespace = getattr(torch.ops, __package__.rpartition(".")[2])

# PyTorch calls a rule with placeholders for an operator's tensors, with shapes and dtypes but no
# values.
Tensors = dict[str, Tensor | None]


def rule_of(name: str) -> Rule:
    """Return the rule of an operator."""
    parts_meet = getattr(getattr(ops, name, None), "PARTS_MEET", False)
    return whole if parts_meet else RULES.get(name) or getattr(_sharding, SHARDED[name])


def tensors_of(op: OpOverload, args: tuple[Any, ...]) -> Tensors:
    given = zip(schema_of(op).arguments, args)
    return {argument.name: x for argument, x in given if "Tensor" in str(argument.type)}


def of_given(tensors: Tensors, placements: list[Placement]) -> list[Placement]:
    return [p for p, x in zip(placements, tensors.values()) if x is not None]


def possible(rule: Rule, tensors: Tensors) -> Iterator[tuple[Placement, list[Placement]]]:
    yield Replicate(), [Replicate()] * len(tensors)
    yield from rule(*tensors.values())


def register(name: str, rule: Rule) -> None:
    """Register the rule of an operator."""
    op = getattr(_namespace, name).default
    results = len(schema_of(op).returns)

    @register_sharding(op)
    def placements(*args, **numbers):
        tensors = tensors_of(op, args)
        found = possible(rule, tensors)
        return [([out] * results, of_given(tensors, placed)) for out, placed in found]


def register_backward(name: str, rule: Rule) -> None:
    """Register the rule of an operator's gradient, which follows from the operator's rule."""
    results = len(schema_of(getattr(_namespace, name).default).returns)
    op = getattr(_namespace, f"{name}_backward").default
    names = [argument.name for argument in schema_of(op).arguments]

    @register_sharding(op)
    def placements(*args):
        given, tensors = dict(zip(names, args)), tensors_of(op, args)
        inputs = dict(list(tensors.items())[results:])
        made = [x is not None and given.get(f"needs_{name}", True) for name, x in inputs.items()]
        found = []
        for out, placed in possible(rule, inputs):
            # If each device has all of a tensor, each computes a part of its gradient's sum.
            summed = not out.is_replicate()
            parts = [Partial() if summed and p.is_replicate() else p for p in placed]
            grads = [p if is_made else None for p, is_made in zip(parts, made)]
            found.append((grads, of_given(tensors, [out] * results + placed)))
        return found

    # PyTorch caches a rule's result by the tensors only, and has no public name to add other
    # arguments.
    if needs := [i for i, name in enumerate(names) if name.startswith("needs_")]:
        info = arguments_of_rule(op)
        info.static_argnum = min([info.static_argnum, *needs])


for _name in SHARDED | RULES:
    _rule = rule_of(_name)
    register(_name, _rule)
    if hasattr(_namespace, f"{_name}_forward"):
        register(f"{_name}_forward", _rule)
    if hasattr(getattr(ops, _name, None), "_backward_op"):
        register_backward(_name, _rule)
