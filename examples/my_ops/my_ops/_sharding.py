"""Sharding rules: of which parts of DTensors each device computes a part of the result."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor, Partial, Placement, Replicate, Shard
from torch.distributed.tensor.experimental import register_sharding

from . import ops

# ---- Rules. A rule gets an operator's tensors, None for an absent one, and yields placements of a
# result and of these. That each device has everything is always possible.

Rule = Callable[..., Iterator[tuple[Placement, list[Placement]]]]


def any_dimension(*tensors):
    """Tensors have one shape, and an element of a result needs those at its own place alone."""
    for dim in range(next(x.ndim for x in tensors if x is not None)):
        yield Shard(dim), [Shard(dim)] * len(tensors)


def whole(*tensors):
    """Nothing can be divided: sharded tensors are gathered first."""
    yield from ()


# EDIT: an operator in which parts would meet, as in a sum over all elements, has the rule `whole`.
# `PARTS_MEET` in its `ops/<op>.py` gives it that one; here is the place for a rule of yours.
RULES: dict[str, Rule] = {
    "muladd": any_dimension,
}


# ---- Registration


def rule_of(name: str) -> Rule:
    """Return the rule of an operator."""
    parts_meet = getattr(getattr(ops, name, None), "PARTS_MEET", False)
    return whole if parts_meet else RULES[name]


# PyTorch calls a rule with stand-ins for an operator's tensors: shapes and dtypes, without values.
Tensors = dict[str, Tensor | None]


def tensors_of(op: torch._ops.OpOverload, args: tuple) -> Tensors:
    given = zip(op._schema.arguments, args)
    return {argument.name: x for argument, x in given if "Tensor" in str(argument.type)}


def of_given(tensors: Tensors, placements: list[Placement]) -> list[Placement]:
    return [p for p, x in zip(placements, tensors.values()) if x is not None]


def possible(rule: Rule, tensors: Tensors) -> Iterator[tuple[Placement, list[Placement]]]:
    yield Replicate(), [Replicate()] * len(tensors)
    yield from rule(*tensors.values())


def register(name: str, rule: Rule) -> None:
    """Register the rule of an operator."""
    op = getattr(torch.ops.my_ops, name).default
    results = len(op._schema.returns)

    @register_sharding(op)
    def placements(*args, **numbers):
        tensors = tensors_of(op, args)
        found = possible(rule, tensors)
        return [([out] * results, of_given(tensors, placed)) for out, placed in found]


def register_backward(name: str, rule: Rule) -> None:
    """Register for the gradient of an operator what follows from its rule."""
    results = len(getattr(torch.ops.my_ops, name).default._schema.returns)
    op = getattr(torch.ops.my_ops, f"{name}_backward").default
    names = [argument.name for argument in op._schema.arguments]

    @register_sharding(op)
    def placements(*args):
        given, tensors = dict(zip(names, args)), tensors_of(op, args)
        inputs = dict(list(tensors.items())[results:])
        made = [x is not None and given.get(f"needs_{name}", True) for name, x in inputs.items()]
        found = []
        for out, placed in possible(rule, inputs):
            # Of the gradient of what each device has whole, each computes a part of the sum.
            summed = not out.is_replicate()
            grads = [Partial() if summed and p.is_replicate() else p for p in placed]
            grads = [p if is_made else None for p, is_made in zip(grads, made)]
            found.append((grads, of_given(tensors, [out] * results + placed)))
        return found

    # PyTorch keeps what it found by the tensors alone, and has no public name for what else it depends on.
    needs = [i for i, name in enumerate(names) if name.startswith("needs_")]
    info = DTensor._op_dispatcher.sharding_propagator.op_to_schema_info[op]
    info.static_argnum = min([info.static_argnum, *needs])


for _name in RULES:
    _rule = rule_of(_name)
    register(_name, _rule)
    if hasattr(torch.ops.my_ops, f"{_name}_backward"):
        register_backward(_name, _rule)
