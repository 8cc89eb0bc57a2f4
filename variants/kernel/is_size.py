def is_size(size: int, expected: int) -> bool:
    """Whether they are equal; those that depend on data are compared as the program runs."""
    equal = size == expected
    if not isinstance(equal, bool):
        # Imported here, since it takes half a second.
        from torch.fx.experimental.symbolic_shapes import expect_true

        equal = expect_true(equal)
    return equal
