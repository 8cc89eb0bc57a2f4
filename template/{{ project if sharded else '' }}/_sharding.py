"""Sharding rules: the parts of DTensors from which each device computes a part of the result."""

from collections.abc import Callable, Iterator

from torch.distributed.tensor import Placement, Replicate, Shard

# ---- Rules. A rule gets an operator's tensors, None for an absent one, and yields placements of a
# result and of these. That each device has everything is always possible.

Rule = Callable[..., Iterator[tuple[Placement, list[Placement]]]]


def any_dimension(*tensors):
    """Tensors have one shape, and an element of a result needs only the elements at its own position."""
    for dim in range(next(x.ndim for x in tensors if x is not None)):
        yield Shard(dim), [Shard(dim)] * len(tensors)


def rows(x, *columns):
    """Any dimension of `x` but the last; columns are the same for all of its rows."""
    for dim in range(x.ndim - 1):
        yield Shard(dim), [Shard(dim)] + [Replicate()] * len(columns)


def product(a, b, *columns):
    """Rows of the product, for which `b` is whole, or columns, for which `a` is."""
    yield Shard(0), [Shard(0), Replicate()] + [Replicate()] * len(columns)
    yield Shard(1), [Replicate(), Shard(1)] + [Shard(0)] * len(columns)


def whole(*tensors):
    """Nothing can be divided: sharded tensors are gathered first."""
    yield from ()


# EDIT: an operator in which parts would meet, as in a sum over all elements, has the rule `whole`.
# `PARTS_MEET` in its `ops/<op>.py` gives it that one; here is the place for a rule of yours.
RULES: dict[str, Rule] = {
    # Operators that are not here have the rules in `SHARDED` of `_project.py`.
}
