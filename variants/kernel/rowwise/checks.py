def check_rows(op: str, first_name: str, first: Tensor, /, **columns: Tensor{{ ' | None' if optional }}) -> None:
    """Check that a tensor has rows, and that others have an element for each of their columns.

    Raises:
        RuntimeError: They have not, or not the device or dtype. The message names the argument and
            its value.
    """
    if first.dim() == 0:
        raise RuntimeError(f"{op}: {first_name} must have at least one dimension, that of its rows")
    for name, x in columns.items():
        if {{ 'x is None:
            continue
        if ' if optional }}not are_equal(x.shape, first.shape[-1:]):
            raise RuntimeError(
                f"{op}: {name} must have the shape of a row of {first_name}, "
                f"[{first.shape[-1]}], but has {list(x.shape)}"
            )
        # The shape is right; device and dtype are compared.
        check(op, **{first_name: first, name: x.expand(first.shape)})
