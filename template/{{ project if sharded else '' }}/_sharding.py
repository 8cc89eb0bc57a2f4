"""Sharding rules: the parts of DTensors from which each device computes a part of the result."""

from collections.abc import Callable, Iterator

from torch.distributed.tensor import Placement, Replicate, Shard

# ---- Rules. A rule gets an operator's tensors, None for an absent one, and yields placements of a
# result and of these tensors. To replicate everything is always possible, and not yielded.

Rule = Callable[..., Iterator[tuple[Placement, list[Placement]]]]


def any_dimension(*tensors):
    """All tensors have one shape, and an element of a result needs only the elements at its position."""
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
# `PARTS_MEET` in its `ops/<op>.py` chooses that rule. Add your own rules here.
RULES: dict[str, Rule] = {
    # Other operators have the rules in `SHARDED` of `_project.py`.
}
