

def check_number(op: str, /, **numbers: object) -> None:
    """Check that what stands for a number is no tensor whose gradient somebody waits for.

    Raises:
        RuntimeError: It is one. The message names the argument.
    """
    for name, x in numbers.items():
        if not isinstance(x, Tensor):
            continue
        if x.requires_grad or forward_ad.unpack_dual(x).tangent is not None:
            raise RuntimeError(
                f"{op}: {name} is a number, of which no gradient is computed, and a tensor that requires "
                f"one; pass {name}.item(), or call `{op}_reference`, which PyTorch differentiates"
            )
