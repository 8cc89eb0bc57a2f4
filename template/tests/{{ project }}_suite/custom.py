"""The tests of custom operators, whose shapes are in their signatures."""

import itertools
import math
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from importlib import import_module
from inspect import signature
from itertools import product
from typing import NamedTuple
from unittest.mock import patch

import pytest
import torch

from .common import (
    AS_DOUBLE,
    NO_CPU_KERNEL,
    PRIVATE,
    PROJECT,
    as_list,
    asked_for,
    by_position,
    comparing,
    compiled,
    each,
    is_float8,
    judged_in_double,
    only_with,
    opcheck,
    promoted_by_autocast,
    refuse_side_effects,
    same_bytes,
    schema_of,
    tensors_of,
    with_gaps,
)
from .every import Every
from .facts import Facts
from .guards import Bounds, refuse_other_memory


class Custom(NamedTuple):
    """A custom operator, its reference, its arguments and the options of its tests."""

    function: Callable
    reference: Callable
    op: PRIVATE.OpOverload
    make_args: Callable
    differentiable: bool
    dtypes: list
    shaped: list
    empty: dict
    tolerance: dict  # also by dtype, as {"int8": {"rtol": 0, "atol": 1}}
    constant: Sequence = ()
    large: str = ""  # a size that can make a tensor of more than 2^31 elements
    many: str = ""  # a size along which threads add to the same element
    sized: bool = False  # whether only the kernel knows a size of a result
    waits: bool = False  # whether the function returns numbers that the kernel wrote to tensors
    columns: str = ""  # for an operator of rows: the size that is the length of a row
    fixed: Sequence = ()  # sizes, groups and numbers that cannot have other values
    no_effect: Sequence = ()  # arguments that change no result
    # the further dtype variables of the signature: parameters of make_args, and their dtypes
    variables: dict = {}  # noqa: RUF012
    strided: Sequence = ()  # arguments whose strides the kernel gets
    # for each written argument, the arguments that may be the same tensor
    over: dict = {}  # noqa: RUF012
    conditions: dict = {}  # noqa: RUF012  # values of bools and ints that shapes depend on
    ties: bool = True  # False if the order of equal elements may change the results

    @property
    def floats(self):
        """The positions of arguments that are floats and may have other values."""
        types = ("float", "Optional[float]")
        arguments = enumerate(schema_of(self.op).arguments)
        free = [(i, x) for i, x in arguments if x.name not in self.fixed]
        return [i for i, x in free if str(x.real_type) in types]

    @property
    def sizes(self):
        """The sizes and ints that make_args takes and that may have other values."""
        made = [*signature(self.make_args).parameters.items()][2:]
        names = [name for name, x in made if not isinstance(x.default, (tuple, bool))]
        return [x for x in names if x not in [*self.fixed, *self.variables]]

    @property
    def groups(self):
        """The groups of dimensions in make_args, such as `space=(4, 2)`, that may change."""
        made = signature(self.make_args).parameters.items()
        names = [name for name, x in made if isinstance(x.default, tuple)]
        return [x for x in names if x not in self.fixed]

    @property
    def lengths(self):
        """The lengths of rows to test, for an operator of rows."""
        return LENGTHS if self.columns else []

    @property
    def positions(self):
        """The positions of tensors and of lists of tensors, by name."""
        arguments = enumerate(schema_of(self.op).arguments)
        return {x.name: i for i, x in arguments if "Tensor" in str(x.type)}

    @property
    def widest(self):
        """float64, if the kernels have it; otherwise the first dtype."""
        return torch.float64 if torch.float64 in self.dtypes else self.dtypes[0]

    @property
    def every_dtype(self):
        """The dtypes of all its variables together."""
        return {*self.dtypes, *(x for dtypes in self.variables.values() for x in dtypes)}

    def of(self, dtypes):
        """Return the operator, with these dtypes as arguments of make_args."""
        return self._replace(make_args=partial(self.make_args, **dtypes)) if dtypes else self

    def in_double(self):
        """Return the operator, with float64 for each dtype variable that can be float64."""
        return self.of(
            {name: torch.float64 for name, x in self.variables.items() if torch.float64 in x}
        )

    @property
    def numbers(self):
        """The positions of ints, floats and bools that are not sizes and may have other values."""
        types = [y for x in ("int", "SymInt", "float", "bool") for y in (x, f"Optional[{x}]")]
        fixed = {*signature(self.make_args).parameters, *self.fixed}
        arguments = enumerate(schema_of(self.op).arguments)
        return [i for i, x in arguments if str(x.real_type) in types and x.name not in fixed]

    @property
    def lists(self):
        """The positions of lists of tensors, by name."""
        arguments = schema_of(self.op).arguments
        return {x: i for x, i in self.positions.items() if str(arguments[i].type) == "List[Tensor]"}

    @property
    def checked(self):
        """The positions of tensors whose shapes are checked, by name."""
        return {x: i for x, i in self.positions.items() if x in self.shaped}

    @property
    def chosen(self):
        """The positions of arguments that are dtypes."""
        types = enumerate(str(x.real_type) for x in schema_of(self.op).arguments)
        return [i for i, x in types if x in ("ScalarType", "Optional[ScalarType]")]

    @property
    def absent(self):
        """By position, the values that leave out an optional tensor or a result: None and False."""
        without = {"bool": False, "Optional[Tensor]": None}
        arguments = enumerate(schema_of(self.op).arguments)
        types = {i: str(x.type) for i, x in arguments if x.name not in self.conditions}
        return {i: without[x] for i, x in types.items() if x in without}

    @property
    def promoted(self):
        """Whether autocast gives its tensors the widest dtype that one of them has."""
        return promoted_by_autocast(schema_of(self.op).name.partition("::")[2])


# Rows that fit into the registers of a warp, a block or a cluster of blocks, and longer rows.
LENGTHS = [0, 1, 100, 1024, 5000, 40_003, 200_000, 600_000]
MOST_ON = {"cpu": 2**23, "cuda": 2**29}  # the most elements of a tensor
HALVES = (torch.float16, torch.bfloat16)
FLOATS = {torch.float32, torch.float64, *HALVES}
# Both ways to call an operator: the public function, and `torch.ops`.
BOTH_WAYS = pytest.mark.parametrize("way", ["function", "op"])


def call(operator, function, args):
    """Call a function with positional arguments, and with keyword-only arguments by name."""
    return by_position(function, operator.op)(*args)


def apply(function, x):
    """Apply a function to an argument that is a tensor, or to each tensor of a list."""
    if isinstance(x, list):
        return [apply(function, y) for y in x]
    return function(x) if isinstance(x, torch.Tensor) else x


def module_of(operator):
    return import_module(operator.reference.__module__)


def writes(operator):
    """Return, for each argument, whether it is written to."""
    infos = [x.alias_info for x in schema_of(operator.op).arguments]
    return [info is not None and info.is_write for info in infos]


def compiled_for(operator, args, **options):
    """Return the compiled function; skip an operator that PyTorch cannot compile."""
    if any(writes(operator)) and torch.float8_e8m0fnu in [x.dtype for x in tensors_of(args)]:
        pytest.skip("it writes and has a tensor of float8_e8m0fnu: pytorch#189522")
    return compiled(operator.function, **options)


def outputs(operator, function, args):
    """Call a function on copies of what it writes; return written tensors, then new ones."""
    copies = [apply(copied, x) if write else x for x, write in zip(args, writes(operator))]
    return outputs_in_place(operator, function, copies)


def outputs_in_place(operator, function, args):
    """Call a function; return written tensors, then new ones, in the order of a reference."""
    if function is operator.reference:
        return as_list(call(operator, function, widened(operator, args)))
    returned = as_list(as_tensors(call(operator, function, args), args))
    written = as_list([x for x, write in zip(args, writes(operator)) if write])
    return written + [x for x in returned if not any(x is y for y in written)]


def as_tensors(returned, args):
    """Replace the numbers among returned values with tensors, as the kernel wrote them."""
    if isinstance(returned, tuple):
        return tuple(as_tensors(x, args) for x in returned)
    if not isinstance(returned, int):  # a bool is an int
        return returned
    return torch.tensor(returned, device=tensors_of(args)[0].device)


def widened(operator, args):
    """For an operator of rows, return the arguments in the dtype that it computes in.

    The dtype is double or float32. Other operators keep their arguments.
    """
    if not operator.columns:
        return args
    dtypes = {x.dtype for x in tensors_of(args) if is_smooth(x)}
    wide = torch.float64 if torch.float64 in dtypes else torch.float32
    return [x.to(wide) if is_smooth(x) else x for x in args]


def check(operator, function, args, what="the result"):
    """Call a function, then the reference. Compare what they write and return."""
    before = [apply(copied, x) for x in args]
    actual = outputs(operator, function, args)
    refuse_side_effects(operator.op, args, before, actual)
    compare(operator, what, args, actual, outputs(operator, operator.reference, args))


def in_double(operator, args):
    """Return the results of the reference for floating-point arguments in double."""
    double = lambda x: x.double() if is_smooth(x) else x
    return outputs(operator, operator.reference, [apply(double, x) for x in args])


def compare(operator, what, args, actual, expected, of_gradient=False, over=None, hint=""):
    """Fail if tensors differ, and report whether they only round differently.

    `over` has the expected results before `actual` and `expected` were divided: see `over_largest`.
    """
    kernel, backward = places(operator)
    source = backward if of_gradient else kernel
    own = {dtype: x for dtype, x in operator.tolerance.items() if isinstance(x, dict)}
    options = {name: x for name, x in operator.tolerance.items() if name not in own}
    own = [own.get(str(getattr(x, "dtype", "")).removeprefix("torch.")) for x in actual]
    # In an operator of rows, a float32 argument limits the precision of results in double. A
    # float32 result limits the precision of gradients, and is not known here.
    compared = [*actual, *(tensors_of(args) if operator.columns else [])]
    of_double = {x.dtype for x in compared if is_smooth(x)} == {torch.float64}
    if of_double and not (operator.columns and of_gradient):
        options = options or AS_DOUBLE
    if operator.columns:
        expected = [
            None if x is None else x.to(y.dtype) for x, y in zip(expected, actual, strict=True)
        ]
        # The result of a row without elements may be NaN.
        options = {"equal_nan": True} | options
    if any(map(is_float8, expected)):
        # Before 2.13, PyTorch stores NaN in a float8_e4m3fn that overflows.
        options = {"equal_nan": True} | options
    if options or any(own):  # PyTorch compares float8 without a tolerance
        comparable = lambda x: x.float() if is_float8(x) else x
        actual, expected = ([comparable(x) for x in tensors] for tensors in (actual, expected))

    def judge():
        exact = in_double(operator, args)
        return judged_in_double(actual, expected, over_largest(exact, over) if over else exact)

    of_results = what.startswith("the result")
    judge = judge if of_results else None
    with comparing(operator.op, what, args, source, judge=judge, hint=hint):
        if not any(own):
            torch.testing.assert_close(actual, expected, **options)
        for x, y, others in zip(actual, expected, own) if any(own) else ():
            torch.testing.assert_close(x, y, **(options | (others or {})))


def places(operator):
    """Return the places of an operator's kernel and gradient."""
    package, _, name = schema_of(operator.op).name.partition("::")
    function = "".join(map(str.capitalize, name.split("_"))) + "Function.backward"
    return f"{package}/csrc/{name}/", f"{function} in {package}/ops/{name}.py"


def strided(x):
    """Return a copy of an argument, with gaps between its elements."""
    return apply(with_gaps, x)


def copied(x):
    """Return a copy with the same strides, and with the memory between its elements."""
    if x.is_contiguous() or not x.numel():
        return x.clone()
    extent = 1 + sum((size - 1) * stride for size, stride in zip(x.shape, x.stride()))
    return x.as_strided((extent,), (1,)).clone().as_strided(x.shape, x.stride(), 0)


def repeated(x):
    """Return a tensor of the same shape that repeats the first slice of dimension 0."""
    return x[:1].expand(x.shape)


def transposed(x):
    """Return a copy of an argument, with the largest stride in the last dimension."""
    order = range(x.dim())[::-1]
    return x.permute(*order).clone(memory_format=torch.contiguous_format).permute(*order)


# Strides of views: slices, transposed and expanded tensors.
LAYOUTS = {"gaps": strided, "transposed": transposed, "repeated": repeated}


def over_largest(tensors, expected):
    """Divide each tensor by its largest expected element: errors of sums are relative to it.

    The divisor is the next power of two, so that nothing is rounded again.
    """
    largest = [x.double().abs().amax().clamp(min=1) if x.numel() else 1 for x in expected]
    largest = [2 ** math.ceil(math.log2(x)) if 1 < x < math.inf else 1 for x in largest]
    floating = [x.is_floating_point() and x.element_size() > 1 for x in expected]
    return [(x / y).to(x.dtype) if z else x for x, y, z in zip(tensors, largest, floating)]


def compare_over_largest(operator, what, args, actual, expected, hint=""):
    """Compare results relative to the largest expected element."""
    scaled = (over_largest(x, expected) for x in (actual, expected))
    compare(operator, what, args, *scaled, over=expected, hint=hint)


def misaligned(x):
    """Return a contiguous copy that begins one element after aligned memory."""
    return x.new_empty(x.numel() + 1)[1:].view(x.shape).copy_(x)


# Empty; one element; more than the threads of a warp, and of a block; and a random size.
OTHER_SIZES = [0, 1, 33, 257, "drawn"]
# No dimension; one; an empty one; more than make_args has; more elements than a block has threads.
OTHER_DIMS = [(), (5,), (2, 0), (2, 1, 3), (7, 43)]


def most_elements(operator, dtype, sizes):
    """Return the number of elements of the largest argument or result.

    A size that the kernel counts is taken to be the largest size of an argument.
    """
    args = operator.make_args(dtype, "meta", **sizes)
    function = operator.op
    if operator.sized:
        fake = module_of(operator)._fake
        counted = signature(fake).parameters.keys() - {
            x.name for x in schema_of(operator.op).arguments
        }
        largest = max(size for x in tensors_of(args) for size in [1, *x.shape])
        function = partial(fake, **dict.fromkeys(counted, largest))
    return max(x.numel() for x in tensors_of([*args, *as_list(call(operator, function, args))]))


# Exceptions of operators and references for arguments that they refuse.
REFUSALS = (RuntimeError, ValueError, IndexError, TypeError, ZeroDivisionError)


ONLY_HERE = " only by the operator"  # in the reason of a skip, where the reference computes


def only_if_invalid(given, name):
    return f'Change the kernel. Only if {given} is invalid, write fixed=["{name}"] in the test.'


def check_others(operator, device, make_args, what, hint=""):
    """Compare the results for arguments. If these are refused, skip the test."""
    if reason := refusal(operator, device, make_args, what, hint):
        pytest.skip(f"{what} is refused{reason}")


def refusal(operator, device, make_args, what, hint=""):
    """Compare the results for arguments.

    If these are refused, return the end of a sentence about that, with the error's first line.
    """
    bounds = Bounds(MOST_ON[device])
    refused_by = ""
    try:
        args = make_args()
        # On the CPU first, where an index out of bounds is an error; on a GPU, it breaks the
        # whole process.
        expected = outputs(operator, operator.reference, args)
        if device == "cuda":
            args = [apply(lambda x: x.to(device), x) for x in args]
            expected = outputs(operator, operator.reference, args)
        refused_by = ONLY_HERE
        with bounds:
            actual = outputs(operator, operator.function, args)
    except REFUSALS as error:
        if "CUDA error" in str(error):
            raise
        line = (str(error).splitlines() or [type(error).__name__])[0]
        return f": {bounds.refused}" if bounds.refused else f"{refused_by}: {line}"
    if not all(x.isfinite().all() for x in expected if is_smooth(x)):
        pytest.skip("the reference is not finite")
    absent = any(x is None for x in expected)
    compared = compare if absent else compare_over_largest
    compared(operator, what, args, actual, expected, hint=hint)
    return ""


def check_sizes(operator, dtype, device, sizes, what, hint=""):
    """Compare the results for other sizes. If these are refused, enlarge further sizes, too.

    For example, a filter may have to be shorter than its row: a long filter needs a long row.
    """

    def make_args():
        numel = most_elements(operator, dtype, sizes)
        if numel > MOST_ON[device]:
            pytest.skip(f"a tensor would have {numel} elements")
        return operator.make_args(dtype, **sizes)

    reason = refusal(operator, device, make_args, what, hint)
    # In a narrow dtype, some of many random numbers are equal, and their order may change results.
    widest = operator.widest
    for larger in with_others_larger(operator, widest, sizes) if reason else ():
        make_larger = partial(operator.make_args, widest, **larger)
        given = f"{what} and {', '.join(f'{x}={larger[x]}' for x in larger.keys() - sizes.keys())}"
        if not refusal(operator, device, make_larger, given, hint):
            return
    if reason:
        pytest.skip(f"{what} is refused{reason}")


def check_each(cases, check):
    """Call `check` for each case. If it skips some of them, skip the test after the last one."""
    skipped = []
    for case in cases:
        try:
            check(case)
        except pytest.skip.Exception as reason:
            skipped.append(reason)
    if skipped:
        raise next((x for x in skipped if ONLY_HERE in str(x)), skipped[0])


def is_impossible(operator, device, sizes):
    """Return whether values of conditions make a size of a shape invalid, such as negative."""
    try:
        args = operator.make_args(operator.dtypes[0], device, **sizes)
        outputs(operator, operator.function, args)
    except ZeroDivisionError:
        return True
    except (RuntimeError, ValueError) as error:
        return any(x in str(error) for x in ("a size of the signature", "negative dimension"))
    return False


def refuses_values(operator, function, args):
    """Return whether the operator or its reference refuses values, such as too many tensors."""
    try:
        outputs(operator, function, args)
    except REFUSALS as error:
        return "CUDA error" not in str(error)
    return False


def with_others_larger(operator, dtype, sizes):
    """Yield `sizes` with each other size enlarged in turn, then with all of them enlarged.

    Leave out sizes that are refused, or that make tensors large.
    """
    made = signature(operator.make_args).parameters
    least = max(sizes.values(), default=0) if all(type(x) is int for x in sizes.values()) else 0
    others = {x: 2 * least + made[x].default for x in operator.sizes if x not in sizes}
    chosen = [{name: value} for name, value in others.items()]
    chosen += [others] if len(others) > 1 else []
    for larger in chosen if least > 1 else ():
        try:
            if most_elements(operator, dtype, sizes | larger) <= 2**20:
                yield sizes | larger
        except REFUSALS:
            continue


def larger_sizes(operator, dtype):
    """Return two sets of larger sizes: of all, and of all but the first, often a batch.

    With one size, return only the first set. The sizes of make_args are multiplied by the largest
    factor that keeps tensors small, or at least by 2.
    """
    made = signature(operator.make_args).parameters
    found = []
    for names in operator.sizes, operator.sizes[1:]:
        for factor in (61, 31, 17, 9, 5, 3, 2):
            sizes = {name: made[name].default * factor for name in names}
            try:
                if most_elements(operator, dtype, sizes) <= 2**16:
                    break
            except REFUSALS:
                continue
        found.append(sizes)
    return found if found[1] else found[:1]


@contextmanager
def on_threads(count):
    """Compute with at least this number of PyTorch's threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(max(count, before))
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def randn_changed(change):
    """Change the results of torch.randn. make_args draws tensors with it if any value is valid."""
    right = torch.randn
    with patch.object(torch, "randn", lambda *args, **options: change(right(*args, **options))):
        yield


MANY = 700
ANY_SHAPE = (2, 3)  # the sizes in make_args of dimensions that a signature does not name


def of_many(operator, dtype):
    """Join many draws of make_args into arguments with more rows, elements or list items.

    Return None if no argument grows.
    """
    draws = list(zip(*(operator.make_args(dtype) for _ in range(MANY))))
    grows = lambda x: isinstance(x, torch.Tensor) and x.shape[:2] == ANY_SHAPE
    joined = []
    for values in draws:
        first = values[0]
        if isinstance(first, list) and tensors_of(first):
            found = [y for x in values[:6] for y in x]
            if all(map(grows, found)):  # each tensor gets a different number of elements
                found = [
                    torch.cat([x[i % len(first)] for x in values[: 1 + 97 * i % 400]])
                    for i in range(len(found))
                ]
            joined.append(found)
        else:
            joined.append(torch.cat(values) if grows(first) else first)
    changed = any(x is not values[0] for x, values in zip(joined, draws))
    return joined if changed else None


def redrawn(operator, args, position):
    """Return other values for a tensor: three draws of make_args, or the tensor changed.

    The tensor is changed only if all draws equal it.
    """
    x = args[position]
    drawn = [operator.make_args(operator.dtypes[0])[position] for _ in range(3)]
    if any(not same_bytes(a, b) for y in drawn for a, b in zip(as_list([x]), as_list([y]))):
        return drawn
    change = lambda y: y.roll(1) if y.unique().numel() > 1 else (1.5 * y + 1).to(y.dtype)
    return [apply(change, x)]


def others(x):
    """Return other values for an argument that is not a tensor."""
    if isinstance(x, bool):
        return [not x]
    if isinstance(x, int):
        return [x + 1, x - 1, 2 * x]
    if isinstance(x, float):
        return [1.5 * x + 0.25, 0.5 * x, -x]
    if isinstance(x, list):
        return [[*x[:i], y, *x[i + 1 :]] for i in range(len(x)) for y in others(x[i])]
    return []


def effect(operator, args, position):
    """Return what an argument changes in the reference's results: a value, a shape, or None."""
    is_tensor = tensors_of([args[position]])
    other = redrawn(operator, args, position) if is_tensor else others(args[position])
    before = outputs(operator, operator.reference, args)
    found = None
    for value in other:
        given = [*args[:position], value, *args[position + 1 :]]
        try:
            after = outputs(operator, operator.reference, given)
        except Exception:  # noqa: BLE001  # whatever it raises, the argument has an effect
            return "a shape"
        for x, y in zip(before, after):
            if x is None or y is None:  # a result that may be absent
                found = found if x is y else "a shape"
                continue
            if x.dtype != y.dtype:
                found = "a shape"
                continue
            least = min(x.numel(), y.numel())
            if not same_bytes(x.flatten()[:least], y.flatten()[:least]):
                return "a value"
            found = found if x.shape == y.shape else "a shape"
    return found


def refuses(operator, position, value, any_device, message):
    args = operator.make_args(operator.dtypes[0], any_device)
    if not tensors_of(args[position]):
        pytest.skip("make_args leaves it out")
    x = args[position]
    args[position] = [*x[:-1], value(x[-1])] if isinstance(x, list) else value(x)
    name = schema_of(operator.op).arguments[position].name
    with pytest.raises(RuntimeError, match=rf"{name}(\[\d+\])? must {message}"):
        call(operator, operator.function, args)


def refuses_determinism(operator, function):
    args = operator.make_args(operator.dtypes[0])
    torch.use_deterministic_algorithms(True)
    try:
        with pytest.raises(RuntimeError, match="does not have a deterministic implementation"):
            call(operator, function, args)
    finally:
        torch.use_deterministic_algorithms(False)


def with_gradient(operator, args):
    """Return the positions of the tensors that have a gradient."""
    names = [x.name for x in schema_of(operator.op).arguments]
    return [i for i, x in enumerate(args) if is_smooth(x) and names[i] not in operator.constant]


def is_smooth(x):
    """Whether an argument can have a gradient. PyTorch cannot compute in 8-bit floats."""
    if isinstance(x, list):
        return bool(x) and all(map(is_smooth, x))
    return isinstance(x, torch.Tensor) and x.is_floating_point() and x.element_size() > 1


def requiring_grad(operator, args):
    args = [apply(lambda y: y.detach().clone(), x) for x in args]
    for i in with_gradient(operator, args):
        apply(torch.Tensor.requires_grad_, args[i])
    return args


def gradients(operator, function, args):
    if not operator.differentiable:
        pytest.skip("it has no gradient")
    args = requiring_grad(operator, args)
    given = widened(operator, args) if function is operator.reference else args
    returned = [x for x in as_list(call(operator, function, given)) if is_smooth(x)]
    outs = [x for x in returned if x.requires_grad]
    inputs = [x for x in tensors_of(args) if x.requires_grad]
    if operator.every_dtype - FLOATS and not (returned and inputs):
        pytest.skip("its dtypes have no gradient")
    # With many digits and without 0, so that a gradient in a lower precision differs.
    weights = [(0.7 * torch.linspace(-1, 1, x.numel()) + 0.13).to(x).reshape(x.shape) for x in outs]
    # For the function, None is kept, so that a missing gradient is reported.
    zeros = function is operator.reference
    return torch.autograd.grad(outs, inputs, weights, allow_unused=True, materialize_grads=zeros)


def compare_gradients(operator, args, actual, expected, rounded=False):
    """Compare gradients. `rounded`: only one of the two computations rounds intermediate results.

    Gradients of 16-bit tensors then differ by units in the last place of the largest element. Of
    rows, the reference runs in float32, and a gradient that calls it with 16-bit tensors rounds
    each step.
    """
    rounded = rounded or bool(operator.columns)
    rounding = [torch.finfo(x.dtype).eps for x in tensors_of(args) if x.dtype in HALVES]
    arguments = schema_of(operator.op).arguments
    at = [i for i in with_gradient(operator, args) for _ in as_list(args[i])]
    for i, x, y in zip(at, actual, expected, strict=True):
        name = arguments[i].name
        if x is None and y.any():
            given = f"{places(operator)[1]} gives no gradient of {name}"
            found = f"{operator.reference.__name__} has one"
            meant = f'if that is intended, write constant=["{name}"] in the test'
            pytest.fail(f"{given}, and {found}; {meant}", pytrace=False)
        x = torch.zeros_like(y) if x is None else x
        exact = operator
        if rounded and rounding and y.numel():
            scale = y.abs().amax().clamp(min=1) * 4
            x, y = x / scale, y / scale
            exact = operator._replace(tolerance={"rtol": 0, "atol": max(rounding)})
        compare(exact, f"the gradient of {name}", args, [x], [y], of_gradient=True)


# In float32, rounding errors exceed the differences of gradcheck's default steps: use larger steps.
IN_FLOAT32 = {"eps": 1e-3, "atol": 1e-2, "rtol": 1e-2, "nondet_tol": 1e-4}
# If arguments and results have more elements, gradcheck compares random directions. One element at
# a time would take minutes, and memory for each pair of elements.
MOST_ONE_BY_ONE = 4000


def agrees_with_differences(operator, args, fail):
    """Return whether finite differences are the gradient. If `fail`, a difference is a failure."""
    gradients(operator, operator.function, args)
    kernel, backward = places(operator)
    differences = f"finite differences of {kernel}"
    agreed = []
    # On a GPU, PyTorch's gradient of a reference may add in any order.
    for least, steps in ((torch.float64, {"nondet_tol": 1e-10}), (torch.float32, IN_FLOAT32)):
        fine = lambda x, y=least: is_smooth(x) and x.element_size() >= y.itemsize
        tensors = [x if fine(x) else x.detach() for x in tensors_of(args)]

        def function(*tensors, fine=fine):
            left = iter(tensors)
            given = [apply(lambda _: next(left), x) for x in args]
            return tuple(filter(fine, as_list(call(operator, operator.function, given))))

        outs = [x for x in function(*tensors) if x.requires_grad]
        compared = [x for x in [*outs, *tensors] if x.requires_grad]
        if outs and least in {x.dtype for x in compared}:
            fast = sum(x.numel() for x in compared) > MOST_ONE_BY_ONE
            steps = {"fast_mode": fast, "raise_exception": fail, **steps}
            with comparing(operator.op, "the gradient", args, backward, differences):
                agreed.append(torch.autograd.gradcheck(function, tensors, **steps))
    if not agreed:
        pytest.skip("its dtypes are too coarse for finite differences")
    return all(agreed)


def has_no_batches(operator):
    """Whether torch.vmap refuses an operator: it writes, or a result may be absent or is a list."""
    returned = [str(x.type) for x in schema_of(operator.op).returns]
    return any(writes(operator)) or any(x != "Tensor" for x in returned)


def in_autocast(function, device):
    def run(*args, **keywords):
        with torch.autocast(device):
            return function(*args, **keywords)

    return run


class OfCustom(Facts):
    """The tests that only custom operators have, or have in another form."""

    OPERATOR: Custom

    # ---- The facts of all operators, read from OPERATOR

    op = property(lambda self: self.OPERATOR.op)
    name = property(lambda self: schema_of(self.op).name.partition("::")[2])
    function = property(lambda self: self.OPERATOR.function)
    formula = property(lambda self: self.OPERATOR.reference)
    module = property(lambda self: module_of(self.OPERATOR))

    def fact(self, name):
        return getattr(self.OPERATOR if hasattr(self.OPERATOR, name) else self, name)

    def draw(self, device="cpu", layout="contiguous"):
        return self.OPERATOR.make_args(self.OPERATOR.dtypes[0], device)

    def check(self, function, args, what="the result"):
        def by_name(*args, **named):
            return function(*args, *named.values())

        check(self.OPERATOR, by_name, args, what)

    # ---- Its parameters

    @pytest.fixture(autouse=True)
    def sizes_and_numbers_of_data(self):
        # Without these settings, torch.compile breaks the graph at a size or number that only the
        # kernel knows.
        operator = self.OPERATOR
        with PRIVATE.sizes_of_data(operator.sized), PRIVATE.numbers_of_data(operator.waits):
            yield

    @pytest.fixture
    def operator(self, request):
        return self.OPERATOR.of(getattr(request, "param", {}))

    def pytest_generate_tests(self, metafunc):  # pytest calls it for each test
        super().pytest_generate_tests(metafunc)
        operator = self.OPERATOR
        if "dtype" in metafunc.fixturenames:
            metafunc.parametrize("dtype", operator.dtypes, ids=str)
            # One parameter for each combination of dtypes: each has its own kernel.
            if operator.variables:
                found = [
                    dict(zip(operator.variables, x)) for x in product(*operator.variables.values())
                ]
                ids = ["-".join(map(str, x.values())) for x in found]
                metafunc.parametrize("operator", found, ids=ids, indirect=True)

    def test_values_in_guarded_memory(self, operator, device, poison):
        """An access outside of a tensor may leave the values right, or end the process later."""
        if device == "cpu" and not self.has_cpu_kernel:
            pytest.skip(NO_CPU_KERNEL)
        draws = [(dtype, {}) for dtype in operator.dtypes]
        draws += [(operator.widest, larger_sizes(operator, operator.widest)[0])]
        draws += [(operator.dtypes[0], {x: y}) for x in operator.sizes for y in (1, 33, 257)]
        function = by_position(operator.function, operator.op)
        for dtype, sizes in draws:
            try:
                if most_elements(operator, dtype, sizes) > 2**18:
                    continue
                args = operator.make_args(dtype, **sizes)
                outputs(operator, operator.reference, args)
            except REFUSALS:
                continue
            args = [apply(lambda x: x.to(device), x) for x in args]
            bounds = Bounds(MOST_ON["cpu"])
            try:
                with bounds:
                    refuse_other_memory(operator.op, function, args)
            except REFUSALS:
                if not (bounds.refused or refuses_values(operator, operator.function, args)):
                    raise

    def test_values(self, operator, dtype, device, poison):
        check(operator, operator.function, operator.make_args(dtype, device))

    def test_strided(self, operator, device, poison):
        args = operator.make_args(operator.dtypes[0], device)
        names = [x.name for x in schema_of(operator.op).arguments]
        kept = [x and y not in operator.strided for x, y in zip(writes(operator), names)]
        args = [x if write else strided(x) for x, write in zip(args, kept)]
        check(operator, operator.function, args)

    @only_with("strided")
    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_gets_the_strides_of_views(self, operator, layout, device, poison):
        """A kernel that ignores strides accesses other elements of the view's allocation."""
        args = operator.make_args(operator.dtypes[0], device)
        for i, x in enumerate(schema_of(operator.op).arguments):
            meant = x.name in operator.strided and not (
                layout == "repeated" and writes(operator)[i]
            )
            if meant and args[i] is not None and args[i].numel():
                args[i] = LAYOUTS[layout](args[i])
        for function in operator.function, operator.op:
            check(operator, function, args)
        given = [apply(copied, x) for x in args]
        call(operator, operator.function, given)
        for x, y, of in zip(given, args, schema_of(operator.op).arguments):
            meant = of.name in operator.strided and of.alias_info is not None
            if meant and layout == "gaps" and isinstance(x, torch.Tensor) and x.numel() > 1:
                between = [
                    z.as_strided((z.numel() - 1,), (2,), z.storage_offset() + 1) for z in (x, y)
                ]
                times = "the tensor after the call", "the tensor before it"
                with comparing(operator.op, "the memory between elements", args, *times):
                    torch.testing.assert_close(*between, rtol=0, atol=0, equal_nan=True)

    @only_with("over")
    @pytest.mark.parametrize("way", ["function", "op", "compiled"])
    def test_writes_over_an_argument(self, operator, way, device):
        """A written tensor may be the same tensor as an argument that the kernel reads."""
        names = [x.name for x in schema_of(operator.op).arguments]
        tried = 0
        for written, other in [(x, y) for x, others in operator.over.items() for y in others]:
            at, of = names.index(written), names.index(other)
            for dtype in operator.dtypes:
                args = operator.make_args(dtype, device)
                if args[at].dtype != args[of].dtype or args[at].shape != args[of].shape:
                    continue
                args[at] = args[of]
                expected = outputs(operator, operator.reference, args)
                given = [*args]
                given[at] = given[of] = args[of].clone()
                function = None if way == "compiled" else getattr(operator, way)
                function = function or compiled_for(operator, given)
                actual = outputs_in_place(operator, function, given)
                compare(operator, f"the result with {written} = {other}", args, actual, expected)
                tried += 1
        if not tried:
            pytest.skip("no arguments of make_args have the same shape and dtype")

    @only_with("strided")
    def test_compiles_with_views(self, operator, device):
        args = operator.make_args(operator.dtypes[0], device)
        names = [x.name for x in schema_of(operator.op).arguments]
        args = [strided(x) if y in operator.strided else x for x, y in zip(args, names)]
        check(operator, compiled_for(operator, args), args)
        opcheck(operator.op, args, test_utils=["test_faketensor", "test_aot_dispatch_dynamic"])

    @only_with("strided")
    def test_refuses_to_write_twice_to_the_same_memory(self, operator, device):
        if device == "cpu" and not getattr(module_of(operator), "HAS_CPU_KERNEL", True):
            pytest.skip("the reference writes to any strides")
        args = operator.make_args(operator.dtypes[0], device)
        for i, x in enumerate(schema_of(operator.op).arguments):
            if x.name in operator.strided and writes(operator)[i] and args[i].shape[0] > 1:
                given = [*args[:i], repeated(args[i]), *args[i + 1 :]]
                with pytest.raises(RuntimeError, match=f"{x.name} is written to and must not have"):
                    call(operator, operator.function, given)

    @only_with("strided")
    def test_writes_beside_an_expanded_view(self, operator, device):
        """An expanded view and a tensor that is written to may be adjacent in memory."""
        args = operator.make_args(operator.dtypes[0], device)
        flags = list(zip(schema_of(operator.op).arguments, writes(operator), args))
        read = [
            i for i, (x, write, _) in enumerate(flags) if x.name in operator.strided and not write
        ]
        into = [j for j, (_, write, y) in enumerate(flags) if write and isinstance(y, torch.Tensor)]
        for i, j in itertools.product(read, into):
            x, y = args[i], args[j]
            if x is None or x.dtype != y.dtype or x.numel() < 2:
                continue
            memory = torch.cat([x.flatten()[:1], y.flatten()])
            beside = {i: memory[:1].expand(x.numel()).view(x.shape), j: memory[1:].view(y.shape)}
            given = [beside.get(k, z) for k, z in enumerate(args)]
            expected = outputs(operator, operator.reference, given)
            actual = outputs_in_place(operator, operator.function, given)
            compare(operator, "the result beside an expanded view", given, actual, expected)

    @each(length="lengths")
    @pytest.mark.parametrize("aligned", [True, False])
    def test_rows_of_each_length(self, operator, dtype, length, aligned, device, poison):
        if device == "cpu" and length > 5000 or not aligned and length != 1024:
            pytest.skip("other lengths test the same code")
        sizes = {operator.columns: length}
        numel = most_elements(operator, dtype, sizes)
        if numel > MOST_ON[device]:
            pytest.skip(f"a tensor would have {numel} elements")
        args = operator.make_args(dtype, device, **sizes)
        if not aligned:
            args = [misaligned(x) if isinstance(x, torch.Tensor) else x for x in args]
        expected = outputs(operator, operator.reference, args)
        actual = outputs(operator, operator.function, args)
        compare_over_largest(operator, "the result", args, actual, expected)

    @only_with("empty")
    def test_empty(self, operator, device):
        args = operator.make_args(operator.dtypes[0], device, **operator.empty)
        check(operator, operator.function, args)

    @each(size="sizes")
    @pytest.mark.parametrize("value", OTHER_SIZES)
    def test_values_with_another_size(self, operator, size, value, device, poison):
        """A kernel may ignore elements beyond the small sizes of make_args."""
        if value == 0 and size in [x.name for x in schema_of(operator.op).arguments]:
            pytest.skip("the size is an argument, which may have to be positive")
        value = torch.randint(2, 70, ()).item() if value == "drawn" else value
        given = f"{size}={value}"
        what, hint = f"the result with {given}", only_if_invalid(given, size)
        check_sizes(operator, operator.dtypes[0], device, {size: value}, what, hint)

    @only_with("conditions")
    @BOTH_WAYS
    def test_values_with_each_shape(self, operator, way, device, poison):
        names, values = operator.conditions.keys(), operator.conditions.values()
        for chosen in itertools.islice(product(*values), 16):
            sizes = dict(zip(names, chosen))
            if is_impossible(operator, device, sizes):
                continue
            args = operator.make_args(operator.dtypes[0], device, **sizes)
            given = ", ".join(f"{name}={value}" for name, value in sizes.items())
            check(operator, getattr(operator, way), args, f"the result with {given}")

    @only_with("conditions")
    def test_compile_with_each_shape(self, operator, device):
        for name, values in operator.conditions.items():
            for value in values:
                if is_impossible(operator, device, {name: value}):
                    continue
                args = operator.make_args(operator.dtypes[0], device, **{name: value})
                check(operator, compiled_for(operator, args), args)

    @each(group="groups")
    @pytest.mark.parametrize("dims", OTHER_DIMS, ids=str)
    def test_values_with_other_dimensions(self, operator, group, dims, device, poison):
        given = f"{group}={dims}"
        what, hint = f"the result with {given}", only_if_invalid(given, group)
        check_sizes(operator, operator.dtypes[0], device, {group: dims}, what, hint)

    @only_with("sizes")
    def test_values_with_larger_sizes(self, operator, device, poison):
        """A loop that ends early shows only if several sizes are large."""
        dtype = operator.widest
        hint = "Change the kernel. Only if a size is invalid, write its name into fixed."

        def check_larger(sizes):
            given = ", ".join(f"{name}={value}" for name, value in sizes.items())
            end = time.monotonic() + 0.1
            with on_threads(4):
                check_sizes(operator, dtype, device, sizes, f"the result with {given}", hint)
                while device == "cpu" and time.monotonic() < end:  # threads collide by chance
                    what = f"the result on several cores, {given}"
                    check_sizes(operator, dtype, device, sizes, what)

        check_each(larger_sizes(operator, dtype), check_larger)

    @only_with("sizes")
    def test_values_with_a_large_first_size(self, operator, device, poison):
        """A kernel may support only the number of blocks or threads that a few rows need."""
        size = operator.sizes[0]
        what, hint = f"the result with {size}=5003", only_if_invalid(f"{size}=5003", size)
        with on_threads(4):
            check_sizes(operator, operator.dtypes[0], device, {size: 5003}, what, hint)

    def test_values_of_many(self, operator, device, poison):
        """Draws of make_args, which have few rows or elements and short lists, are joined."""
        dtype = operator.dtypes[0]
        args = of_many(operator, dtype)
        if args is None:
            pytest.skip("no tensor accepts every shape, and no argument is a list")
        what = "the result for several draws of make_args in one"
        check_others(operator, device, lambda: args, what)

    @each(number="numbers")
    def test_values_with_other_numbers(self, operator, number, device, poison):
        """A kernel may ignore a number, and use the value that make_args returns."""
        name = schema_of(operator.op).arguments[number].name
        x = operator.make_args(operator.dtypes[0])[number]
        if x is None:
            pytest.skip("make_args leaves it out")
        values = [0.5 * x or 0.25] if isinstance(x, float) else others(x)
        refused = []
        for value in values:

            def make_args(value=value):
                args = operator.make_args(operator.dtypes[0])
                return [*args[:number], value, *args[number + 1 :]]

            given = f"{name}={value}"
            what, hint = f"the result with {given}", only_if_invalid(given, name)
            try:
                check_others(operator, device, make_args, what, hint)
            except pytest.skip.Exception:
                refused.append(value)
        if len(refused) == len(values):
            pytest.skip(f"{name} is refused with {refused}")

    @only_with("ties")
    def test_values_with_equal_elements(self, operator, device, poison):
        dtype = operator.dtypes[0]
        hint = "Change the kernel. Only if their order may change the result, write ties=False."
        what = "the result with equal elements"

        def check_equal(case):
            change, sizes = case
            with randn_changed(change):
                check_sizes(operator, dtype, device, sizes, what, hint)

        rounded = [(torch.round, x) for x in ({}, *larger_sizes(operator, dtype))]
        check_each([(torch.zeros_like, {}), *rounded], check_equal)

    def test_values_of_large_numbers(self, operator, device, poison):
        """With large numbers, an exponential overflows, and a sum of squares loses small terms."""
        dtype = operator.widest
        args = operator.make_args(dtype, device)
        clamps = (PROJECT.BUILD, device, operator.columns) == ("nvrtc", "cuda", "")
        if clamps and any(map(is_float8, outputs(operator, operator.reference, args))):
            pytest.skip("CUDA clamps numbers beyond the largest float8, and PyTorch may not")
        # Larger numbers become NaN in float8_e4m3fn, whose largest is 448, before PyTorch 2.13.
        factor = 40 if any("float8_e4m3" in str(x.dtype) for x in tensors_of(args)) else 1000
        with randn_changed(lambda x: factor * x):
            what = f"the result with {factor} * torch.randn in place of torch.randn"
            each = ({}, *larger_sizes(operator, dtype))
            check_each(each, lambda x: check_sizes(operator, dtype, device, x, what))

    def test_each_argument_has_an_effect(self, operator):
        """A kernel that ignores an argument passes all tests if the reference ignores it, too."""
        names = [x.name for x in schema_of(operator.op).arguments]
        read_only = [i for i, write in enumerate(writes(operator)) if not write]
        effects = {}
        dtypes = operator.dtypes if operator.conditions else operator.dtypes[:1]
        for draw in range(5):  # in a single draw, an argument may have no effect
            args = operator.make_args(dtypes[draw % len(dtypes)])
            for i in read_only:
                found = effects.get(names[i])
                if found != "a value" and (tensors_of([args[i]]) or others(args[i])):
                    effects[names[i]] = effect(operator, args, i) or found
        read = [name for name, found in effects.items() if found == "a value"]
        if len(read) < 2:
            pytest.skip(
                f"the reference reads only {read[0] if read else 'shapes'}, as in a new project"
            )
        for name, found in effects.items():
            if not found and name not in operator.no_effect:
                pytest.fail(
                    f"{name} has no effect on {operator.reference.__name__} with these arguments: "
                    f'change make_args or the reference, or write no_effect=["{name}"] in the test '
                    f"if {name} never has an effect",
                    pytrace=False,
                )

    @each(position="checked")
    def test_refuses_another_shape(self, operator, position, any_device):
        other = lambda x: x.new_empty(() if x.dim() else 1)
        refuses(operator, position, other, any_device, "have the shape")

    @each(position="positions")
    def test_refuses_another_dtype(self, operator, position, any_device):
        own = {x.dtype for x in tensors_of(operator.make_args(operator.dtypes[0])[position])}
        # This test also finds a dtype that <op>_args.h lists, but ops/<op>.py does not.
        for dtype in {torch.complex64, torch.float16, torch.bfloat16} - operator.every_dtype - own:
            refuses(operator, position, lambda x, y=dtype: x.to(y), any_device, "have dtype")

    @only_with("chosen")
    def test_refuses_another_dtype_of_a_result(self, operator, any_device):
        for i in operator.chosen:
            args = operator.make_args(operator.dtypes[0], any_device)
            args[i] = torch.complex64
            name = schema_of(operator.op).arguments[i].name
            with pytest.raises(RuntimeError, match=f"{name} must be .* but is ComplexFloat"):
                call(operator, operator.function, args)

    @each(position="positions")
    def test_refuses_another_device(self, operator, position, any_device):
        args = operator.make_args(operator.dtypes[0], any_device)
        always = [
            str(x.type) in ("Tensor", "List[Tensor]") for x in schema_of(operator.op).arguments
        ]
        if position == always.index(True) and len(tensors_of(args[position])) == 1:
            pytest.skip("the other tensors have to be on its device")
        other = "meta" if any_device == "cpu" else "cpu"
        elsewhere = lambda x: torch.empty_like(x, device=other)
        refuses(operator, position, elsewhere, any_device, "be on")

    def test_refuses_to_write_to_strides(self, operator, device):
        if not any(writes(operator)):
            pytest.skip("it writes to no argument")
        if device == "cpu" and not getattr(module_of(operator), "HAS_CPU_KERNEL", True):
            pytest.skip("the reference writes to any strides")
        args = operator.make_args(operator.dtypes[0], device)
        for i, x in enumerate(schema_of(operator.op).arguments):
            # A tensor of one element is contiguous with any strides.
            refused = writes(operator)[i] and x.name not in operator.strided
            if refused and any(y.numel() > 1 for y in tensors_of(args[i])):
                given = [*args[:i], strided(args[i]), *args[i + 1 :]]
                written = rf"{x.name}(\[\d+\])? is written to"
                with pytest.raises(RuntimeError, match=f"{written} and must be contiguous"):
                    call(operator, operator.function, given)

    def test_refuses_a_gradient_of_what_it_writes(self, operator, device):
        if not any(writes(operator)):
            pytest.skip("it writes to no argument")
        args = operator.make_args(operator.dtypes[0], device)
        for x in filter(torch.is_floating_point, tensors_of(args)):
            changed = lambda y, z=x: y.clone().requires_grad_() if y is z else y
            given = [apply(changed, y) for y in args]
            message = "must not require a gradient, because the operator has none"
            with pytest.raises(RuntimeError, match=message):
                call(operator, operator.function, given)

    @only_with("many")
    def test_threads_on_several_cores(self, operator):
        """If several threads add to one element without atomic_add, some additions are lost."""
        if operator.many not in signature(operator.make_args).parameters:
            pytest.skip("threads write to elements of their own")
        dtype = operator.widest
        # A tensor may have many times n elements: use the largest n with small tensors.
        made = {n: operator.make_args(dtype, "meta", **{operator.many: n}) for n in (4001, 401, 41)}
        fit = [n for n in made if max(x.numel() for x in tensors_of(made[n])) <= 2**21]
        args = operator.make_args(dtype, **({operator.many: fit[0]} if fit else {}))
        expected = outputs(operator, operator.reference, args)
        # Sums of many terms, added in another order, round differently.
        largest = max([1, *(x.double().abs().max().item() for x in expected if x.numel())])
        operator = operator._replace(tolerance={"rtol": 0, "atol": 1e-4 * largest})
        end = time.monotonic() + 0.5
        with on_threads(4):
            while time.monotonic() < end:  # whether threads collide is chance
                actual = outputs(operator, operator.function, args)
                compare(operator, "the result of threads on several cores", args, actual, expected)

    @each(position="lists")
    def test_refuses_other_lists(self, operator, position, device):
        args = operator.make_args(operator.dtypes[0], device)
        tensors = args[position]
        others = [([], "at least one tensor")]
        if device != "cpu" or getattr(module_of(operator), "HAS_CPU_KERNEL", True):
            # If another tensor's shape contains the list's length, its error names that length.
            length = rf"len\({schema_of(operator.op).arguments[position].name}\)"
            many = [x.clone() for _ in range(200) for x in tensors]
            others += [(many, f"at most|{length}")]
        for other, message in others:
            args[position] = other
            with pytest.raises(RuntimeError, match=message):
                call(operator, operator.function, args)

    @BOTH_WAYS
    def test_deterministic_algorithms(self, operator, way, device):
        """Two calls return equal results. An operator that adds atomically raises instead."""
        args = operator.make_args(operator.dtypes[0], device)
        function = getattr(operator, way)
        if module_of(operator).ADDS_ATOMICALLY:
            refuses_determinism(operator, function)
        else:
            first, second = (outputs(operator, function, args) for _ in range(2))
            torch.testing.assert_close(first, second, rtol=0, atol=0, equal_nan=True)

    def test_opcheck(self, operator, device):
        args = operator.make_args(operator.dtypes[0], device)
        for tensors in [args, requiring_grad(operator, args)][: 1 + operator.differentiable]:
            outs = [x for x in as_list(call(operator, operator.op, tensors)) if x is not None]
            # opcheck fails to sum results if the first is an integer, or if they are 8-bit
            # floating-point numbers, which it cannot compare either (PyTorch 2.13).
            coarse = any(map(is_float8, outs))
            mixed = any(x.requires_grad for x in outs) and (
                coarse or not outs[0].is_floating_point()
            )
            coarse |= any(map(is_float8, tensors_of(tensors)))
            tests = [] if coarse else ["test_schema"]
            tests += ["test_autograd_registration", "test_faketensor"]
            tests += [] if mixed else ["test_aot_dispatch_dynamic"]
            opcheck(operator.op, tensors, test_utils=tests)

    @only_with("absent")
    def test_absent_results(self, operator, device):
        """Leave out each argument and result that may be absent, then all, also when compiled."""
        without = operator.absent
        args = operator.make_args(operator.dtypes[0], device)
        for left_out in [*({i: value} for i, value in without.items()), without]:
            given = [left_out.get(i, x) for i, x in enumerate(args)]
            for function in (operator.function, operator.op, compiled_for(operator, args)):
                check(operator, function, given)

    @pytest.mark.parametrize("dynamic", [False, True])
    def test_compile(self, operator, dynamic, device):
        args = operator.make_args(operator.dtypes[0], device)
        function = compiled_for(operator, args, dynamic=dynamic)
        check(operator, function, args)
        if module_of(operator).ADDS_ATOMICALLY:
            refuses_determinism(operator, function)

    @each(float_at="floats")
    def test_compile_with_its_cache(self, operator, float_at, device):
        """PyTorch's cache of compiled code must not keep an earlier float (pytorch#197889)."""
        args = operator.make_args(operator.dtypes[0], device)
        function = compiled_for(operator, args)
        with PRIVATE.fresh_cache(), PRIVATE.cache_of_gradients(True):
            own = args[float_at] or 0.5
            accepted = 0
            for value in (0.75 * own, 0.5 * own, own):
                args[float_at] = value
                both = operator.reference, operator.function
                if any(refuses_values(operator, f, args) for f in both):
                    continue
                accepted += 1
                check(operator, function, args)
                if operator.differentiable:
                    functions = function, operator.reference
                    found = (gradients(operator, f, args) for f in functions)
                    compare_gradients(operator, args, *found, rounded=True)
        if accepted < 2:
            pytest.skip("it refuses other numbers")

    # ---- The gradient: skipped for an operator without one

    @BOTH_WAYS
    def test_gradients(self, operator, way, dtype, device, poison):
        args = operator.make_args(dtype, device)
        functions = getattr(operator, way), operator.reference
        actual, expected = (gradients(operator, f, args) for f in functions)
        compare_gradients(operator, args, actual, expected)

    def test_gradients_compiled(self, operator, device):
        args = operator.make_args(operator.dtypes[0], device)
        functions = compiled(operator.function), operator.reference
        actual, expected = (gradients(operator, f, args) for f in functions)
        # Inductor fuses the steps of PyTorch, and rounds once.
        compare_gradients(operator, args, actual, expected, rounded=True)

    @pytest.mark.filterwarnings("ignore:Input #.* is not a double precision")
    def test_gradcheck(self, operator, device):
        # At a kink, as where two elements are nearly the largest, finite differences differ from
        # the gradient. Then other arguments are drawn: a wrong gradient differs for all of them.
        # In float32, the steps are so large that every fifth draw may have a kink.
        for left in reversed(range(8)):
            args = operator.in_double().make_args(operator.widest, device)
            if agrees_with_differences(operator, requiring_grad(operator, args), fail=not left):
                return

    @only_with("absent")
    @BOTH_WAYS
    def test_gradients_of_absent_results(self, operator, way, device):
        args = operator.make_args(operator.dtypes[0], device)
        for left_out in [{i: value} for i, value in operator.absent.items()]:
            given = [left_out.get(i, x) for i, x in enumerate(args)]
            functions = getattr(operator, way), operator.reference
            actual, expected = (gradients(operator, f, given) for f in functions)
            compare_gradients(operator, given, actual, expected)

    @BOTH_WAYS
    def test_forward_mode(self, operator, way, device):
        args = operator.make_args(operator.dtypes[0], device)
        gradients(operator, operator.function, args)  # skips an operator without a gradient
        results = tensors_of(call(operator, operator.function, args))
        if not any(x.is_floating_point() for x in results):
            pytest.skip("the results that have a derivative are absent")
        at = with_gradient(operator, args)
        inputs = tuple(args[i] for i in at)

        def derivative(function):
            def outs(*tensors):
                given = list(args)
                for i, x in zip(at, tensors):
                    given[i] = x
                results = tensors_of(call(operator, function, given))
                return tuple(x for x in results if x.is_floating_point())

            return torch.func.jvp(outs, inputs, tuple(apply(torch.ones_like, x) for x in inputs))[1]

        try:
            expected = derivative(operator.reference)
        except NotImplementedError as error:
            pytest.skip(f"PyTorch has no forward mode of an operator in the reference: {error}")
        actual = derivative(getattr(operator, way))
        compare(operator, "the derivative", args, actual, expected)

    # ---- In autocast and torch.vmap

    @BOTH_WAYS
    def test_autocast(self, operator, way, device):
        """Autocast does not lower the dtype of a custom operator."""
        args = operator.make_args(operator.dtypes[0], device)
        function = in_autocast(getattr(operator, way), device)
        check(operator, function, args)
        if operator.differentiable:
            actual, expected = (
                gradients(operator, f, args) for f in (function, operator.reference)
            )
            compare_gradients(operator, args, actual, expected)

    @only_with("promoted")
    @each(position="positions")
    @BOTH_WAYS
    def test_autocast_computes_in_the_widest_dtype(self, operator, way, position, device):
        args = operator.make_args(operator.dtypes[0], device)
        x = args[position]
        if not is_smooth(x):
            pytest.skip("autocast does not change it")
        given = [*args[:position], x.bfloat16(), *args[position + 1 :]]
        args[position] = given[position].to(x)
        widest = reduce(torch.promote_types, [x.dtype for x in tensors_of(given) if is_smooth(x)])
        converted = [x.to(widest) if is_smooth(x) else x for x in given]
        if refuses_values(operator, operator.function, converted):
            pytest.skip(f"it has no kernel for {widest}, to which autocast converts")
        function = in_autocast(getattr(operator, way), device)
        expected = outputs(operator, operator.reference, args)
        compare(operator, "the result", args, outputs(operator, function, given), expected)

    @BOTH_WAYS
    def test_vmap(self, operator, way, device):
        """PyTorch calls the operator for each sample, or refuses it: see has_no_batches."""
        both = [operator.make_args(operator.dtypes[0], device) for _ in range(2)]
        tensors = [isinstance(x, torch.Tensor) for x in both[0]]
        # Both samples have the same numbers.
        both[1] = [x if y else z for x, y, z in zip(both[1], tensors, both[0])]
        if any(
            y and (x is None or x.shape != z.shape) for x, y, z in zip(both[1], tensors, both[0])
        ):
            pytest.skip("make_args draws other sizes")
        if any(isinstance(x, list) and tensors_of(x) for x in both[0]):
            batch = [apply(lambda y: torch.stack([y, y]), x) for x in both[0]]
            dims = [apply(lambda _: 0, x) if tensors_of([x]) else None for x in batch]
            with pytest.raises(RuntimeError):  # PyTorch's fallback does not support lists
                torch.vmap(lambda *x: call(operator, getattr(operator, way), x), tuple(dims))(
                    *batch
                )
            return
        args = [torch.stack(x) if y else x[0] for x, y in zip(zip(*both), tensors)]

        def function(*args):
            return call(operator, getattr(operator, way), args)

        batched = torch.vmap(function, in_dims=tuple(0 if x else None for x in tensors))
        results = [outputs(operator, operator.reference, x) for x in both]
        # A kernel that counts rows may count a different number for each sample.
        same = operator.sized and all(x is y or x.shape == y.shape for x, y in zip(*results))
        # The function reads numbers, which cannot be batched.
        reads = operator.waits and way == "function"
        if has_no_batches(operator) or reads or operator.sized and not same:
            with pytest.raises(RuntimeError):
                batched(*args)
            return
        expected = [torch.stack(x) for x in zip(*results)]
        compare(operator, "a batch of results", both[0], as_list(batched(*args)), expected)

    # ---- A GPU

    @pytest.mark.cuda
    def test_cuda_graph_replays(self, operator):
        if operator.sized:
            pytest.skip("a CUDA graph cannot record a wait for a size that the kernel counts")
        args = operator.make_args(operator.dtypes[0], "cuda")
        function = operator.op if operator.waits else operator.function
        call(operator, function, args)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            out = outputs(operator, function, args)
        others = operator.make_args(operator.dtypes[0], "cuda")
        for x, value in zip(tensors_of(args), tensors_of(others)):
            x.copy_(value)
        graph.replay()
        expected = outputs(operator, operator.reference, args)
        compare(operator, "the result of a replayed CUDA graph", args, out, expected)

    @only_with("large")
    @pytest.mark.cuda
    @pytest.mark.skipif(not asked_for("LARGE"), reason="needs tens of GB; LARGE=1 runs it")
    def test_indices_beyond_32_bits(self, operator):
        dtype = min(operator.dtypes, key=lambda dtype: dtype.itemsize)
        size = signature(operator.make_args).parameters[operator.large].default

        def make_args(device):
            return operator.make_args(dtype, device, **{operator.large: size})

        def largest(args):
            tensors = [*args, *outputs(operator, operator.function, args)]
            return max(x.numel() for x in tensors_of(tensors))

        while largest(make_args("meta")) <= 2**31:
            size += size // 8 + 1
        try:
            args = make_args("cuda")
            functions = operator.function, operator.reference
            actual, expected = (outputs(operator, f, args) for f in functions)
        except torch.OutOfMemoryError as error:
            pytest.skip(f"the GPU has too little memory: {error}")
        for x, y in zip(actual, expected, strict=True):
            # Compared in parts, to save memory.
            for some, others in zip(*(z.flatten().split(2**26) for z in (x, y)), strict=True):
                compare(operator, "the result", args, [some], [others])


class CustomTests(Every, OfCustom):
    """The tests of a custom operator. A class in test_<operator>.py inherits them."""
