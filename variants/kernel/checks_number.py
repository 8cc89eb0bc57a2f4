

def check_number(op: str, /, **numbers: object) -> None:
    """Refuse a tensor that requires a gradient in place of a number."""
    for name, x in numbers.items():
        if isinstance(x, Tensor) and (
            x.requires_grad or forward_ad.unpack_dual(x).tangent is not None
        ):
            raise RuntimeError(
                f"{op}: {name} is a number, of which no gradient is computed, and a tensor that requires "
                f"one; pass {name}.item(), or call `{op}_reference`, which PyTorch differentiates"
            )
