{% from pathjoin('languages', 'py.jinja') import backward_parameters, named, number_values, parameters %}
{% from pathjoin('languages', 'schema.jinja') import schema %}
{% set custom_ops = ops | selectattr('kernel', 'equalto', 'custom') | list %}
{% set by_rows = ops | selectattr('by_rows') | list %}
{% set plain_rows = ops | selectattr('kernel', 'equalto', 'rowwise') | list %}
{% set others = ops | rejectattr('kernel', 'equalto', 'custom') | list %}
{% set floats = others | rejectattr('own_dtypes') | list %}
{% set checks = (['DTYPES'] if floats else []) + ((['check_defined'] if others else []) + others | map(attribute='checks') | sum(start=[])) | unique | sort %}
{% set nvrtc_types = namespace(all={}) %}
{% for item in ops %}
{% set nvrtc_types.all = nvrtc_types.all | combine(item.nvrtc_types) %}
{% endfor %}
{% set optional = ops | selectattr('optional_tensors') | list %}
{% set gradients = others | rejectattr('autograd', 'equalto', 'none') | list %}
{% set absent = optional + gradients | selectattr('needed') | list + ops | selectattr('absent') | list %}
{% set written = ops | selectattr('written') | list %}
{% set listed = ops | selectattr('op_listed') | list %}
{% set sized = ops | selectattr('sized') | list %}
{% set lists = ops | selectattr('lists') | list %}
{% set written_lists = written | map(attribute='written') | sum(start=[]) | selectattr('list')
  | selectattr('tensor') | list %}
{% set dense = others | selectattr('layout', 'equalto', 'dense') | list %}
{% set contiguous = others | selectattr('layout', 'equalto', 'contiguous') | list %}
{% set typed = contiguous | selectattr('dtype') | list %}
{% set launchers = ops | map(attribute='passes') | sum(start=[]) | map(attribute='launches', default='') | list %}
{% set sums = launchers | select('in', ['RowwiseBackward', 'MatmulBackward']) | list %}
{% set processors = sums + launchers | select('equalto', 'Matmul') | list %}
{% set volumes = ops | selectattr('kernel', 'equalto', 'volume') | list %}
{% set call_type = 'CustomCall' if not others else 'Call | CustomCall' if custom_ops else 'Call' %}
{% set partial = gradients | selectattr('others') | list + gradients | selectattr('written') | list %}
"""Registers the operators with PyTorch: NVRTC's kernels on the GPU, the reference on the CPU."""

{{ 'import re
' if others or by_rows -}}
from collections.abc import Callable, Iterator{{ ', Sequence' if sized }}
{{ 'from concurrent.futures import ThreadPoolExecutor
' if gradients -}}
{{ 'from functools import cache
' if processors or by_rows or plain_rows -}}
from importlib import import_module
from inspect import BoundArguments, signature
from itertools import product
{{ 'from pathlib import Path
' if others or by_rows -}}
from typing import Any, NamedTuple

import torch
from torch import Tensor

{{ 'from ._checks import %s
' % checks | join(', ') if checks -}}
from .doctor import require_versions

require_versions()

# ---- Tensors

# The dtypes that kernels are instantiated for, as they spell them.
TYPES = {
{% for dtype, type in nvrtc_types.all.items() %}
    torch.{{ dtype }}: "{{ type }}",
{% endfor %}
}


{% if written %}
def check_output(op: str, name: str, x: Tensor{{ ' | None' if optional }}, others: list[Any]) -> None:
    """Check that a kernel can write to a tensor: to its own memory, which no other tensor shares.

    Raises:
        RuntimeError: It is not contiguous, or shares memory with another one.
    """
{% if optional %}
    if x is None:
        return
{% endif %}
    if not x.is_contiguous():
        raise RuntimeError(
            f"{op}: {name} is written to and must be contiguous, but has strides {list(x.stride())}"
        )
    for other in {{ '(y for y in others if y is not None)' if optional else 'others' }}:
        begin, other_begin = x.data_ptr(), other.data_ptr()
        if begin < other_begin + other.nbytes and other_begin < begin + x.nbytes:
            raise RuntimeError(
                f"{op}: {name} is written to and must not share memory with another argument"
            )


{% endif %}
{% if written_lists %}
def check_outputs(op: str, name: str, tensors: list[Tensor], others: list[Any]) -> None:
    """Check that a kernel can write to the tensors of a list: to each one's own memory."""
    taken = [(x.data_ptr(), x.data_ptr() + x.nbytes) for x in others if x is not None]
    for i, x in enumerate(tensors):
        check_output(op, f"{name}[{i}]", x, [])
        begin, end = x.data_ptr(), x.data_ptr() + x.nbytes
        if any(begin < other_end and other_begin < end for other_begin, other_end in taken):
            raise RuntimeError(
                f"{op}: {name}[{i}] is written to and must not share memory with another argument"
            )
        taken.append((begin, end))


{% endif %}
{% if lists %}
def pointer_array(op: str, name: str, tensors: list[Tensor], most: int) -> list[Any]:
    """Return what fills an array of a kernel's struct.

    Raises:
        RuntimeError: There are more tensors.
    """
    if len(tensors) > most:
        raise RuntimeError(f"{op}: {name} must have at most {most} tensors, but has {len(tensors)}")
    return [*tensors, *[0] * (most - len(tensors))]
{% if lists | map(attribute='fields') | sum(start=[]) | map(attribute='in_python', default='') | join
  | regex_search('size_array') is not none %}


def size_array(op: str, name: str, tensors: list[Tensor], most: int) -> list[int]:
    pointers = pointer_array(op, name, tensors, most)
    return [x.numel() if isinstance(x, Tensor) else 0 for x in pointers]
{% endif %}


{% endif %}
{% if dense %}
def as_dense(x: Tensor) -> Tensor:
    """Return a tensor whose memory has no gaps, in any order of dimensions: `x` if it is one."""
    if x.is_contiguous():
        return x
    like = torch.empty_like(x)
    return x if x.stride() == like.stride() else like.copy_(x)


def in_layout_of(like: Tensor, x: Tensor) -> Tensor:
    """Return `x` if it has the strides of a dense tensor, else a copy that has them."""
    if x.stride() == like.stride() or (x.is_contiguous() and like.is_contiguous()):
        return x
    return torch.empty_like(like).copy_(x)


{% endif %}
{% if contiguous %}
def new_output(like{{ ', dtype: torch.dtype | None = None' if typed }}) -> Tensor:
    """Return a tensor for a kernel to write to."""
    # new_empty(shape) is the same, but takes twice as long.
    return torch.empty_like(like, {{ 'dtype=dtype, ' if typed }}memory_format=torch.contiguous_format)


{% endif %}
# ---- Passes. A pass is an operator or its gradient, by the kernels of
# csrc/<operator>/<operator>_cuda.cu. Here is what comes before them: checks, new tensors.


def of_module(op: str, name: str):
    """Return what an operator's module has, which imports the operators of this one."""
    return getattr(import_module(f"{{ project }}.ops.{op}"), name)


{% if custom_ops %}
class CustomCall(NamedTuple):
    """What a custom kernel is called with: the struct of its <op>_args.h, in order, and its blocks and threads.

    The first of the tensors says where.
    """

    first: Tensor
    dtypes: tuple[torch.dtype, ...]
    outputs: list[Any]
    result: Any  # a tensor, or several, of which some may be absent
    struct: list[Any]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0
{% if sized %}
    # Where the kernel counts rows: their number on its device, and the outputs that are cut to so many.
    count: Tensor | None = None  # type: ignore[assignment]  # tuples have a method of this name
    sized: Sequence[Tensor] = ()
{% endif %}
    cluster: int = 1
    kernel: int = 0  # which instance, as in `kernel_names`


{% endif %}
{% if others %}
class Call(NamedTuple):
    """What a kernel is called with, and what its operator returns.

    The kernel gets its inputs, its numbers and its outputs, in this order, as it is instantiated
    for these dtypes. The first of the tensors says how many elements there are, and where.
    """

    first: Tensor
    dtypes: tuple[torch.dtype, ...]
    inputs: list[Any]
    numbers: list[Any]
    outputs: list[Any]
    result: Any  # a tensor, or several, of which some may be absent


{% endif %}
{% for item in custom_ops %}
def prepare_{{ item.name }}({{ parameters(item.args) }}) -> CustomCall:
    _call = of_module("{{ item.name }}", "_call")
    return _call({{ item.names | join(', ') }})


{% endfor %}
{% for item in others %}
{% for pass in item.passes %}
{% set first = pass.first %}
{% set constants = item.name | upper ~ '_' %}
{% set made = pass.made | map(attribute='name') | list %}
{% set inputs = pass.inputs | reject('in', pass.outputs) | map(attribute='name') | list + pass.pointers_too
  | default([]) %}
{% set numbers = number_values(item.scalars) | from_json %}
def prepare_{{ pass.name }}({{ parameters(item.args) if loop.first else backward_parameters(item) }}) -> Call:
{% if loop.first %}
    check_defined("{{ item.name }}", {{ named(item.required) }})
{% endif %}
{% include pathjoin('variants', 'kernel', 'check.py') %}
{% for x in pass.laid_out %}
    {{ 'if %s is not None:
        ' % x.name if x.optional }}{{ x.name }} = {{ '%s.contiguous()' % x.name if item.layout == 'contiguous'
          else 'as_dense(%s)' % x.name if x.name == item.model else 'in_layout_of(%s, %s)' % (item.model, x.name) }}
{% endfor %}
{% for x in pass.outputs if x in pass.given %}
    check_output("{{ item.name }}", "{{ x.name }}", {{ x.name }}, [{% for y in pass.given if y != x %}{{ y.name }}{{ ''
      if loop.last else ', ' }}{% endfor %}])
{% endfor %}
{% if pass.typed and item.dtype_optional %}
    {{ item.dtype }} = {{ item.dtype }} or {{ first }}.dtype
{% endif %}
{% for line in pass.prepare | default([]) %}
    {{ line }}
{% endfor %}
{% set new = ('torch.empty_like(%s, dtype=%s)' if item.layout == 'dense' else 'new_output(%s, %s)') if pass.typed
  else 'torch.empty_like(%s)' if item.layout == 'dense' else 'new_output(%s)' %}
{% for x in pass.made %}
    {{ '%s = None
    if %s:
        ' % (x.name, x.needs or x.source ~ ' is not None') if x.optional or x.needs }}{{ x.name }} = {{ pass.new[x.name]
          | default(new % ((x.like, item.dtype) if pass.typed else x.like)) }}
{% endfor %}
{% for x in pass.made if x.element == 'Out' %}
    check("{{ item.name }}", {{ item.dtype }}={{ x.name }})
{% endfor %}
    return Call(first={{ first }}, dtypes=({{ first }}.dtype,{{ ' %s.dtype' % item.results[0]
      if pass.typed }}), inputs=[{{ inputs
      | join(', ') }}], numbers=[{{ numbers | join(', ') }}], outputs=[{{ pass.outputs | map(attribute='name')
      | join(', ') }}], result={{ '(%s)' % made | join(', ') if made | length > 1 else made[0] | default('None') }})


{% endfor %}
{% endfor %}
# ---- Launches: the kernels of a pass, and on how many blocks they run


{% if others %}
class Launch(NamedTuple):
    """A launch of a kernel: it gets pointers, and numbers as they are, and then 64-bit sizes."""

    kernel: int  # which one, by its place in `kernel_names`
    grid: int{{ ' | tuple[int, int]' if 'Matmul' in launchers }}
    block: int | tuple[int, int]
    arguments: list[Any]
    sizes: list[int]
    cluster: int = 1  # blocks of a cluster; where there are several, the grid counts clusters


{% endif %}
{% if others or by_rows %}
{{ '@cache\n' if by_rows or plain_rows -}}
def constants(header: str, *names: str) -> list[int]:
    """Return numbers of a file in csrc/, so that launches agree with their kernels."""
    text = (Path(__file__).parent / "csrc" / header).read_text()
    found = dict(re.findall(r"constexpr int (\w+) = (\d+);", text))
    return [int(found[name]) for name in names]


{% endif %}
{% if by_rows or plain_rows %}
{% if by_rows %}
def row_accesses(op: str) -> int:
    """Return how many accesses to each tensor a thread of an operator's kernel has."""
    name = "".join(map(str.capitalize, op.split("_")))
    return constants(f"{op}/{op}_cuda.cu", f"k{name}Accesses")[0]


{% endif %}
def row_neighbours(size: int, dtypes: list[torch.dtype], tensors: list[Any]) -> int:
    """Return how many neighbours of a row are read at once: 16 bytes of the widest if rows are aligned."""
    neighbours = 16 // max(dtype.itemsize for dtype in dtypes)
    aligned = all(x.data_ptr() % 16 == 0 for x in tensors if x is not None)
    return neighbours if aligned and size % neighbours == 0 else 1


def row_launch(x: Tensor, rows: int, size: int, accesses: int, neighbours: int, once: bool = False) -> tuple[Any, ...]:
    """Return grid, block and cluster of a kernel of rows, as launch_rows in csrc/kit/rows.cuh has them."""
    names = "kShortAccesses", "kMostRowBlocks", "kBusyBlocks"
    first = "kOnceRowThreads" if once else "kUsualRowThreads"
    usual, short, most_blocks, busy = constants("kit/rows.cuh", first, *names)
    names = "kMaxRowThreads", "kLeastThreads", "kElementAccesses"
    most, least, elements = constants("kit/row.cuh", *names)
    accesses = accesses if neighbours > 1 else elements
    needed = -(-size // neighbours)
    threads = blocks = 1
    if needed <= 32 * accesses:
        each = short if neighbours > 1 else elements
        while threads < 32 and threads * (1 if threads < 4 and neighbours > 1 else each) < needed:
            threads *= 2
    else:
        needed = -(-needed // accesses)
        clusters = x.is_cuda and torch.cuda.get_device_capability(x.device)[0] >= 9
        enough = busy // max(rows, 1) if once else most_blocks
        while clusters and blocks < most_blocks and blocks <= enough and needed > blocks * usual:
            blocks *= 2
        threads = min(usual if once else most, -(-needed // (blocks * 32)) * 32)
    together = max(1, least // threads)
    return (-(-rows // together) * blocks, 1, 1), (threads, together, 1), blocks


{% endif %}
def instance(kernel: str, *arguments: str) -> str:
    """Return the C++ name of an instance of a kernel."""
    joined = f"<{', '.join(arguments)}>" if arguments else ""
    return f"{{ project }}::{kernel}{joined}"


{% if others or by_rows %}
def both_instances(kernel: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
    """Return the C++ names of the instances of a kernel for any memory, and for aligned memory."""
    types = [TYPES[dtype] for dtype in dtypes]
    return [instance(kernel, aligned, *types) for aligned in ("false", "true")]


{% endif %}
{% if processors %}
@cache
def multiprocessors(device: int) -> int:
    return torch.cuda.get_device_properties(device).multi_processor_count


{% endif %}
{% if custom_ops %}
class Custom:
    """Which instances a custom kernel has: one for each dtype, or itself if it is no template."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return [instance(f"{name}_kernel", *(TYPES[dtype] for dtype in dtypes))]
{% if by_rows %}


class Rows:
    """Which instances a custom kernel of rows has."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return both_instances(f"{name}_kernel", dtypes)
{% endif %}


{% endif %}
{% for kernel in ops | map(attribute='launchers') | sum(start=[]) | unique | sort %}
{% include pathjoin('variants', 'kernel', kernel, 'nvrtc.py') %}


{% endfor %}
# ---- What kernels would write, by the reference


def values(reference: Callable[..., Any], call: {{ call_type }}, given: BoundArguments) -> tuple[Any, ...]:
    """Return what an operator's kernel would write."""
    found = reference(*given.args, **given.kwargs)
{% if written_lists %}
    found = found if isinstance(found, list | tuple) else (found,)
    # A list that is written to stands in a tuple as a list.
    return tuple(y for x in found for y in (x if isinstance(x, list) else [x]))
{% else %}
    return tuple(found) if isinstance(found, list | tuple) else (found,)
{% endif %}


{% if gradients %}
{% include pathjoin('variants', 'binding', 'nvrtc', 'gradients.py') %}


{% endif %}
# ---- The table


class Pass(NamedTuple):
    """A pass, and how PyTorch knows it."""

    op: str  # the operator
    kernel: Any  # how its kernel is launched
    prepare: Callable[..., {{ call_type }}]  # the function above
    schemas: dict[str, str]  # by the names under which it is registered
    numbers: list[str]  # types of the numbers that the kernel takes
    dtypes: list[Any]  # that the kernel is instantiated for, by type
    on_cpu: Callable[..., Any]  # what the kernel would write, by the reference

    def instances(self) -> Iterator[tuple[torch.dtype, ...]]:
        """Return the dtypes of each instance of its kernels; those of a custom operator are in its module."""
        return product(*(of_module(self.op, x) if isinstance(x, str) else x for x in self.dtypes))

    @property
    def name(self) -> str:
        return self.prepare.__name__.removeprefix("prepare_")


# By operator.
OPS = {
{% for item in ops %}
    "{{ item.name }}": [
{% for pass in item.passes %}
        Pass(
            op="{{ item.name }}",
            kernel={{ 'Rows' if item.by_rows else pass.launches | default(item.kernel | capitalize) }},
            prepare=prepare_{{ pass.name }},
            schemas={
{% for name in pass.registered %}
                "{{ name }}": "{{ schema(pass, name) }}",
{% endfor %}
            },
            numbers={{ item.scalars | map(attribute='base_type') | map('replace', 'SymInt', 'int') | list | to_json }},
            dtypes=[{{ ([item.nvrtc_dtypes] * (2 if pass.typed else 1)) | join(', ') }}],
            on_cpu={{ 'values' if loop.first else 'gradients' }},
        ),
{% endfor %}
    ],
{% endfor %}
}


# ---- GPU


{% if sized %}
def first_rows(op: str, call: {{ call_type }}) -> Tensor | tuple[Tensor, ...]{{ ' | list[Tensor]' if listed }} | None:
    """Return the results; where the kernel counts rows, results have memory for more, and are cut.

    Reading how many there are waits for the GPU, as torch.nonzero does, so no CUDA graph can record it.

    Raises:
        RuntimeError: The kernel counted more rows than results have memory for.
    """
    if {{ "not isinstance(call, CustomCall) or " if others }}call.count is None:
        return call.result
    count, most = int(call.count), len(call.sized[0])
    if not 0 <= count <= most:
        raise RuntimeError(f"{op}: the kernel counted {count} rows, which must be from 0 to {most}")
    results = (call.result,) if isinstance(call.result, Tensor) else call.result
    # Copies, since views would keep the memory of all.
    cut = [any(x is y for y in call.sized) and count < most for x in results]
    results = [x[:count].clone() if y else x for x, y in zip(results, cut)]
    return results[0] if isinstance(call.result, Tensor) else type(call.result)(results)


{% endif %}
def cuda_function(p: Pass) -> Callable[..., Any]:
    """Return a function that computes a pass by its CUDA kernel, compiled when first called."""
    launchers = {}

    def new_launcher(dtypes: tuple[torch.dtype, ...], device: int) -> Callable[..., Any]:
        try:
            # Not at the top: it takes a quarter of a second, and needs what only a GPU needs.
            from ._library import launcher
        except ImportError as error:
            raise RuntimeError(
                f"{p.op}: the tensors are on a GPU, but NVRTC is not installed ({error}); "
                "`pip install cuda-core` next to a PyTorch with CUDA"
            ) from error
        launchers[dtypes, device] = launcher(p, dtypes, device)
        return launchers[dtypes, device]

    def run(*args, **keywords):
        call = p.prepare(*args, **keywords)
        key = call.dtypes, call.first.get_device()
        launch = launchers.get(key) or new_launcher(*key)
        launch(call)
{% if sized %}
        return first_rows(p.op, call)
{% else %}
        return call.result
{% endif %}

    return run


# ---- CPU


def cpu_function(p: Pass) -> Callable[..., Any]:
    """Return a function that computes a pass by the operator's reference."""

    def run(*args, **keywords):
        call = p.prepare(*args, **keywords)
        # Like the kernels: 16-bit types are computed in float32 and rounded once.
        dtype = call.first.dtype
        wide = torch.promote_types(dtype, torch.float32) if dtype.is_floating_point else dtype
        given = signature(p.prepare).bind(*args, **keywords)
{% if lists %}

        def widen(x):
            return x.to(wide) if isinstance(x, Tensor) and x.dtype == dtype else x

{% endif %}
        for name, x in given.arguments.items():
{% if lists %}
            given.arguments[name] = [widen(y) for y in x] if isinstance(x, list) else widen(x)
{% else %}
            widened = isinstance(x, Tensor) and x.dtype == dtype
            given.arguments[name] = x.to(wide) if widened else x
{% endif %}
        reference = of_module(p.op, f"{p.op}_reference")
        with torch.autocast("cpu", enabled=False):  # in the dtypes of the kernel
            found = p.on_cpu(reference, call, given)
        # A reference may return a view or any strides; the fake promises new tensors with strides of its own.
        for out, value in zip(call.outputs, found):
{% if sized %}
            if {{ "isinstance(call, CustomCall) and " if others }}any(out is x for x in call.sized):
                out.resize_(len(value), *out.shape[1:])
                out.untyped_storage().resize_(out.nbytes)
{% endif %}
            {{ 'if out is not None:\n                ' if absent }}out.copy_(value)
        return call.result

    return run


# ---- Registration

# Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "DEF")

for _passes in OPS.values():
    for _pass in _passes:
        _functions = {"CUDA": cuda_function(_pass), "CPU": cpu_function(_pass)}
        for _name, _schema in _pass.schemas.items():
            _registrations.define(_name + _schema)
            for _key, _function in _functions.items():
                _registrations.impl(_name, _function, _key)
