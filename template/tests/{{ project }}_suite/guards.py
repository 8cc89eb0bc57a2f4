"""Finds accesses outside of tensors: each tensor is between guards, bytes with one known value.

Guards of new tensors need PyTorch's dispatcher. With `torch_stable`, the CPU results of elementwise
operators are allocated without the dispatcher, and have no guards.
"""

from math import prod

import pytest
import torch

from .common import PACKAGE, PRIVATE, as_list, described, is_float8, schema_of

MARGIN = 4096  # bytes of a guard, a multiple of every alignment
NAN, ZERO = 0xFF, 0  # values of a guard's bytes: NaN for each floating-point dtype, and zeros
OTHER = {NAN: ZERO, ZERO: NAN}
# Functions that allocate, and whose first list argument is the shape.
ALLOCATE = ("aten::empty", "aten::new_", "aten::zeros")


def bytes_of(x):
    """Return the bytes of a tensor, with the bytes between its elements."""
    last = sum((size - 1) * stride for size, stride in zip(x.shape, x.stride()))
    extent = 1 + last if x.numel() else 0
    return x.detach().as_strided((extent,), (1,)).view(torch.uint8)


class SeesKernel(PRIVATE.TorchDispatchMode):
    """During a call of an operator, sees what its kernel calls in PyTorch, such as allocations."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        tensors = [x for x in as_list([*args, *kwargs.values()]) if isinstance(x, torch.Tensor)]
        if schema_of(func).name.startswith(f"{PACKAGE}::"):
            with self:
                return PRIVATE.below_modes(func, tensors, *args, **kwargs)
        return self.called(func, tensors, args, kwargs)


class Bounds(SeesKernel):
    """Refuses new tensors of more than `most` elements, also scratch memory of the kernel."""

    def __init__(self, most):
        super().__init__()
        self.most, self.refused = most, ""  # the reason of the first refusal

    def called(self, func, tensors, args, kwargs):
        shape = next((x for x in args if isinstance(x, (list, tuple))), ())
        if schema_of(func).name.startswith(ALLOCATE) and prod(shape) > self.most:
            self.refused = f"a new tensor would have {prod(shape)} elements"
            raise RuntimeError(self.refused)
        return func(*args, **kwargs)


class Guards(SeesKernel):
    """Puts guards around each new tensor during a call of an operator.

    Guards of tensors that the kernel writes to have the other value. With one value, a kernel that
    reads a guard of an argument could write it to a guard of the result, and no guard would change.
    """

    def __init__(self, fill=NAN):
        super().__init__()
        self.fill = fill
        self.held = []  # each tensor, its memory with the guards, and the value of their bytes

    def hold(self, x, fill):
        """Return a tensor with the same values and strides, between guards."""
        if isinstance(x, (list, tuple)):
            return [self.hold(y, fill) for y in x]
        if not isinstance(x, torch.Tensor) or x.numel() == 0 or x.layout != torch.strided:
            return x
        given = bytes_of(x)
        memory = given.new_full((given.numel() + 2 * MARGIN,), fill)
        middle = memory[MARGIN : MARGIN + given.numel()].copy_(given).view(x.dtype)
        found = middle.as_strided(x.shape, x.stride())
        self.held.append((found, memory, fill))
        return found

    def called(self, func, tensors, args, kwargs):
        returned = func(*args, **kwargs)
        known = {x.untyped_storage().data_ptr() for x in [*tensors, *(y for _, y, _ in self.held)]}
        if isinstance(returned, torch.Tensor):
            is_new = returned.untyped_storage().data_ptr() not in known
            return self.hold(returned, OTHER[self.fill]) if is_new else returned
        return returned

    def broken(self):
        """Yield each tensor whose guard changed, with the place of the change."""
        for x, memory, fill in self.held:
            end = memory.numel() - MARGIN
            for where, guard in ("before", memory[:MARGIN]), ("behind", memory[end:]):
                if changed := (guard != fill).sum().item():
                    yield x, f"{changed} byte{'s' if changed > 1 else ''} {where} it"


def call_between_guards(op, function, args, fill=NAN, other=None):
    """Call a function with tensors between guards; fail if it writes to a guard.

    Args:
        op: The operator.
        function: The function, which takes its arguments by position.
        args: The arguments.
        fill: The value of the bytes in guards of arguments that are only read.
        other: The position of an argument whose guards get the opposite of their usual value.

    Returns:
        The tensors that the call writes to, then the tensors that it returns.
    """
    guards = Guards(fill)
    written = [bool(x.alias_info and x.alias_info.is_write) for x in schema_of(op).arguments]
    changes = [write != (i == other) for i, write in enumerate(written)]
    given = [guards.hold(x, OTHER[fill] if y else fill) for x, y in zip(args, changes)]
    torch.manual_seed(torch.initial_seed())  # for an operator that draws numbers
    for x in args:
        if isinstance(x, torch.Generator):
            x.manual_seed(0)
    with guards:
        returned = function(*given)
    outs = [torch.as_tensor(x) for x in as_list(returned) if x is not None]
    for x, where in guards.broken():
        of_arguments = [y.name for y, z in zip(schema_of(op).arguments, given) if holds(z, x)]
        name = of_arguments[0] if of_arguments else "its memory"
        if not of_arguments and any(x.data_ptr() == y.data_ptr() for y in outs):
            name = "its result"
        fail(op, args, f"it writes outside of {name}, {described(x)}: {where}")
    written = as_list([x for x, write in zip(given, written) if write])
    return [x for x in written if isinstance(x, torch.Tensor)] + outs


def holds(argument, x):
    return any(x is y for y in as_list([argument]))


def fail(op, args, what):
    given = [f"{x.name} = {described(y)}" for x, y in zip(schema_of(op).arguments, args)]
    name = schema_of(op).name.partition("::")[2]
    text = f"{name}: {what}\nwith {', '.join(given)}\nCheck bounds before each access."
    pytest.fail(text, pytrace=False)


def refuse_other_memory(op, function, args):
    """Fail if a call writes outside of its tensors, or if its results depend on memory there."""
    expected = call_between_guards(op, function, args)
    found = call_between_guards(op, function, args, ZERO)
    if are_close(found, expected):
        return
    for i, x in enumerate(schema_of(op).arguments):
        if not are_close(call_between_guards(op, function, args, other=i), expected):
            fail(
                op, args, f"it reads outside of {x.name}: the results change with the memory there"
            )
    fail(op, args, "its results change with the memory outside of its tensors")


def are_close(tensors, others):
    """Return whether results are close: threads that add in any order round differently."""
    for x, y in zip(tensors, others, strict=True):
        if is_float8(x) or "float4" in str(x.dtype):
            x, y = bytes_of(x.contiguous()), bytes_of(y.contiguous())
        elif not x.is_complex():
            x, y = x.double(), y.double()  # PyTorch cannot compare 16-bit unsigned integers
        if x.shape != y.shape or not torch.allclose(x, y, rtol=0.01, atol=0.01, equal_nan=True):
            return False
    return True
