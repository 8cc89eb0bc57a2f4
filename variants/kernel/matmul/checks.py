def check_factors(op: str, /, **tensors: Tensor) -> tuple[int, int]:
    """Check that the first two tensors can be multiplied, and that others are as their product.

    Returns:
        The shape of the product.

    Raises:
        RuntimeError: They are no such matrices, or have not the device or dtype of the first. The
            message names the argument and its value.
    """
    (a_name, a), (b_name, b), *products = tensors.items()
    for name, x in tensors.items():
        # Device and dtype; the shapes follow.
        check(op, **{a_name: a.new_empty(()), name: x.new_empty(())})
    for name, x in ((a_name, a), (b_name, b)):
        if x.dim() != 2:
            raise RuntimeError(f"{op}: {name} must have two dimensions, but has {list(x.shape)}")
    if not are_equal(b.shape[:1], a.shape[1:]):
        raise RuntimeError(
            f"{op}: {b_name} must have the shape {[a.shape[1], b.shape[1]]} for the columns of "
            f"{a_name}, but has {list(b.shape)}"
        )
    shape = (a.shape[0], b.shape[1])
    for name, x in products:
        if not are_equal(x.shape, shape):
            raise RuntimeError(
                f"{op}: {name} must have the shape of the product of {a_name} and {b_name}, "
                f"{list(shape)}, but has {list(x.shape)}"
            )
    return shape
