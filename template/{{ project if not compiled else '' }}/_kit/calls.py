"""Prepares calls of kernels with NVRTC: checks, memory layouts, allocation of results.

Shared code of the template: do not edit.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from math import prod
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .checks import DTYPES, Checks, check_defined, check_length, pixels_shape
from .launches import IMAGE_DTYPES, VOLUME_DTYPES, Volume, constants
from .private import parse_schema


def of_module(op: str, name: str) -> Any:
    """Return the contents of an operator's module, which itself imports this module."""
    return getattr(import_module(f"..ops.{op}", __package__), name)


class Call(NamedTuple):
    """The arguments of a kernel, and the results of its operator.

    The kernel gets its inputs, its numbers and its outputs, in this order; it is instantiated
    for these dtypes. The first tensor determines the number of elements and the device.
    """

    first: Tensor
    dtypes: tuple[torch.dtype, ...]
    inputs: list[Any]
    numbers: list[Any]
    outputs: list[Any]
    result: Any  # one tensor or several; None if it is not needed


class CustomCall(NamedTuple):
    """The arguments of a custom kernel, in the order of its struct in <op>_args.h, and its launch.

    The first tensor determines the device.
    """

    first: Tensor
    dtypes: tuple[torch.dtype, ...]
    outputs: list[Any]
    result: Any  # one tensor or several; None if it is not needed
    struct: list[Any]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0
    # If the kernel counts rows: a tensor with the number, on the GPU, and the outputs to cut.
    count: Tensor | None = None  # type: ignore[assignment]  # tuples have a method of this name
    sized: Sequence[Tensor] = ()
    cluster: int = 1
    kernel: int = 0  # which instance, as in `kernel_names`
    # What PyTorch computes after the kernel, such as a product: lambda: torch.mm(a, b, out=out)
    then: Callable[[], Any] | None = None
    # If the kernel counts other dimensions than rows, or several: each count, and the outputs to
    # cut, with their dimension.
    counted: Sequence[tuple[Tensor, Sequence[tuple[Tensor | None, int]]]] = ()

    def counts(self) -> list[tuple[Tensor, list[tuple[Tensor, int]]]]:
        """Return each count, and the outputs that it cuts, with their dimension."""
        rows = [(self.count, [(x, 0) for x in self.sized])] if self.count is not None else []
        others = [(n, [(x, dim) for x, dim in of if x is not None]) for n, of in self.counted]
        return [*rows, *others]


# ---- Schemas


class Operator(NamedTuple):
    """An operator, as listed in `_operators.py`."""

    kernel: str  # its kernel: elementwise, custom and so on; rows if the signature has shapes
    names: list[str]  # the names that it is registered with, all with the same kernels
    schema: str  # its arguments and results
    gradient: str = ""  # the schema of _<op>_backward; empty without one
    # for a custom operator: the lists in its module with the dtypes of its variables
    dtypes: Sequence[str] = ()


class Schema:
    """The names of a schema's arguments, by their types, for kernels."""

    def __init__(self, text: str) -> None:
        schema = parse_schema(text)
        arguments = schema.arguments
        types = {x.name: str(x.real_type) for x in arguments}
        kinds = {name: x.removeprefix("Optional[").removesuffix("]") for name, x in types.items()}
        self.name: str = schema.name
        self.names = list(types)
        self.by_name = {x.name for x in arguments if x.kwarg_only}
        # For arguments that a call leaves out. A tuple, because a default must not change.
        self.defaults: dict[str, Any] = dict.fromkeys(types)
        for x in arguments:
            if x.has_default_value():
                given = x.default_value
                self.defaults[x.name] = tuple(given) if isinstance(given, list) else given
        self.tensors = [name for name, kind in kinds.items() if kind == "Tensor"]
        self.required = [name for name in self.tensors if types[name] == "Tensor"]
        self.written = [x.name for x in arguments if x.alias_info and x.alias_info.is_write]
        self.read = [name for name in self.tensors if name not in self.written]
        self.numbers = {x: kind for x, kind in kinds.items() if kind in ("float", "int", "bool")}
        # The float? arguments, in order.
        self.bounds = [name for name in types if types[name] == "Optional[float]"]
        self.dtypes = [name for name, kind in kinds.items() if kind == "ScalarType"]
        self.lengths = {x.name: x.N for x in arguments if x.N is not None}
        self.results = len(schema.returns)

    def apply(self, function: Callable[..., Any], given: dict[str, Any]) -> Any:
        """Call a function that has this schema's arguments."""
        keywords = {name: x for name, x in given.items() if name in self.by_name}
        return function(*(x for name, x in given.items() if name not in keywords), **keywords)

    def bind(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call by name, in the schema's order."""
        return self.defaults | dict(zip(self.names, args)) | keywords


# ---- Memory


class MemoryRange(NamedTuple):
    """The memory from the first element of a tensor to the last; with gaps, not all is its own."""

    begin: int
    end: int
    gaps: bool


def memory_of(x: Tensor) -> MemoryRange:
    """Return where the bytes of a tensor begin, where they end, and whether it has gaps."""
    if x.numel() == 0:
        return MemoryRange(x.data_ptr(), x.data_ptr(), False)
    sizes = list(zip(x.shape, x.stride()))
    reached = 1 + sum((size - 1) * stride for size, stride in sizes)
    own = prod(size for size, stride in sizes if stride)  # an expanded dimension has none
    end = x.data_ptr() + reached * x.element_size()
    return MemoryRange(x.data_ptr(), end, reached > own)


def share_memory(a: MemoryRange, b: MemoryRange) -> bool:
    """Return whether two tensors share memory.

    Of a tensor with gaps, only the first and the last element are compared: between them, the
    elements of the two may alternate, as in two columns of a matrix. PyTorch does not check this
    either.
    """
    if a.begin == a.end or b.begin == b.end:
        return False
    if a.gaps and b.gaps:
        return a.begin == b.begin or a.end == b.end
    if a.gaps:
        return share_memory(b, a)
    if not b.gaps:
        return a.begin < b.end and b.begin < a.end
    return a.begin <= b.begin < a.end or a.begin < b.end <= a.end


def unless_same(x: Tensor | None, other: Tensor | None) -> Tensor | None:
    """Return `other`, or None if it is the written tensor `x`, as `Tensor(a) other` allows."""
    if x is None or other is None:
        return other
    same = x.data_ptr() == other.data_ptr() and x.dtype == other.dtype
    return None if same and x.shape == other.shape and x.stride() == other.stride() else other


def memory_of_all(others: list[Any]) -> list[MemoryRange]:
    return [memory_of(x) for x in others if x is not None]


def check_memory(op: str, name: str, own: MemoryRange, taken: list[MemoryRange]) -> None:
    """Check that the memory of a written tensor is not shared with others."""
    if any(share_memory(own, other) for other in taken):
        raise RuntimeError(
            f"{op}: {name} is written to and must not share memory with another argument"
        )


def check_output(op: str, name: str, x: Tensor | None, others: list[Any]) -> None:
    """Check that a kernel can write to a tensor: it is contiguous and shares no memory.

    Raises:
        RuntimeError: The tensor is not contiguous, or shares memory with another argument.
    """
    if x is None:
        return
    if not x.is_contiguous():
        raise RuntimeError(
            f"{op}: {name} is written to and must be contiguous, but has strides {list(x.stride())}"
        )
    check_memory(op, name, memory_of(x), memory_of_all(others))


def check_strided_output(op: str, name: str, x: Tensor | None, others: list[Any]) -> None:
    """Check that a kernel can write to a tensor with any strides but 0."""
    if x is None or x.numel() == 0:
        return
    check_memory(op, name, memory_of(x), memory_of_all(others))
    if any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape)):
        raise RuntimeError(
            f"{op}: {name} is written to and must not have two elements in the same memory, but "
            f"has strides {list(x.stride())}"
        )


def check_outputs(op: str, name: str, tensors: list[Tensor], others: list[Any]) -> None:
    """Check that a kernel can write to the tensors of a list."""
    taken = memory_of_all(others)
    for i, x in enumerate(tensors):
        check_output(op, f"{name}[{i}]", x, [])
        own = memory_of(x)
        check_memory(op, f"{name}[{i}]", own, taken)
        taken.append(own)


def check_written(
    op: str,
    read: list[Any],
    strided: list[str],
    over: dict[str, list[Any]] | None = None,
    /,
    **written: Any,
) -> None:
    """Check that a kernel can write to tensors, and lists of tensors, while it reads others.

    `strided` names the tensors that may have any strides. For each written tensor, by its name,
    `over` has the arguments that may be the same tensor.
    """
    for name, x in written.items():
        may_be = (over or {}).get(name, [])
        others = [unless_same(x, y) if any(y is z for z in may_be) else y for y in read]
        for other, y in written.items():
            if other != name:
                others += y if isinstance(y, list) else [y]
        if isinstance(x, list):
            check_outputs(op, name, x, others)
        else:
            check = check_strided_output if name in strided else check_output
            check(op, name, x, others)


def pointer_array(op: str, name: str, tensors: list[Tensor], most: int) -> list[Any]:
    """Return the pointers for an array in a kernel's struct.

    Raises:
        RuntimeError: The list has too many tensors.
    """
    if len(tensors) > most:
        raise RuntimeError(f"{op}: {name} must have at most {most} tensors, but has {len(tensors)}")
    return [*tensors, *[0] * (most - len(tensors))]


def size_array(op: str, name: str, tensors: list[Tensor], most: int) -> list[int]:
    """Return the numbers of elements of a list's tensors, for an array beside `pointer_array`."""
    pointers = pointer_array(op, name, tensors, most)
    return [x.numel() if isinstance(x, Tensor) else 0 for x in pointers]


# The layout of the fields of a struct. A pointer is the address of a tensor, or 0.
FIELDS = {int: "i8", float: "f8", bool: "?"}


def type_of_field(x: Any) -> str:
    return "u8" if x is None or isinstance(x, Tensor) else FIELDS[type(x)]


def field(x: Any) -> tuple[Any, ...]:
    """Return the type of a field, and the length of an array, whose elements have one type."""
    return (type_of_field(x[0]), (len(x),)) if isinstance(x, list) else (type_of_field(x),)


def field_value(x: Any) -> Any:
    """Return a tensor's address (0 if absent), a number, or the addresses of a list of tensors."""
    if isinstance(x, list):
        return [field_value(y) for y in x]
    return x.data_ptr() if isinstance(x, Tensor) else x or 0


def as_dense(x: Tensor) -> Tensor:
    """Return `x` if its memory has no gaps, in any order of dimensions, otherwise a copy."""
    if x.is_contiguous():
        return x
    like = torch.empty_like(x)
    return x if x.stride() == like.stride() else like.copy_(x)


def in_layout_of(like: Tensor, x: Tensor) -> Tensor:
    """Return `x` if it has the strides of a dense tensor, otherwise a copy with these strides."""
    if (x.is_contiguous() and like.is_contiguous()) or x.stride() == like.stride():
        return x
    return torch.empty_like(like).copy_(x)


def new_output(like: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """Return a contiguous tensor for a kernel to write to."""
    # new_empty(shape) does the same, but takes twice as long.
    return torch.empty_like(like, dtype=dtype, memory_format=torch.contiguous_format)


# ---- Fast checks of arguments

FLOATS = frozenset(DTYPES)


def are_alike(given: dict[str, Any], names: list[str]) -> bool:
    """Whether all given tensors have the device, dtype and shape of the first."""
    first = given[names[0]]
    dtype, device, shape = first.dtype, first.device, first.shape
    if dtype not in FLOATS:
        return False
    for name in names:
        x = given[name]
        if x is None or x is first:
            continue
        if x.dtype is not dtype or x.device != device or x.shape != shape:
            return False
    return True


def are_columns(first: Tensor, columns: list[Any]) -> bool:
    """Whether all given tensors have one element for each column of the first."""
    shape = first.shape[-1:]
    for x in columns:
        if x is None:
            continue
        if x.shape != shape or x.dtype is not first.dtype or x.device != first.device:
            return False
    return True


# ---- Calls of each kernel. Facts that depend only on the schema are computed once, not in each
# call.


class Calls:
    """Makes the calls of an elementwise operator or its gradient: all tensors have one shape.

    Args:
        op: Name of the operator.
        forward: The operator's schema.
        gradient: The schema of the operator's gradient. Its arguments are the gradients of the
            results, the arguments of the formula, and a bool `needs_x` for each gradient.
    """

    # Whether tensors keep the order of their dimensions in memory. Written tensors must be
    # contiguous.
    keeps_order = True

    def __init__(self, op: str, forward: Schema, gradient: Schema | None = None) -> None:
        self.op, self.forward, self.gradient = op, forward, gradient
        schema = self.schema = gradient or forward
        self.names = schema.names
        self.grads = gradient.names[: forward.results] if gradient else []
        self.required = schema.required
        self.given = schema.tensors
        self.reads, self.written = schema.read, schema.written
        self.first = self.grads[0] if gradient else forward.required[0]
        self.dense = self.keeps_order and not forward.written
        read = [x for x in forward.required if x not in forward.written]
        self.model = (read + forward.read + forward.written)[0]
        self.numbers = [name for name in schema.numbers if not self.is_need(name)]
        # The argument that is the dtype of the results.
        dtypes = forward.dtypes if forward.results and not gradient else []
        self.dtype = dtypes[0] if dtypes else ""
        self.alike = [self.first, *(x for x in self.given if x != self.first)]
        # For each new tensor, the bool `needs_x`, and the tensor with the same shape.
        self.made = [("", self.like())] * forward.results
        if gradient:
            needs = [f"needs_{x}" for x in forward.read]
            needs = [x if x in gradient.names else "" for x in needs]
            self.made = [(need, self.like(x)) for need, x in zip(needs, forward.read)]

    def is_need(self, name: str) -> bool:
        return self.gradient is not None and name not in self.forward.names

    def like(self, source: str = "") -> str:
        """Return the tensor that has the shape of a result, or of an argument's gradient."""
        return self.model if self.dense else self.first

    def prepare(self, *args: Any, **keywords: Any) -> Call:
        """Check the arguments of a call, and return the kernel's arguments.

        Raises:
            RuntimeError: The kernel cannot compute with an argument. The message names the argument
            and its value.
        """
        given = dict(zip(self.names, args))
        if len(given) < len(self.names):
            given = self.schema.bind(args, keywords)
        for x in self.required:
            if given[x] is None:
                check_defined(self.op, **{x: None})
        if not self.fits(given):
            self.check(given)
        if self.dense:
            model = given[self.model] = as_dense(given[self.model])
            for x in self.reads:
                if given[x] is not None and x != self.model:
                    given[x] = in_layout_of(model, given[x])
        else:
            for x in self.reads:
                if given[x] is not None:
                    given[x] = given[x].contiguous()
        for x in self.written:
            others = [given[y] for y in self.given if y != x]
            check_output(self.op, x, given[x], others)
        first = given[self.first]
        made = self.new(given)
        dtypes: tuple[torch.dtype, ...] = (first.dtype,)
        if self.dtype:
            dtypes += (made[0].dtype,)
        numbers = [given[x] for x in self.numbers]
        if None in numbers:
            numbers = [0 if x is None else x for x in numbers]
        outputs = [given[x] for x in self.written] + made if self.written else made
        result = tuple(made) if len(made) > 1 else made[0] if made else None
        return Call(first, dtypes, self.inputs(given), numbers, outputs, result)

    def fits(self, given: dict[str, Any]) -> bool:
        """Whether `check` would pass, in a fraction of its time: every call waits for this."""
        return are_alike(given, self.alike) and not self.schema.lengths

    def check(self, given: dict[str, Any]) -> None:
        """Refuse arguments that the kernels cannot compute with, by name and value."""
        check = Checks(self.op, self.first, given[self.first])
        check.floating()
        for x in self.alike[1:]:
            check.like(x, given[x])
        for name, length in self.schema.lengths.items():
            if given[name] is not None:
                check_length(self.op, name, given[name], length)

    def inputs(self, given: dict[str, Any]) -> list[Any]:
        """Return the tensors that the kernel reads, or None."""
        return [given[x] for x in self.reads]

    def new(self, given: dict[str, Any]) -> list[Any]:
        """Return the new tensors, with None for each one that is not needed."""
        new = torch.empty_like if self.dense else new_output
        if self.dtype:
            dtype = given[self.dtype] or given[self.first].dtype
            Checks(self.op, self.first, given[self.first]).dtype(self.dtype, dtype, DTYPES)
            return [new(given[like], dtype=dtype) for _, like in self.made]
        return [new(given[x]) if not need or given[need] else None for need, x in self.made]


class RowCalls(Calls):
    """Makes the calls for rows: inputs after the first have one element for each column."""

    keeps_order = False

    def __init__(self, op: str, forward: Schema, gradient: Schema | None = None) -> None:
        self.columns = [x for x in forward.read if x != forward.required[0]]
        super().__init__(op, forward, gradient)
        self.alike = [x for x in self.alike if x not in self.columns]

    def like(self, source: str = "") -> str:
        return source if source in self.columns else self.first

    def fits(self, given: dict[str, Any]) -> bool:
        first = given[self.first]
        return (
            first.dim() > 0
            and are_alike(given, self.alike)
            and are_columns(first, [given[x] for x in self.columns])
        )

    def check(self, given: dict[str, Any]) -> None:
        first = given[self.first]
        check = Checks(self.op, self.first, first)
        check.floating()
        check.rows()
        for x in self.alike[1:]:
            check.like(x, given[x])
        for x in self.columns:
            check.columns(x, given[x], self.first, first)


class ProductCalls(Calls):
    """Makes the calls for a product of two matrices: other inputs have one element per column."""

    keeps_order = False

    def __init__(self, op: str, forward: Schema, gradient: Schema | None = None) -> None:
        self.a, self.b, *self.columns = forward.read
        super().__init__(op, forward, gradient)
        # The two factors, and tensors with the shape of the product.
        self.factors = [self.a, self.b, *(self.grads or self.written)]

    def like(self, source: str = "") -> str:
        return source or self.first

    def fits(self, given: dict[str, Any]) -> bool:
        a, b, *products = (given[x] for x in self.factors)
        if not (a.dtype in FLOATS and b.dtype is a.dtype and b.device == a.device):
            return False
        if not (a.dim() == b.dim() == 2 and b.shape[0] == a.shape[1]):
            return False
        shape = (a.shape[0], b.shape[1])
        for x in products:
            if x is None or not (x.shape == shape and x.dtype is a.dtype and x.device == a.device):
                return False
        return are_columns(b, [given[x] for x in self.columns])

    def check(self, given: dict[str, Any]) -> None:
        b = given[self.b]
        check = Checks(self.op, self.a, given[self.a])
        check.floating()
        check.factors(self.b, b)
        for x in self.factors[2:]:
            check.product(x, given[x], self.b, b)
        for x in self.columns:
            check.columns(x, given[x], self.b, b)

    def new(self, given: dict[str, Any]) -> list[Any]:
        if self.gradient:
            return super().new(given)
        a, b = given[self.a], given[self.b]
        return [a.new_empty((a.shape[0], b.shape[1])) for _ in self.made]


class ImageCalls(Calls):
    """Makes the calls for an image, whose last dimension is its channels."""

    keeps_order = False

    def __init__(self, op: str, forward: Schema, gradient: Schema | None = None) -> None:
        super().__init__(op, forward, gradient)
        self.channels_in, self.channels_out = constants(f"{op}/{op}.h", "kIn", "kOut")

    def fits(self, given: dict[str, Any]) -> bool:
        image = given[self.first]
        right = image.dim() > 0 and image.shape[-1] == self.channels_in
        return right and image.dtype in IMAGE_DTYPES

    def check(self, given: dict[str, Any]) -> None:
        image = given[self.first]
        check = Checks(self.op, self.first, image)
        check(self.first, image, IMAGE_DTYPES)
        check.channels(self.channels_in)

    def new(self, given: dict[str, Any]) -> list[Any]:
        image = given[self.first]
        return [image.new_empty(pixels_shape(image, self.channels_out))]


class VolumeCalls(Calls):
    """Makes the calls for a volume. Absent bounds are computed from the volume."""

    keeps_order = False

    def __init__(self, op: str, forward: Schema, gradient: Schema | None = None) -> None:
        super().__init__(op, forward, gradient)
        self.bounds = forward.bounds[:2]
        self.range_size = 2 * (Volume.RANGE_BLOCKS + 1)

    def fits(self, given: dict[str, Any]) -> bool:
        return given[self.first].dtype in VOLUME_DTYPES

    def check(self, given: dict[str, Any]) -> None:
        volume = given[self.first]
        Checks(self.op, self.first, volume)(self.first, volume, VOLUME_DTYPES)

    def inputs(self, given: dict[str, Any]) -> list[Any]:
        volume = given[self.first]
        absent = [given[x] is None for x in self.bounds]
        if not any(absent):
            return [volume, *[None] * len(absent)]
        dtype = torch.float64 if volume.dtype == torch.int32 else torch.float32
        ranges = volume.new_empty(self.range_size, dtype=dtype)
        return [volume, *(ranges[i:] if x else None for i, x in enumerate(absent))]

    def new(self, given: dict[str, Any]) -> list[Any]:
        volume = given[self.first]
        return [volume.new_empty(volume.shape, dtype=torch.float32)]


class CustomCalls:
    """Makes the calls of a custom operator, whose module defines the kernel's arguments."""

    def __init__(self, op: str, forward: Schema) -> None:
        self.op, self.bind = op, forward.bind

    def prepare(self, *args: Any, **keywords: Any) -> CustomCall:
        return of_module(self.op, "_call")(*self.bind(args, keywords).values())
