"""Shared by the tests of all operators: marks, the project's facts, comparisons with messages."""

import math
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec

import pytest
import torch
from torch.autograd.gradcheck import GradcheckError

PACKAGE = __package__.removesuffix("_suite")
import_module(PACKAGE)  # registers the operators
PROJECT = import_module(f"{PACKAGE}._project")
PRIVATE = import_module(f"{PACKAGE}._kit.private")
schema_of = PRIVATE.schema_of
asked_for = import_module(f"{PACKAGE}._kit.doctor").asked_for

# Both marks name facts: properties of the operator's test class, or of its OPERATOR. `each` runs a
# test for each item of a fact: a list, or a dictionary from test ids to values. Both marks leave a
# test out if one of their facts is empty. conftest.py and facts.py implement them.
each, only_with = pytest.mark.each, pytest.mark.only_with
with_busy_streams = pytest.mark.parametrize("busy", ["new", "default"])  # see in_another_stream


def promoted_by_autocast(name):
    """Whether autocast converts the tensors of an operator to one dtype."""
    return name in PROJECT.PROMOTED and find_spec(f"{PACKAGE}._kit.autocast") is not None


def as_double(args):
    """Return the arguments with each tensor copied to double. Copies keep requires_grad.

    Tensors in lists are not converted.
    """
    return [
        x.detach().to(torch.float64, copy=True).requires_grad_(x.requires_grad)
        if isinstance(x, torch.Tensor)
        else x
        for x in args
    ]


def as_list(out):
    """Return arguments or results as one list, and replace each list by its items."""
    tensors = [out] if isinstance(out, (torch.Tensor, int, float)) else out or []
    return [y for x in tensors for y in (x if isinstance(x, list) else [x])]


def tensors_of(args):
    return [x for x in as_list(args) if isinstance(x, torch.Tensor)]


def with_gaps(x):
    """Return a copy whose elements are not adjacent in memory. It keeps requires_grad."""
    found = x.new_empty((*x.shape, 2)).copy_(x.detach().unsqueeze(-1).expand(*x.shape, 2))[..., 0]
    return found.requires_grad_(x.requires_grad)


EXPLAINED = set()  # differences that were reported in full; a repeated one takes one line


def is_float8(x):
    return isinstance(x, torch.Tensor) and "float8" in str(x.dtype)


def described(x):
    """Describe a tensor by dtype, shape, strides and device, or another argument by value."""
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(map(described, x))}]"
    if not isinstance(x, torch.Tensor):
        return repr(x)
    strides = "" if x.is_contiguous() else f" of strides {list(x.stride())}"
    device = "" if x.is_cpu else f" on {x.device}"
    return f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}{strides}{device}"


def source_of(op, args):
    """Return where a result comes from: the file with the math, or words for the reference."""
    package, _, name = schema_of(op).name.partition("::")
    on_gpu = any(isinstance(x, torch.Tensor) and x.is_cuda for x in args)
    if PROJECT.BUILD == "nvrtc" and not on_gpu:  # there is no CPU kernel
        return "the reference in the dtype of the tensors"
    return f"{package}/csrc/{name}/{name}.h"


def error_of(tensors, exact):
    """Return the largest difference from results in double, and the largest result in double."""
    pairs = [
        (x.double(), y.double()) for x, y in zip(tensors, exact) if x is not None and y.numel()
    ]
    most = max((y.abs().max().item() for _, y in pairs), default=0.0)
    return max(((x - y).abs().max().item() for x, y in pairs), default=0.0), most


def judged_in_double(actual, rounded, exact):
    """Explain a difference: measure the errors of kernel and reference against double.

    Args:
        actual: The results of the kernel.
        rounded: The results of the reference for the same arguments, in their dtype.
        exact: The results of the reference for the arguments in double.
    """
    dtypes = [x.dtype for x in actual if x is not None and x.is_floating_point()]
    if not dtypes or any(x.dtype.itemsize == 1 for x in actual if x is not None):
        return ""
    (error, most), (of_reference, _) = error_of(actual, exact), error_of(rounded, exact)
    dtype = max(dtypes, key=lambda dtype: torch.finfo(dtype).bits)
    if math.isnan(most):
        return "The result in double is NaN: draw arguments from the formula's domain in make_args"
    if not most < 1e30:
        return f"The result in double is up to {most:.0e}: draw smaller arguments in make_args"
    if math.isnan(error) and not math.isnan(of_reference):
        streams = ", or run in another stream" if any(x.is_cuda for x in actual) else ""
        return (
            "Elements are NaN, with which some tests fill new memory: "
            f"does the kernel leave them unwritten{streams}?"
        )
    figures = (
        f"Compared with double, the kernel is off by {error:.1e}, "
        f"and the reference by {of_reference:.1e}"
    )
    if error <= 2 * of_reference:
        return (
            f"{figures}: both round. Raise the tolerance of the test, or let make_args draw other "
            "arguments"
        )
    for lower in (torch.float32, torch.float16, torch.bfloat16):
        coarser = torch.finfo(lower).eps > torch.finfo(dtype).eps
        if coarser and error <= 4 * torch.finfo(lower).eps * most:
            name = str(lower).removeprefix("torch.")
            return f"{figures}: as much as {name} rounds. Does the kernel compute in it?"
    return figures


def refuse_side_effects(op, args, before, returned):
    """Fail if a call changed a read-only argument, or returned its memory or a tensor subclass."""
    schema = schema_of(op)
    name = schema.name.partition("::")[2]
    read = [
        (x.name, y, z)
        for x, given, kept in zip(schema.arguments, args, before)
        if not (x.alias_info and x.alias_info.is_write)
        for y, z in zip(as_list([given]), as_list([kept]))
        if isinstance(y, torch.Tensor) and y.numel()
    ]
    for argument, now, was in read:
        if not same_bytes(now, was):
            text = f"{name}: it writes to {argument}, which is only read according to the signature"
            raise pytest.fail.Exception(text, pytrace=False)
    for x in returned:
        if x is None:
            continue
        if type(x) is not torch.Tensor:
            text = f"{name}: it returns a {type(x).__name__} instead of a plain tensor"
            raise pytest.fail.Exception(text, pytrace=False)
        for argument, y, _ in read:
            if x.numel() and x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr():
                text = f"{name}: its result shares memory with {argument}; return a new tensor"
                raise pytest.fail.Exception(text, pytrace=False)


NO_CPU_KERNEL = "there is no kernel for the CPU, so the reference runs"
# PyTorch's own tolerances for double accept results that were computed in float32.
AS_DOUBLE = {"rtol": 1e-9, "atol": 1e-9}
SAME_MEMORY = (
    "the result for new values at the same addresses (does the operator cache results by address?)"
)


def same_bytes(x, y):
    """Return whether tensors have the same bytes, in any dtype. A NaN equals the same NaN."""
    # as_strided, because `view` refuses a single element with a stride of 2.
    flat = (z.detach().contiguous().as_strided([z.numel()], [1]) for z in (x, y))
    x, y = (z.view(torch.uint8) for z in flat)
    return x.equal(y)


# Operators that move or create tensors, and compute nothing.
MOVES = [
    "empty",
    "empty_like",
    "empty_strided",
    "new_empty",
    "zeros",
    "zeros_like",
    "zero_",
    "fill_",
    "full",
    "contiguous",
    "clone",
    "copy_",
    "to",
    "_to_copy",
    "detach",
    "view",
    "reshape",
    "_reshape_alias",
    "_unsafe_view",
    "expand",
    "as_strided",
    "select",
    "slice",
    "transpose",
    "t",
    "permute",
    "unsqueeze",
    "squeeze",
    "resize_",
    "alias",
    "lift_fresh",
    "result_type",
    "narrow",
    "flatten",
    "unbind",
    "split",
    "item",
    "_local_scalar_dense",
    "is_nonzero",
    "numpy_T",
    "movedim",
    "arange",
    "ones",
]


def computing(function, args):
    """Return the operators of PyTorch that a call computes with."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.no_grad(), torch.profiler.profile(activities=activities) as profile:
        function(*args)
    names = {x.key.removeprefix("aten::") for x in profile.key_averages() if x.key[:6] == "aten::"}
    return names - set(MOVES)


def refuse_reference(op, function, reference, args, has_kernel):
    """Fail if a call runs every operator of PyTorch that the reference computes with."""
    if not has_kernel:
        pytest.skip(NO_CPU_KERNEL)
    function(*args)  # one-time work
    expected = computing(reference, args)
    if not expected:
        pytest.skip("the reference only moves elements")
    found = computing(function, args)
    if expected <= found:
        name = schema_of(op).name.partition("::")[2]
        called = ", ".join(sorted(expected))
        text = (
            f"{name}: it calls PyTorch's {called}, as {name}_reference does, instead of its kernel"
        )
        raise pytest.fail.Exception(text, pytrace=False)


@contextmanager
def comparing(op, what, args, source=None, reference=None, judge=None, hint=""):
    """Fail if a comparison in the block fails, and name the difference.

    The first message about `what` also has the largest difference, the arguments, the likely cause
    and a hint.
    """
    try:
        yield
    except (AssertionError, GradcheckError) as error:
        package, _, name = schema_of(op).name.partition("::")
        source = source or source_of(op, args)
        reference = reference or f"{name}_reference in {package}/ops/{name}.py"
        message = f"{name}: {what} differs between {source} and {reference}"
        if (name, what) not in EXPLAINED:
            EXPLAINED.add((name, what))
            found = [line for line in str(error).splitlines() if line]
            begins = ("Greatest absolute", "Mismatched", "The failure occurred for")
            most = [line for line in found if line.startswith(begins)]
            given = [f"{x.name} = {described(y)}" for x, y in zip(schema_of(op).arguments, args)]
            message += f"\n{'; '.join(most or found[:1])}\nwith {', '.join(given)}"
            with suppress(Exception):  # a reference may refuse double
                said = judge() if judge else ""
                message += f"\n{said}" if said else ""
            message += f"\n{hint}" if hint else ""
        raise pytest.fail.Exception(message, pytrace=False) from None


def in_another_stream(busy, args, function):
    """Call a function in a new stream. Return its results as they were in that stream.

    A kernel in the default stream is too early if the new stream is busy: it reads zeros, because
    the values of the arguments arrive later. It is too late if the default stream is busy.
    """
    given = tensors_of(args)
    values = [x.clone() for x in given]
    for x in given:
        x.zero_()
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream if busy == "new" else torch.cuda.default_stream()):
        PRIVATE.keep_gpu_busy()
    with torch.cuda.stream(stream):
        for x, value in zip(given, values):
            x.copy_(value)
        returned = function()
        found = given + tensors_of(returned)
        values = [x.clone() for x in found]
    torch.cuda.synchronize()
    for x, value in zip(found, values):
        x.copy_(value)
    return returned


def scale_of_sums(expected):
    """Return a power of two to divide sums by before a comparison: near the largest element.

    The error of a sum grows with its largest partial sum, even if the sum itself is near zero. So
    the power is never much smaller than a usual sum of N random terms, where N is the length of the
    last dimension.
    """
    least = max(1, expected.shape[-1] ** 0.5 / 2)
    return 2 ** expected.abs().amax().clamp(min=least).log2().floor() if expected.numel() else 1


def compiled(function, **options):
    torch.compiler.reset()  # otherwise PyTorch reaches its limit of compilations for one function
    return torch.compile(function, fullgraph=True, **options)


def keyword_only(op):
    return [x.name for x in schema_of(op).arguments if x.kwarg_only]


def opcheck(op, args, **options):
    """Run PyTorch's own checks of an operator, with arguments by position."""
    torch.library.opcheck(op, *separated(args, keyword_only(op)), **options)


def separated(args, names):
    """Return the positional arguments, and a dictionary of the last ones by these names."""
    count = len(args) - len(names)
    return tuple(args[:count]), dict(zip(names, args[count:]))


def by_position(function, op):
    """Return a function that takes all arguments by position, keyword-only ones last."""
    names = keyword_only(op)  # outside of the function, because torch.compile cannot trace a schema

    def call(*args):
        given, by_name = separated(args, names)
        return function(*given, **by_name)

    return call if names else function
