"""What tests of all operators use: marks, the project's facts, comparisons that name what differs."""

from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

import pytest
import torch
from torch.autograd.gradcheck import GradcheckError

PACKAGE = __package__.removesuffix("_suite")
import_module(PACKAGE)  # registers the operators
PROJECT = import_module(f"{PACKAGE}._project")
PRIVATE = import_module(f"{PACKAGE}._private")
schema_of = PRIVATE.schema_of
asked_for = import_module(f"{PACKAGE}.doctor").asked_for

# A test is run for each of what its operator has, a list or a dictionary by names, and is left out
# where that, or another fact that it needs, is empty; conftest.py sees to it.
each, only_with = pytest.mark.each, pytest.mark.only_with


def promoted_by_autocast(name):
    """Whether autocast gives the tensors of an operator one dtype."""
    return name in PROJECT.PROMOTED and find_spec(f"{PACKAGE}._autocast") is not None


def as_double(args):
    """Return the arguments with tensors in double, which require a gradient if they did before."""
    return [
        x.detach().double().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x
        for x in args
    ]


def as_list(out):
    """Return the tensors that an operator takes or returns in one list, those of lists included."""
    tensors = [out] if isinstance(out, torch.Tensor) else out or []
    return [y for x in tensors for y in (x if isinstance(x, list) else [x])]


EXPLAINED = set()  # the differences that a failure said all about; the same once more is one line


def described(x):
    """Return dtype, shape, strides and device of a tensor, and any other argument as it is."""
    if isinstance(x, list):
        return f"[{', '.join(map(described, x))}]"
    if not isinstance(x, torch.Tensor):
        return repr(x)
    strides = "" if x.is_contiguous() else f" of strides {list(x.stride())}"
    device = "" if x.is_cpu else f" on {x.device}"
    return f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}{strides}{device}"


def source_of(op, args):
    """Return the file with an operator's math; without C++, its reference computes on the CPU."""
    package, _, name = schema_of(op).name.partition("::")
    on_gpu = any(isinstance(x, torch.Tensor) and x.is_cuda for x in args)
    if PROJECT.BUILD == "nvrtc" and not on_gpu:
        return "the reference in the dtype of the tensors"
    return f"{package}/csrc/{name}/{name}.h"


@contextmanager
def comparing(op, what, args, source=None, reference=None):
    """Fail in three lines: what differs between which files, where most, with which arguments."""
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
        raise pytest.fail.Exception(message, pytrace=False) from None


def scale_of_sums(expected):
    """Return a power of two near the largest element, by which sums are divided for a comparison.

    The error of a sum grows with its largest partial sum, and the sum of a long row may be near zero.
    """
    least = max(1, expected.shape[-1] ** 0.5 / 2)
    return 2 ** expected.abs().amax().clamp(min=least).log2().floor() if expected.numel() else 1


def compiled(function, **options):
    torch.compiler.reset()  # which else counts how often it compiled the same function
    return torch.compile(function, fullgraph=True, **options)


def keyword_only(op):
    return [x.name for x in schema_of(op).arguments if x.kwarg_only]


def opcheck(op, args, **options):
    """Run PyTorch's own checks of an operator, with arguments by position."""
    torch.library.opcheck(op, *separated(args, keyword_only(op)), **options)


def separated(args, names):
    """Return arguments by position, and the last ones by these names."""
    count = len(args) - len(names)
    return tuple(args[:count]), dict(zip(names, args[count:]))


def by_position(function, op):
    """Let a function take the keyword-only arguments of an operator by position, after the others."""
    names = keyword_only(op)  # here, since torch.compile can't trace a schema

    def call(*args):
        given, by_name = separated(args, names)
        return function(*given, **by_name)

    return call if names else function
