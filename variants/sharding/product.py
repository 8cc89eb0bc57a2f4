def product(a, b, *columns):
    """Rows of the product, for which `b` is whole, or columns, for which `a` is."""
    yield Shard(0), [Shard(0), Replicate()] + [Replicate()] * len(columns)
    yield Shard(1), [Replicate(), Shard(1)] + [Shard(0)] * len(columns)
