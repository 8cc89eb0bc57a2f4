def check_length(op: str, name: str, numbers: Sequence[float], length: int) -> None:
    """Check that a list has as many numbers as the schema has.

    Raises:
        RuntimeError: It has more or fewer.
    """
    if len(numbers) != length:
        raise RuntimeError(f"{op}: {name} must have length {length}, got {len(numbers)}")
