"""Checks of tensors without memory, as csrc/kit/tensors.h has for others."""

import warnings
from collections.abc import Callable
from inspect import signature

import torch
from torch import Tensor


def dtype_name(tensor: Tensor) -> str:
    """Return the name that C++ has for a dtype, such as Float."""
    return tensor.type().split(".")[-1].removesuffix("Tensor")


def check_defined(op: str, /, **tensors: Tensor | None) -> None:
    """Refuse None for a tensor that must be given."""
    for name, x in tensors.items():
        if x is None:
            raise RuntimeError(f"{op}: {name} must be a tensor, but is None")


def is_size(size: int, expected: int) -> bool:
    """Whether they are equal; those that depend on data are compared as the program runs."""
    equal = size == expected
    if not isinstance(equal, bool):
        # Imported here, since it takes half a second.
        from torch.fx.experimental.symbolic_shapes import expect_true

        equal = expect_true(equal)
    return equal


# Registrations last as long as this object.
_before_kernels = torch.library.Library("my_ops", "IMPL")
_BELOW = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)


def before_kernel(
    op: torch._ops.OpOverload,
    name: str,
    adds_atomically: bool,
    has_cpu_kernel: bool,
    fake: Callable[..., object],
    reference: Callable[..., object],
) -> None:
    """Do before each call of an operator what its module says of the kernel, in compiled code too.

    Args:
        op: The operator.
        name: What its users call it: `op` may be the operator behind it.
        adds_atomically: Under `torch.use_deterministic_algorithms`, it is refused or warned of, as
            PyTorch does with its own.
        has_cpu_kernel: Without one, its results on the CPU are those of the reference.
        fake: Its fake, which makes the results.
        reference: Its reference.
    """

    def run(keys, *args, **keywords):
        if adds_atomically and torch.are_deterministic_algorithms_enabled():
            message = f"{op.namespace}::{name} does not have a deterministic implementation: its threads add up in any order"
            if not torch.is_deterministic_algorithms_warn_only_enabled():
                raise RuntimeError(
                    f"{message}. torch.use_deterministic_algorithms(True, warn_only=True) warns of it",
                )
            warnings.warn(message, stacklevel=2)
        if has_cpu_kernel or not keys.has(torch._C.DispatchKey.CPU):
            return op.redispatch(keys & _BELOW, *args, **keywords)
        returned = fake(*args, **keywords)
        given = signature(fake).bind(*args, **keywords).arguments
        written = [given.get(x.name) for x in op._schema.arguments if x.alias_info]
        outputs = written + _as_list(returned)
        with torch.autocast("cpu", enabled=False):  # in the dtypes of a kernel
            values = _as_list(reference(*args, **keywords))
        for out, value in zip(outputs, values, strict=True):
            out.copy_(value)
        return returned

    _before_kernels.impl(op, run, "BackendSelect", with_keyset=True)


def _as_list(tensors) -> list[Tensor]:
    return [] if tensors is None else [tensors] if isinstance(tensors, Tensor) else list(tensors)


class Checks:
    """Checks an operator's tensors: device, dtype, shape. A shape is as the signature has it.

    A size is a number, a name, or a name with its value.
    """

    def __init__(self, op: str, first: str, tensor: Tensor) -> None:
        self.op, self.first, self.device = op, first, tensor.device

    def __call__(self, name: str, tensor: Tensor, dtypes, shape=None, leading=None) -> None:
        if tensor.device != self.device:
            what = f"be on {self.device} as {self.first} is, but is on {tensor.device}"
            raise RuntimeError(f"{self.op}: {name} must {what}")
        dtypes = dtypes if isinstance(dtypes, list) else [dtypes] if dtypes else [tensor.dtype]
        if tensor.dtype not in dtypes:
            expected = " or ".join(dtype_name(tensor.new_empty(0, dtype=x)) for x in dtypes)
            what = f"have dtype {expected}, but has {dtype_name(tensor)}"
            raise RuntimeError(f"{self.op}: {name} must {what}")
        for x in shape or []:
            if isinstance(x, tuple):
                self.size(*x)
        if shape is not None and not self._fits(tensor.shape, shape, leading):
            texts = [x[0] if isinstance(x, tuple) else str(x) for x in shape]
            values = [f"{x[0]} = {x[1]}" for x in shape if isinstance(x, tuple)]
            if leading is not None:
                values = [f"... = {list(leading)}", *values]
            known = f" with {', '.join(values)}" if values else ""
            what = f"have the shape [{', '.join(texts)}]{known}, but has {list(tensor.shape)}"
            raise RuntimeError(f"{self.op}: {name} must {what}")

    def size(self, text: str, value: int) -> int:
        """Return the value of a size that is computed, which is 0 or more; one that is symbolic may be any."""
        if isinstance(value, int) and value > 2**63 - 1:
            raise RuntimeError(f"{self.op}: a size of the signature is too large: {text}")
        if isinstance(value, int) and value < 0:
            raise RuntimeError(f"{self.op}: a size of the signature is negative: {text} = {value}")
        return value

    def _fits(self, sizes, shape, leading) -> bool:
        named = [x for x in shape if x != "..."]
        before = len(sizes) - len(named)
        if before < 0 or (before > 0 and "..." not in shape):
            return False
        if leading is not None:
            if before != len(leading):
                return False
            named, before = [*leading, *named], 0
        values = [x[1] if isinstance(x, tuple) else x for x in named]
        return all(
            isinstance(x, str) or is_size(size, x) for size, x in zip(sizes[before:], values)
        )
