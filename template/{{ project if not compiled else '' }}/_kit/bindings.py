"""Registers the operators with PyTorch: kernels of NVRTC on the GPU, the reference on the CPU.

Shared code of the template: do not edit. The module of a custom operator imports the parts that its
call needs from here.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from itertools import product
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .._operators import OPERATORS
from .calls import (
    Calls,
    CustomCall,
    CustomCalls,
    ImageCalls,
    Operator,
    ProductCalls,
    RowCalls,
    Schema,
    VolumeCalls,
    check_written,
    of_module,
    pointer_array,
    size_array,
)
from .checks import DTYPES
from .doctor import require_versions
from .launches import (
    IMAGE_DTYPES,
    VOLUME_DTYPES,
    Custom,
    Elementwise,
    Image,
    Matmul,
    MatmulBackward,
    Rows,
    Rowwise,
    RowwiseBackward,
    RowwiseOfTwo,
    Volume,
    row_call,
)

__all__ = [
    "OPS",
    "CustomCall",
    "Pass",
    "check_written",
    "pointer_array",
    "row_call",
    "size_array",
]

require_versions()

# ---- Results of the reference, in place of results of a kernel


def values(p: "Pass", call: Any, given: dict[str, Any]) -> tuple[Any, ...]:
    """Return the results of an operator's kernel, computed by the reference."""
    found = p.schema.apply(reference_of(p.op), given)
    found = found if isinstance(found, list | tuple) else (found,)
    # If a list of tensors is written to, this tuple contains a list.
    return tuple(y for x in found for y in (x if isinstance(x, list) else [x]))


def gradients(p: "Pass", call: Any, given: dict[str, Any]) -> tuple[Any, ...]:
    """Return the results of a gradient's kernel, computed by the gradient of the reference."""
    reference = reference_of(p.op)
    parameters = signature(reference).parameters
    tensors = {name: x for name, x in given.items() if isinstance(x, Tensor)}
    grads = tuple(x for name, x in tensors.items() if name not in parameters)
    known = {name: x for name, x in given.items() if name in parameters}
    # The gradient does not depend on the other arguments, except that a dtype is the dtype of the
    # tensors.
    for name, parameter in parameters.items():
        other = call.first.dtype if parameter.annotation is torch.dtype else None
        known.setdefault(name, other)
    needed = {name: x for name, x in tensors.items() if name in parameters}
    needed = {name: x for name, x in needed.items() if given.get(f"needs_{name}", True)}

    def results(needed):
        found = reference(**(known | needed))
        return found[-len(grads) :] if isinstance(found, tuple) else (found,)

    def vjp():
        return torch.func.vjp(results, needed)[1](grads)[0]

    # PyTorch switches autograd off in this thread before it calls an operator's kernel.
    with ThreadPoolExecutor(1) as other_thread:
        found = iter(other_thread.submit(vjp).result().values())
    return tuple(None if out is None else next(found) for out in call.outputs)


def reference_of(op: str) -> Callable[..., Any]:
    return of_module(op, f"{op}_reference")


# ---- The table


class Pass(NamedTuple):
    """A pass, which is an operator or its gradient, with its registrations and launches."""

    op: str  # the operator
    schema: Schema
    registered: list[str]  # the schemas that it is registered with
    kernel: Any  # how its kernel is launched
    prepare: Callable[..., Any]  # makes a call from arguments
    numbers: list[str]  # types of the kernel's numbers
    dtypes: list[Any]  # the dtypes that the kernel is instantiated for, by type
    on_cpu: Callable[..., Any]  # the reference's results

    def instances(self) -> Iterator[tuple[torch.dtype, ...]]:
        """Return the dtypes of each kernel instance; a custom operator's module lists them."""
        return product(*(of_module(self.op, x) if isinstance(x, str) else x for x in self.dtypes))

    @property
    def name(self) -> str:
        return self.schema.name


# For each kernel: the class that makes its calls, its launch, and the dtypes that it is compiled
# for.
KERNELS = {
    "elementwise": (Calls, Elementwise, DTYPES),
    "rowwise": (RowCalls, Rowwise, DTYPES),
    "matmul": (ProductCalls, Matmul, DTYPES),
    "image": (ImageCalls, Image, IMAGE_DTYPES),
    "volume": (VolumeCalls, Volume, VOLUME_DTYPES),
}


def passes(op: str, facts: Operator) -> list[Pass]:
    """Return an operator and, if it has one, its gradient."""
    schema = Schema(op + facts.schema)
    # If there is nothing to write to, torch.compile requires an operator that does not write.
    unwritten = re.sub(r"\(\w+!\)", "", facts.schema)
    names = [x + (unwritten if x == f"_{op}_unwritten" else facts.schema) for x in facts.names]
    if facts.kernel in ("custom", "rows"):
        kernel: Any = Rows if facts.kernel == "rows" else Custom
        prepare = CustomCalls(op, schema).prepare
        return [Pass(op, schema, names, kernel, prepare, [], [*facts.dtypes], values)]
    calls, kernel, of_kernel = KERNELS[facts.kernel]
    forward = calls(op, schema)
    dtypes: list[Any] = [of_kernel] * (2 if forward.dtype else 1)
    numbers = [schema.numbers[x] for x in forward.numbers]
    found = [Pass(op, schema, names, kernel, forward.prepare, numbers, dtypes, values)]
    if facts.gradient:
        schema = Schema(f"{op}_backward{facts.gradient}")  # the name of its kernel
        backward = calls(op, forward.schema, schema)
        if isinstance(backward, RowCalls):
            kernel = RowwiseBackward if backward.columns else RowwiseOfTwo
        elif isinstance(backward, ProductCalls):
            kernel = MatmulBackward
        names = [f"_{op}_backward{facts.gradient}"]
        found.append(
            Pass(op, schema, names, kernel, backward.prepare, numbers, [of_kernel], gradients)
        )
    return found


# By operator.
OPS = {op: passes(op, facts) for op, facts in OPERATORS.items()}


# ---- GPU


def cut(op: str, call: CustomCall) -> Any:
    """Return the results, cut to the sizes that the kernel counted.

    Reading a number waits for the GPU, as torch.nonzero does, so no CUDA graph can record it.

    Raises:
        RuntimeError: The kernel counted more than results have memory for.
    """
    results = [call.result] if isinstance(call.result, Tensor) else list(call.result)
    place = {id(x): i for i, x in enumerate(results)}
    for number, of in call.counts():
        count = int(number)
        for x, dim in of:
            most = x.shape[dim]
            if not 0 <= count <= most:
                what = "rows" if dim == 0 else f"elements of dimension {dim}"
                raise RuntimeError(
                    f"{op}: the kernel counted {count} {what}, which must be from 0 to {most}"
                )
            if count < most:  # a copy, because a view would keep the memory of all elements
                results[place[id(x)]] = results[place[id(x)]].narrow(dim, 0, count).clone()
    return results[0] if isinstance(call.result, Tensor) else type(call.result)(results)


def cuda_function(p: Pass) -> Callable[..., Any]:
    """Return a function that computes a pass with its CUDA kernel, compiled at the first call."""
    prepare, launchers = p.prepare, {}

    def new_launcher(dtypes: tuple[torch.dtype, ...], device: int) -> Callable[..., Any]:
        try:
            # Not imported at the top: it takes a quarter of a second, and only a GPU needs it.
            from .._library import launcher
        except ImportError as error:
            raise RuntimeError(
                f"{p.op}: the tensors are on a GPU, but NVRTC is not installed ({error}); "
                "`pip install cuda-core` next to a PyTorch with CUDA"
            ) from error
        launchers[dtypes, device] = launcher(p, dtypes, device)
        return launchers[dtypes, device]

    def run(*args: Any, **keywords: Any) -> Any:
        call = prepare(*args, **keywords)
        key = call.dtypes, call.first.get_device()
        launch = launchers.get(key) or new_launcher(*key)
        launch(call)
        if type(call) is CustomCall:
            if call.then is not None:
                call.then()
            if call.counts():
                return cut(p.op, call)
        return call.result

    return run


# ---- CPU


def _floats(values: list[Any]) -> set[torch.dtype]:
    """Return the floating-point dtypes of tensors, except 8-bit dtypes."""
    tensors = [y for x in values for y in (x if isinstance(x, list) else [x])]
    found = {x.dtype for x in tensors if isinstance(x, Tensor)}
    return {x for x in found if x.is_floating_point and x.itemsize > 1}


def cpu_function(p: Pass) -> Callable[..., Any]:
    """Return a function that computes a pass with the operator's reference."""

    def run(*args: Any, **keywords: Any) -> Any:
        call = p.prepare(*args, **keywords)
        given = p.schema.bind(args, keywords)
        # Like the kernels: 16-bit types are computed in float32 and rounded once, and rows in
        # double if a tensor is double.
        floats = _floats(list(given.values()) if p.kernel is Rows else [call.first])
        wide = torch.float64 if torch.float64 in floats else torch.float32

        def widen(x):
            if isinstance(x, list):
                return [widen(y) for y in x]
            return x.to(wide) if isinstance(x, Tensor) and x.dtype in floats else x

        given = {name: widen(x) for name, x in given.items()}
        with torch.autocast("cpu", enabled=False):  # in the dtypes of the kernel
            found = p.on_cpu(p, call, given)
        counts = call.counts() if isinstance(call, CustomCall) else []
        sized = [(x, dim) for _, of in counts for x, dim in of]
        # A reference may return a view, or any strides. The fake promises new tensors with certain
        # strides.
        for out, value in zip(call.outputs, found):
            dims = [dim for x, dim in sized if x is out]
            if dims:
                out.resize_([value.shape[i] if i in dims else n for i, n in enumerate(out.shape)])
                out.untyped_storage().resize_(out.nbytes)
            if out is not None:
                out.copy_(value)
        return call.result

    return run


# ---- Registration

# Registrations last as long as this object.
_registrations = torch.library.Library(__package__.split(".")[-2], "DEF")

for _pass in (p for passes_of_op in OPS.values() for p in passes_of_op):
    _functions = {"CUDA": cuda_function(_pass), "CPU": cpu_function(_pass)}
    for _schema in _pass.registered:
        _name = _schema.partition("(")[0]
        _registrations.define(_schema)
        for _key, _function in _functions.items():
            _registrations.impl(_name, _function, _key)
