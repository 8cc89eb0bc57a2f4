"""Checks arguments, registers kernels and gradients, and detects autograd and transforms.

Shared code of the template: do not edit. `csrc/kit/` has the same checks in C++.
"""

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from inspect import Parameter, signature
from typing import Any, NoReturn

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.autograd.graph import increment_version

from .private import BELOW, CPU, OpOverload, schema_of

# ops/<op>.py finds these functions in this module.
from .private import below_autograd as below_autograd  # noqa: PLC0414
from .private import count_modes as count_modes  # noqa: PLC0414
from .private import in_transform as in_transform  # noqa: PLC0414
from .private import is_watched as is_watched  # noqa: PLC0414

# ---- All operators


def dtype_name(tensor: Tensor) -> str:
    """Return the name that C++ has for a dtype, such as Float."""
    return tensor.type().split(".")[-1].removesuffix("Tensor")


def is_size(size: int, expected: int) -> bool:
    """Whether two sizes are equal. Sizes that depend on data are compared when the program runs."""
    equal = size == expected
    if not isinstance(equal, bool):
        # Not imported at the top, because the import takes half a second.
        from torch.fx.experimental.symbolic_shapes import expect_true

        equal = expect_true(equal)
    return equal


def are_equal(sizes: Sequence[int], expected: Sequence[int]) -> bool:
    return len(sizes) == len(expected) and all(map(is_size, sizes, expected))


def check_defined(op: str, /, **tensors: Tensor | None) -> None:
    """Refuse None for a tensor that must be given."""
    for name, x in tensors.items():
        if x is None:
            raise RuntimeError(f"{op}: {name} must be a tensor, but is None")


def check_length(op: str, name: str, numbers: Sequence[float], length: int) -> None:
    """Check that a list has the length that the schema states.

    Raises:
        RuntimeError: The list has another length.
    """
    if len(numbers) != length:
        raise RuntimeError(f"{op}: {name} must have length {length}, got {len(numbers)}")


def check_number(op: str, /, **numbers: object) -> None:
    """Refuse a tensor in place of a number, if it requires a gradient or has a tangent."""
    for name, x in numbers.items():
        if isinstance(x, Tensor) and (
            x.requires_grad or forward_ad.unpack_dual(x).tangent is not None
        ):
            raise RuntimeError(
                f"{op}: {name} must be a number without a gradient, got a tensor that requires a "
                f"gradient; pass {name}.item(), or call `{op}_reference`, which PyTorch "
                "differentiates"
            )


def check_writable(op: str, /, **tensors: Tensor | list[Tensor] | None) -> None:
    """Refuse a lazily negated or conjugated view: PyTorch fails to copy a result into it."""
    for name, given in tensors.items():
        for x in given if isinstance(given, list) else [given]:
            if x is not None and (x.is_neg() or x.is_conj()):
                kind = "neg" if x.is_neg() else "conj"
                raise RuntimeError(
                    f"{op}: {name} is written to and must not be a view with is_{kind}() = True; "
                    f"write to the copy {name}.resolve_{kind}()"
                )


def check_no_gradient(op: str, reason: str, /, **tensors: Tensor | list[Tensor] | None) -> None:
    """Refuse a tensor that requires a gradient, if autograd records calls."""
    if not torch.is_grad_enabled():
        return
    for name, given in tensors.items():
        for key, x in (each_of(name, given) if isinstance(given, list) else {name: given}).items():
            if isinstance(x, Tensor) and x.requires_grad:
                raise RuntimeError(
                    f"{op}: {key} {reason}; detach it, or call this under torch.no_grad()"
                )


# ---- Shapes and dtypes

# The dtypes of kernels that compute in float or double.
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


def listed(words: Sequence[str]) -> str:
    """Return `Float, Double or Half`."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


class Checks:
    """Checks an operator's tensors: device, dtype, shape. Shapes are written as in the signature.

    The class with the same name in csrc/kit/checks.h makes the same checks before a kernel runs. Each
    refusal is a RuntimeError that names the operator, the argument and its value.

    A size is a number, a pair of a name and its value, or only a name, which fits any size. The
    value of a group of dimensions, such as `*space`, is a list. `leading` is the value of "...".
    """

    def __init__(self, op: str, first: str, tensor: Tensor) -> None:
        self.op, self.first, self.tensor, self.device = op, first, tensor, tensor.device

    def __call__(self, name: str, tensor: Tensor, dtypes, shape=None, leading=None) -> None:
        """Check a tensor's device, dtype and shape. None for `dtypes` or `shape` accepts any."""
        self._on_device(name, tensor)
        dtypes = dtypes if isinstance(dtypes, list) else [dtypes] if dtypes else [tensor.dtype]
        if tensor.dtype not in dtypes:
            expected = listed([dtype_name(tensor.new_empty(0, dtype=x)) for x in dtypes])
            self._fail(name, f"have dtype {expected}, but has {dtype_name(tensor)}")
        for x in shape or []:
            if isinstance(x, tuple) and not isinstance(x[1], list | tuple):
                self.size(*x)
        if shape is not None and not self._fits(tensor.shape, shape, leading):
            texts = [x[0] if isinstance(x, tuple) else str(x) for x in shape]
            known = [x for x in shape if isinstance(x, tuple)]
            values = [f"{x} = {list(y) if isinstance(y, tuple) else y}" for x, y in known]
            if leading is not None:
                values = [f"... = {list(leading)}", *values]
            given = f" with {', '.join(values)}" if values else ""
            shown = f"[{', '.join(texts)}]{given}"
            self._fail(name, f"have the shape {shown}, but has {list(tensor.shape)}")

    def dtype(self, name: str, found: torch.dtype, dtypes: list[torch.dtype]) -> None:
        """Check an argument that is a dtype."""
        if found not in dtypes:
            *words, word = [dtype_name(torch.empty(0, dtype=x)) for x in [*dtypes, found]]
            self._fail(name, f"be {listed(words)}, but is {word}")

    def each(self, name: str, tensors: list[Tensor], *expected) -> None:
        """Check the tensors of a list."""
        for one, tensor in each_of(name, tensors).items():
            self(one, tensor, *expected)

    def size(self, text: str, value: int) -> int:
        """Return a computed size, from 0 to 2^63 - 1. A symbolic value is not checked."""
        if isinstance(value, int) and value > 2**63 - 1:
            raise RuntimeError(f"{self.op}: a size of the signature is too large: {text}")
        if isinstance(value, int) and value < 0:
            raise RuntimeError(f"{self.op}: a size of the signature is negative: {text} = {value}")
        return value

    # ---- Tensors compared with the first; None is an absent tensor, which fits

    def floating(self) -> None:
        """Check that there is a kernel for the dtype of the first tensor."""
        self(self.first, self.tensor, DTYPES)

    def like(self, name: str, x: Tensor | None) -> None:
        """Check that a tensor has the device, dtype and shape of the first."""
        if x is None:
            return
        self._device_and_dtype(name, x)
        if not are_equal(x.shape, self.tensor.shape):
            way_out = f"broadcast them first: torch.broadcast_tensors({self.first}, {name})"
            expected = f"have the shape of {self.first}, {list(self.tensor.shape)}"
            self._fail(name, f"{expected}, but has {list(x.shape)}; {way_out}")

    def rows(self) -> None:
        """Check that the first tensor has rows, along its last dimension."""
        if self.tensor.dim() == 0:
            self._fail(self.first, "have at least one dimension")

    def columns(self, name: str, x: Tensor | None, of: str, rows: Tensor) -> None:
        """Check that a tensor has one element for each element of a row of another one."""
        if x is None:
            return
        self._device_and_dtype(name, x)
        if not are_equal(x.shape, rows.shape[-1:]):
            expected = f"have the shape of a row of {of}, [{rows.shape[-1]}]"
            self._fail(name, f"{expected}, but has {list(x.shape)}")

    def factors(self, name: str, b: Tensor) -> None:
        """Check that the first tensor is a matrix that can be multiplied by `b`."""
        self._device_and_dtype(name, b)
        for which, x in ((self.first, self.tensor), (name, b)):
            if x.dim() != 2:
                self._fail(which, f"have two dimensions, but has {list(x.shape)}")
        if not are_equal(b.shape[:1], self.tensor.shape[1:]):
            expected = f"have the shape {[self.tensor.shape[1], b.shape[1]]} to match the columns"
            self._fail(name, f"{expected} of {self.first}, but has {list(b.shape)}")

    def product(self, name: str, x: Tensor, of: str, b: Tensor) -> None:
        """Check that a tensor has the shape of the product of the first tensor and `b`."""
        self._device_and_dtype(name, x)
        shape = [self.tensor.shape[0], b.shape[1]]
        if not are_equal(x.shape, shape):
            expected = f"have the shape of the product of {self.first} and {of}, {shape}"
            self._fail(name, f"{expected}, but has {list(x.shape)}")

    def channels(self, count: int) -> None:
        """Check the last dimension of the first tensor."""
        if self.tensor.dim() == 0 or self.tensor.shape[-1] != count:
            expected = f"have {count} channels in its last dimension"
            self._fail(self.first, f"{expected}, but has the shape {list(self.tensor.shape)}")

    def _on_device(self, name: str, x: Tensor) -> None:
        if x.device != self.device:
            expected = f"be on {self.device}, the device of {self.first}"
            self._fail(name, f"{expected}, but is on {x.device}")

    def _device_and_dtype(self, name: str, x: Tensor) -> None:
        self._on_device(name, x)
        if x.dtype is not self.tensor.dtype:
            expected = f"have the dtype of {self.first}, {dtype_name(self.tensor)}"
            self._fail(name, f"{expected}, but has {dtype_name(x)}")

    def _fail(self, name: str, what: str) -> NoReturn:
        raise RuntimeError(f"{self.op}: {name} must {what}")

    def _fits(self, sizes, shape, leading) -> bool:
        # The number of dimensions is known for all groups except one, which gets the rest.
        expected: list[Any] = []
        for x in shape:
            value = leading if x == "..." and leading is not None else x
            value = value[1] if isinstance(x, tuple) else value
            expected += value if isinstance(value, list | tuple) else [value]
        for i, x in enumerate(expected):
            if isinstance(x, str) and x.startswith(("...", "*")):
                expected[i : i + 1] = ["any"] * max(0, len(sizes) - len(expected) + 1)
                break
        return len(sizes) == len(expected) and all(
            isinstance(x, str) or is_size(size, x) for size, x in zip(sizes, expected)
        )


# ---- Images


def pixels_shape(image: Tensor, channels: int) -> list[int]:
    """Return an image's shape, but with `channels` channels. One channel has no dimension."""
    return [*image.shape[:-1]] + [channels] * (channels != 1)


# ---- Custom operators


def without_none(*tensors: Tensor | None) -> tuple[Tensor, ...]:
    return tuple(x for x in tensors if x is not None)


def is_differentiable(given: object) -> bool:
    """Whether an argument or a result is a tensor, or list of tensors, that can have a gradient."""
    x = given[0] if isinstance(given, list | tuple) and given else given
    return isinstance(x, Tensor) and x.is_floating_point() and x.dtype.itemsize > 1


def quotient(a: int, b: int) -> int:
    """Return N for a dimension of size `a` that is N * b in the signature. Ignore a remainder."""
    return a // b if b != 0 else 0


def check_not_empty(op: str, /, **lists: list[Tensor]) -> None:
    """Refuse an empty list of tensors."""
    for name, tensors in lists.items():
        if isinstance(tensors, list | tuple) and not tensors:
            raise RuntimeError(f"{op}: {name} must have at least one tensor")


def each_of(name: str, tensors: list[Tensor]) -> dict[str, Tensor]:
    """Return the tensors of a list by their names in messages."""
    return {f"{name}[{i}]": tensor for i, tensor in enumerate(tensors)}


def lengths_of(*lists: list[Tensor]) -> list[int]:
    return [len(tensors) for tensors in lists]


def split(tensors: list[Tensor], lengths: list[int]) -> list[list[Tensor]]:
    """Return the tensors in lists of these lengths."""
    rest = iter(tensors)
    return [[next(rest) for _ in range(length)] for length in lengths]


# ---- Registration

# PyTorch removes a registration when its Library object is deleted.
_libraries: list[torch.library.Library] = []


def register_kernel(op: str, function: Callable[..., Any], key: str, **options: bool) -> None:
    """Register a kernel of an operator, `namespace::name`, at a dispatch key."""
    library = torch.library.Library(op.partition("::")[0], "IMPL")
    library.impl(op, function, key, **options)
    _libraries.append(library)


def replicates(module: object) -> bool:
    """Whether an operator needs whole tensors: `REPLICATE` of its module, `PARTS_MEET` until 0.7.0."""
    return any(getattr(module, name, False) for name in ("REPLICATE", "PARTS_MEET"))


def register_batched(op: OpOverload) -> None:
    """Let torch.vmap add a dimension for the batch, so that one call computes all samples."""

    @torch.library.register_vmap(op)
    def run(info, dims, /, *args, **keywords):
        def in_batch(x, dim: int | None):
            if not isinstance(x, Tensor):
                return x
            return x.expand(info.batch_size, *x.shape) if dim is None else x.movedim(dim, 0)

        return op(*map(in_batch, args, dims), **keywords), 0


def before_kernel(
    ops: Sequence[OpOverload],
    name: str,
    adds_atomically: bool,
    has_cpu_kernel: bool = True,
    fake: Callable[..., Any] | None = None,
    reference: Callable[..., Any] | None = None,
    sized: Sequence[str] = (),
) -> None:
    """Apply constants of `ops/<op>.py`, such as ADDS_ATOMICALLY, before a kernel runs.

    This also happens in compiled code. If the program asks for deterministic algorithms, an
    operator that adds atomically raises or warns. Without a CPU kernel, the reference runs on the
    CPU.

    Args:
        ops: The operator, and other operators that the public function calls to run its kernels.
        name: The public name.
        adds_atomically: Whether the operator raises, or warns, under
            `torch.use_deterministic_algorithms`.
        has_cpu_kernel: Whether a kernel exists for the CPU. Otherwise, the operator runs the
            reference there.
        fake: The fake kernel, which allocates the results without values.
        reference: The operator in plain PyTorch.
        sized: The names of the sizes that only the kernel knows.
    """
    if not adds_atomically and has_cpu_kernel:
        return

    def run(op, keys, /, *args, **keywords):
        if adds_atomically and torch.are_deterministic_algorithms_enabled():
            message = (
                f"{op.namespace}::{name} does not have a deterministic implementation: "
                "its threads add up in any order"
            )
            if not torch.is_deterministic_algorithms_warn_only_enabled():
                raise RuntimeError(
                    f"{message}. With torch.use_deterministic_algorithms(True, warn_only=True), "
                    "PyTorch only warns"
                )
            warnings.warn(message, stacklevel=2)
        if has_cpu_kernel or not keys.has(CPU):
            return op.redispatch(keys & BELOW, *args, **keywords)
        assert fake is not None and reference is not None
        returned = fake(*args, **keywords, **dict.fromkeys(sized, 0))
        given = signature(fake).bind(*args, **keywords).arguments
        written = [given.get(x.name) for x in schema_of(op).arguments if x.alias_info]
        with torch.autocast("cpu", enabled=False):  # a kernel would not change dtypes either
            values = _flat(reference(*args, **keywords))
        for out, value in zip(_flat(written) + _flat(returned), values, strict=True):
            if sized and out.numel() == 0:
                out.resize_([n or m for n, m in zip(out.shape, value.shape)])
            out.copy_(value)
        return returned

    for op in ops:
        name_of_op = schema_of(op).name
        register_kernel(name_of_op, partial(run, op), "BackendSelect", with_keyset=True)


def with_numbers(results: tuple[Tensor, ...], *positions: int) -> tuple[Any, ...]:
    """Return results, with a number in place of the tensor at each position. Wait for the GPU."""
    return tuple(x.item() if i in positions else x for i, x in enumerate(results))


def _flat(given) -> list[Tensor]:
    """Return a tensor, or the tensors of nested lists, in one list without None."""
    if isinstance(given, list | tuple):
        return [x for each in given for x in _flat(each)]
    return [] if given is None else [given]


def register_flops(op: OpOverload, *others: OpOverload, backward: OpOverload | None = None) -> None:
    """Let PyTorch count the floating-point operations of an operator that multiplies two tensors.

    Args:
        op: The operator. It multiplies the first two tensors among its arguments.
        others: Operators with the same arguments.
        backward: The gradient operator. Its last arguments tell which gradients are needed.
    """
    # Not imported at the top, because few projects need it.
    from torch.utils.flop_counter import register_flop_formula

    arguments = schema_of(op).arguments
    names = [x.name for x in arguments]
    tensors = [x for x in arguments if "Tensor" in str(x.type) and not x.alias_info]
    a, b = [x.name for x in tensors if str(x.type) == "Tensor"][:2]

    @register_flop_formula([x.overloadpacket for x in (op, *others)])
    def count(*args, **keywords) -> int:
        # PyTorch passes the shapes of tensors.
        shapes = dict(zip(names, args)) | keywords
        rows, depth = shapes[a]
        return 2 * rows * depth * shapes[b][1]

    if backward is not None:

        @register_flop_formula(backward.overloadpacket)
        def count_backward(grad, /, *args, **keywords) -> int:
            needs_a, needs_b = args[-len(tensors) :][:2]
            # The product again, and one product for each factor whose gradient is needed.
            return (1 + needs_a + needs_b) * count(*args)


# ---- Gradients


def vjp(
    reference: Callable[..., Any], grads: list[Tensor], /, *args, **keywords
) -> tuple[Any, ...]:
    """Return PyTorch's gradient of a reference, as `backward` of an autograd Function returns it.

    Args:
        reference: The function. It returns the new values of the tensors that the operator writes
            to, and then one result for each gradient.
        grads: The gradients of results.
        args: The arguments of the reference, in the order of the signature.
        keywords: The keyword-only arguments, in the same order.

    Returns:
        The gradient of each argument, or None, and then the gradients of the tensors in lists.
    """
    given = [*args, *keywords.values()]
    places = [i for i, x in enumerate(given) if is_differentiable(x)]
    grads = [x for x in grads if is_differentiable(x)]

    def results(*tensors):
        values = list(given)
        for i, x in zip(places, tensors):
            values[i] = x
        by_name = dict(zip(keywords, values[len(args) :]))
        found = reference(*values[: len(args)], **by_name)
        found = found if isinstance(found, list | tuple) else [found]
        return tuple([x for x in found if is_differentiable(x)][-len(grads) :])

    found: dict[int, Any] = {}
    if grads:  # a result in a float8 dtype has none
        _, pull_back, *_ = torch.func.vjp(results, *[given[i] for i in places])
        found = dict(zip(places, pull_back(tuple(grads))))
    in_place: list[Any] = []
    behind: list[Any] = []
    for i, x in enumerate(given):
        if isinstance(x, list | tuple) and x and isinstance(x[0], Tensor):
            in_place.append(None)
            behind += found.get(i, [None] * len(x))
        else:
            in_place.append(found.get(i))
    return (*in_place, *behind)


def below_gradient(op: OpOverload, forward_op: OpOverload) -> Callable[..., Any]:
    """Return a function that runs the kernels of an operator below autograd.

    The function calls `forward_op`, which has the same kernels and takes less time. An active
    dispatch mode, such as a checkpoint's, must see the operator itself: then `op` is called.
    """

    def run(*args, **keywords):
        if not count_modes():
            return forward_op(*args, **keywords)
        with below_autograd():
            return op(*args, **keywords)

    return run


def _all_arguments(op: OpOverload) -> Callable[[tuple[Any, ...], dict[str, Any]], list[Any]]:
    """Return a function that lists all arguments of a call, with defaults for missing ones.

    The function refuses None for a tensor that must be given.
    """
    arguments = schema_of(op).arguments
    name = schema_of(op).name.partition("::")[2]
    required = [(i, x.name) for i, x in enumerate(arguments) if str(x.type) == "Tensor"]
    # The schema is read here and not in each call, because a call takes only microseconds.
    defaults = [(x.name, x.default_value) for x in arguments]

    def bind(args, given):
        values = [*args]
        if len(values) < len(defaults):
            values += [given.get(x, default) for x, default in defaults[len(args) :]]
        for i, argument in required:
            if values[i] is None:
                check_defined(name, **{argument: None})
        return values

    return bind


def _apply(function, op: OpOverload) -> Callable[[list[Any]], Any]:
    """Return a function that calls an autograd Function.

    Tensors in lists are also passed one by one, because autograd does not look into lists.
    """
    arguments, returns = schema_of(op).arguments, schema_of(op).returns
    lists = [i for i, x in enumerate(arguments) if str(x.type) == "List[Tensor]"]
    kinds = [x.kind for x in signature(function.forward).parameters.values()]
    if Parameter.VAR_POSITIONAL not in kinds:  # the lists have no gradient
        lists = []
    as_list = [str(x.type) for x in returns] == ["List[Tensor]"]

    def apply(values):
        found = function.apply(*values, *(x for i in lists for x in values[i]))
        return list(found) if as_list else found

    return apply


def below_writing(forward_op: OpOverload, unwritten_op: OpOverload) -> Callable[..., Any]:
    """Return a function that runs the kernels of an operator whose written arguments are optional.

    torch.compile refuses an operator that writes if there is nothing to write to (PyTorch 2.15).
    Such a call runs `unwritten_op`, which has the same arguments and writes to none.
    """
    bind = _all_arguments(forward_op)
    written = [i for i, x in enumerate(schema_of(forward_op).arguments) if x.alias_info]

    def run(*args, **given):
        values = bind(args, given)
        unwritten = all(values[i] is None for i in written)
        return (unwritten_op if unwritten else forward_op)(*args, **given)

    return run


def private_name(op: OpOverload, part: str) -> str:
    """Return the name of an operator that only the package calls, such as `_muladd_forward`."""
    namespace, _, name = schema_of(op).name.partition("::")
    return f"{namespace}::_{name}_{part}"


def _skip_forward_op(op: OpOverload) -> None:
    """Let calls of `_<op>_forward`, which has no gradient, skip the Autograd key.

    Otherwise, the calls would run PyTorch's own kernel of that key, which warns.
    """
    register_kernel(private_name(op, "forward"), torch.library.fallthrough_kernel, "Autograd")


def register_gradient(op: OpOverload, function, reference, run=None) -> None:
    """Register an operator's code for autograd, which a `torch.ops` call runs.

    If torch.func or forward mode takes part, the code calls the reference. Otherwise, if a gradient
    is needed, the code calls an autograd Function.

    Args:
        op: The operator.
        function: The autograd Function.
        reference: The operator in plain PyTorch.
        run: A function that runs the operator below autograd, for calls without a gradient. If it
            is left out, C++ runs these calls.
    """
    bind, apply = _all_arguments(op), _apply(function, op)

    def autograd(*args, **given):
        values = bind(args, given)
        if in_transform():
            return reference(*args, **given)
        if run is not None and not needs_gradient(*values):
            return run(*args, **given)
        return apply(values)

    name = private_name(op, "autograd") if run is None else schema_of(op).name
    register_kernel(name, autograd, "Autograd")
    if run is not None:
        _skip_forward_op(op)


def register_writing(op: OpOverload, run: Callable[..., Any], function=None) -> None:
    """Register the code that tells autograd which arguments an operator writes to.

    Args:
        op: The operator.
        run: A function that runs the operator below autograd.
        function: The autograd Function, or None if the operator has no gradient.
    """
    arguments = schema_of(op).arguments
    name = schema_of(op).name.partition("::")[2]
    bind = _all_arguments(op)
    apply = _apply(function, op) if function else None
    written = [(x.name, i) for i, x in enumerate(arguments) if x.alias_info]
    # All tensors, if the operator has no gradient.
    tensors = [(x.name, i) for i, x in enumerate(arguments) if "Tensor" in str(x.type)]
    tensors = tensors if function is None else []
    reason = (
        "is written to, so it must not require a gradient"
        if function
        else "must not require a gradient, because the operator has none"
    )

    def autograd(*args, **given):
        values = bind(args, given)
        if in_transform():
            raise RuntimeError(
                f"{name}: torch.func and forward mode do not support an operator that writes; call "
                f"`{name}_reference` there"
            )
        outs = {x: values[i] for x, i in written}
        check_writable(name, **outs)
        recorded = needs_gradient(*values)
        if recorded:
            check_no_gradient(name, reason, **({x: values[i] for x, i in tensors} or outs))
        for x in outs.values():
            if x is not None:
                increment_version(x)
        if apply and recorded:
            return apply(values)
        return run(*args, **given)

    register_kernel(schema_of(op).name, autograd, "Autograd")
    _skip_forward_op(op)


# ---- Whether autograd or a transform takes part in a call

_grad_enabled = torch.is_grad_enabled  # a global is faster to look up


def needs_gradient(*given: Tensor | Sequence[Tensor] | None) -> bool:
    """Whether autograd in reverse mode records a call with these tensors, or tensors in lists."""
    for x in given:
        if isinstance(x, Tensor):
            if x.requires_grad:
                return _grad_enabled()
        elif isinstance(x, list | tuple) and needs_gradient(*x):
            return True
    return False


def only_autograd_records(*given: Tensor | Sequence[Tensor] | None) -> bool:
    """Whether autograd in reverse mode records a call, and no transform or mode takes part."""
    for x in given:
        if not isinstance(x, Tensor) or x.requires_grad:
            return needs_gradient(*given) and not is_watched(*given)
    return False  # the usual case, found without another call
