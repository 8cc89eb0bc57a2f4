"""Sharding rules: which parts of its arguments a device needs for its part of a result."""

from collections.abc import Callable, Iterator

from torch.distributed.tensor import Placement, Replicate, Shard

# ---- Rules. A rule gets the tensors of an operator, None for an absent tensor, and yields pairs:
# the placement of a result, and the placements of these tensors. `sharding.py` adds the placement
# that replicates all tensors.

Rule = Callable[..., Iterator[tuple[Placement, list[Placement]]]]


def any_dimension(*tensors):
    """All tensors have one shape; an element of a result needs only elements at its position."""
    for dim in range(next(x.ndim for x in tensors if x is not None)):
        yield Shard(dim), [Shard(dim)] * len(tensors)


def rows(x, *columns):
    """`x` may be divided along any dimension except the last; each device has all columns."""
    for dim in range(x.ndim - 1):
        yield Shard(dim), [Shard(dim)] + [Replicate()] * len(columns)


def product(a, b, *columns):
    """A device computes rows of the product with all of `b`, or columns with all of `a`."""
    yield Shard(0), [Shard(0), Replicate()] + [Replicate()] * len(columns)
    yield Shard(1), [Replicate(), Shard(1)] + [Shard(0)] * len(columns)


def whole(*tensors):
    """Nothing can be divided; PyTorch first gathers sharded tensors."""
    yield from ()


# EDIT: an operator in which parts would meet, as in a sum over all elements, has the rule `whole`.
# `REPLICATE` in its `ops/<op>.py` chooses that rule. Add your own rules here.
RULES: dict[str, Rule] = {
    # Other operators have the rules in `SHARDED` of `_project.py`.
}
