"""Checks of tensors without memory, as csrc/kit/tensors.h has for others, and of transforms."""

import torch
from torch import Tensor
from torch.autograd import forward_ad


def dtype_name(tensor: Tensor) -> str:
    """Return the name that C++ has for a dtype, such as Float."""
    return tensor.type().split(".")[-1].removesuffix("Tensor")


def check_defined(op: str, /, **tensors: Tensor | None) -> None:
    """Refuse None for a tensor that must be given."""
    for name, x in tensors.items():
        if x is None:
            raise RuntimeError(f"{op}: {name} must be a tensor, but is None")


DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


def check(op: str, /, **tensors: Tensor) -> None:
    """Refuse a tensor of a dtype that no kernel has, or unlike the first in device, dtype or shape."""
    (first_name, first), *others = tensors.items()
    dtype, device, shape = first.dtype, first.device, first.shape
    if dtype not in DTYPES:
        raise RuntimeError(
            f"{op}: {first_name} must have dtype Float, Double, Half or BFloat16, but has "
            f"{dtype_name(first)}"
        )
    for name, x in others:
        if x.device != device:
            what, expected, found = "be on the device", str(device), f"is on {x.device}"
        elif x.dtype is not dtype:
            what, expected, found = "have the dtype", dtype_name(first), f"has {dtype_name(x)}"
        elif x.shape != shape:
            what, expected = "have the shape", str(list(shape))
            way_out = f"torch.broadcast_tensors({first_name}, {name}) makes the shapes one"
            found = f"has {list(x.shape)}; {way_out}"
        else:
            continue
        raise RuntimeError(f"{op}: {name} must {what} of {first_name}, {expected}, but {found}")


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


# By names that PyTorch does not document, and uses itself in `torch.autograd.Function` and
# `torch.library`, from 2.10 to 2.15.
_transforms_active = torch._C._are_functorch_transforms_active

# Registrations last as long as this object.
_registrations = torch.library.Library("my_ops", "IMPL")


def register_gradient(op, function, reference) -> None:
    """Say what `torch.ops` runs where a gradient is needed: a `torch.autograd.Function`, or the reference."""
    arguments = op._schema.arguments
    name = op._schema.name.partition("::")[2]
    required = [x.name for x in arguments if str(x.type) == "Tensor"]

    def autograd(*args, **given):
        # A `torch.autograd.Function` that saves tensors in `forward` has no part in torch.func and
        # forward mode. PyTorch has all derivatives of the reference, of its own operators.
        if _transforms_active() or forward_ad._current_level >= 0:
            tensors = {x.name: value for x, value in zip(arguments, args)} | given
            check_defined(name, **{x: tensors.get(x) for x in required})
            return reference(*args, **given)
        # A call has no arguments that are their defaults.
        rest = [given.get(x.name, x.default_value) for x in arguments[len(args) :]]
        return function.apply(*args, *rest)

    _registrations.impl(f"{name}_autograd", autograd, "Autograd")
