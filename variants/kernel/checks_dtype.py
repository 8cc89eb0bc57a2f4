def check_dtype(op: str, name: str, tensor: Tensor, *dtypes: str) -> None:
    """Check that a tensor has one of these dtypes, which are named as in C++.

    Raises:
        RuntimeError: It has another one.
    """
    if dtype_name(tensor) not in dtypes:
        raise RuntimeError(
            f"{op}: {name} must have dtype {', '.join(dtypes[:-1])} or {dtypes[-1]}, but has "
            f"{dtype_name(tensor)}"
        )
