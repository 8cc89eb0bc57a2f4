def whole(*tensors):
    """Nothing can be divided: what is sharded is gathered first."""
    yield from ()
