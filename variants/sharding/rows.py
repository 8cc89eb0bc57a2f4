def rows(x, *columns):
    """Any dimension of `x` but the last; columns are the same for all of its rows."""
    for dim in range(x.ndim - 1):
        yield Shard(dim), [Shard(dim)] + [Replicate()] * len(columns)
