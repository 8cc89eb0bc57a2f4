DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


{% if unknown %}
def are_equal(sizes: Sequence[int], expected: Sequence[int]) -> bool:
    return len(sizes) == len(expected) and all(map(is_size, sizes, expected))


{% endif %}
def check(op: str, /, **tensors: Tensor{{ ' | None' if optional }}) -> None:
    """Refuse a tensor of a dtype that no kernel has, or unlike the first in device, dtype or shape."""
    (first_name, first), *others = tensors.items()
{% if optional %}
    assert first is not None  # what others are compared with
{% endif %}
    dtype, device, shape = first.dtype, first.device, first.shape
    if dtype not in DTYPES:
        raise RuntimeError(
            f"{op}: {first_name} must have dtype Float, Double, Half or BFloat16, but has "
            f"{dtype_name(first)}"
        )
    for name, x in others:
        if {{ 'x is None:
            continue
        if ' if optional }}x.device != device:
            what, expected, found = "be on the device", str(device), f"is on {x.device}"
        elif x.dtype is not dtype:
            what, expected, found = "have the dtype", dtype_name(first), f"has {dtype_name(x)}"
        elif {{ 'not are_equal(x.shape, shape)' if unknown else 'x.shape != shape' }}:
            what, expected = "have the shape", str(list(shape))
            way_out = f"torch.broadcast_tensors({first_name}, {name}) makes the shapes one"
            found = f"has {list(x.shape)}; {way_out}"
        else:
            continue
        raise RuntimeError(f"{op}: {name} must {what} of {first_name}, {expected}, but {found}")
