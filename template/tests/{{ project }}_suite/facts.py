"""The facts of an operator, read from its schema, and how its results are compared."""

import random
from importlib import import_module
from importlib.util import find_spec

import torch

from .common import (
    AS_DOUBLE,
    PACKAGE,
    PROJECT,
    as_double,
    as_list,
    by_position,
    comparing,
    judged_in_double,
    promoted_by_autocast,
    refuse_side_effects,
    schema_of,
    with_gaps,
)

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
BEYOND_32_BITS = "beyond_32_bits"  # the layout that needs several GB; only with LARGE=1


def drawn_shape():
    """Return a random shape, which is the same in each call of one test."""
    draw = random.Random(torch.initial_seed())
    return draw.randint(2, 40), draw.randint(2, 40)


# Memory layouts and sizes that a kernel has to distinguish.
LAYOUTS = {
    "contiguous": lambda make: make((6, 5)),
    "transposed": lambda make: make((5, 6)).t(),
    "sliced": lambda make: make((12, 10))[::2, ::2],
    "expanded": lambda make: make((1, 5)).expand(6, 5),
    "misaligned": lambda make: make((31,))[1:].view(6, 5),
    "channels_last": lambda make: make((2, 3, 4, 5)).to(memory_format=torch.channels_last),
    "empty": lambda make: make((0, 5)),
    "zero_dimensional": lambda make: make(()),
    "drawn": lambda make: make(drawn_shape()),
    "large": lambda make: make((70_001,)),
    "large_misaligned": lambda make: make((70_002,))[1:],
    BEYOND_32_BITS: lambda make: make((2**31 + 9,)),
}


def copy_of(x):
    """Return a copy of an argument. Its tensors, also in a list, are cloned and detached."""
    if isinstance(x, list):
        return [copy_of(y) for y in x]
    return x.detach().clone() if isinstance(x, torch.Tensor) else x


class Facts:
    """An operator. Its properties are facts, named by the marks `each` and `only_with` of tests."""

    name: str
    dtypes = DTYPES
    layouts = LAYOUTS
    other_dtype = torch.int32, "Int"  # a dtype that the kernel refuses, and its C++ name
    rtol = atol = None  # set both to allow larger errors than torch.testing.assert_close does
    returned = ()  # the arguments that are written to, and returned before the new results
    full = PROJECT.EXTENT == "full"  # False leaves out slow tests that find few defects

    # ---- Its functions. `public`, `reference` and `registered` take all arguments by position.

    @property
    def op(self):
        return getattr(getattr(torch.ops, PACKAGE), self.name).default

    @property
    def function(self):
        return getattr(import_module(PACKAGE), self.name)

    @property
    def module(self):
        return import_module(f"{PACKAGE}.ops.{self.name}")

    @property
    def formula(self):
        return getattr(self.module, f"{self.name}_reference")

    @property
    def public(self):
        return by_position(self.function, self.op)

    @property
    def reference(self):
        return by_position(self.formula, self.op)

    @property
    def registered(self):
        return by_position(self.op, self.op)

    @property
    def backward(self):
        """The operator that computes the gradient, or None."""
        return getattr(self.module, "_backward_op", None)

    @property
    def has_cpu_kernel(self):
        return PROJECT.BUILD != "nvrtc" and getattr(self.module, "HAS_CPU_KERNEL", True)

    # ---- Its arguments: most facts are positions, by name

    def draw(self, device="cpu", layout="contiguous"):
        """Return random arguments. `layout` "large": more than one block has threads for."""
        return self.make_args(layout, device=device)

    @property
    def arguments(self):
        return schema_of(self.op).arguments

    def of_type(self, name):
        types = name, f"Optional[{name}]"
        return {x.name: i for i, x in enumerate(self.arguments) if str(x.real_type) in types}

    @property
    def tensors(self):
        return self.of_type("Tensor")

    @property
    def required(self):
        """The tensors that are not optional."""
        return {x.name: i for i, x in enumerate(self.arguments) if str(x.type) == "Tensor"}

    @property
    def first(self):
        """The position of the first required tensor. The operator compares the others with it."""
        return next(iter(self.required.values()))

    @property
    def others(self):
        return {name: i for name, i in self.tensors.items() if i != self.first}

    @property
    def written(self):
        return {name: i for name, i in self.tensors.items() if self.arguments[i].alias_info}

    @property
    def floats(self):
        return self.of_type("float")

    @property
    def numbers(self):
        return self.of_type("float") | self.of_type("int") | self.of_type("bool")

    @property
    def lists(self):
        return [i for i, x in enumerate(self.arguments) if "List[Tensor]" in str(x.type)]

    @property
    def defaults(self):
        return [i for i, x in enumerate(self.arguments) if x.has_default_value()]

    @property
    def absent(self):
        """Positions of the optional arguments, by name: each one, and all together."""
        types = [str(x.type) for x in self.arguments]
        found = [i for i, name in enumerate(types) if name.startswith("Optional")]
        alone = {self.arguments[i].name: [i] for i in found}
        return alone | {"all of them": found} if len(found) > 1 else alone

    def strided(self, args):
        """Return the arguments, with gaps between the elements of tensors that are only read."""
        gaps = lambda x: with_gaps(x) if isinstance(x, torch.Tensor) else x
        made = [[gaps(y) for y in x] if isinstance(x, list) else gaps(x) for x in args]
        return [x if i in self.written.values() else y for i, (x, y) in enumerate(zip(args, made))]

    def without(self, positions, args):
        return [None if i in positions else x for i, x in enumerate(args)]

    # ---- What PyTorch does with it

    @property
    def promoted(self):
        """The tensors after the first, if autocast converts them."""
        return self.others if promoted_by_autocast(self.name) else {}

    @property
    def batched(self):
        """Whether torch.vmap calls the operator once for a batch, not once for each sample."""
        if find_spec(f"{PACKAGE}._vmap") is None:
            return False
        return self.name in import_module(f"{PACKAGE}._vmap").WITH_RULE

    # ---- Options of the tests

    @property
    def usual_layouts(self):
        return [name for name in self.layouts if name != BEYOND_32_BITS]

    @property
    def some_layouts(self):
        """Layouts with different strides or without elements, which a fake has to distinguish."""
        return [name for name in ("contiguous", "transposed", "empty") if name in self.layouts]

    @property
    def large_layouts(self):
        return [name for name in self.layouts if name == BEYOND_32_BITS]

    def fact(self, name):
        """Return the fact that `each` or `only_with` names."""
        return getattr(self, name)

    def pytest_generate_tests(self, metafunc):  # pytest calls it for each test
        for mark in metafunc.definition.iter_markers("each"):
            for parameter, fact in mark.kwargs.items():
                values = self.fact(fact)
                values = values if isinstance(values, dict) else {str(x): x for x in values}
                metafunc.parametrize(parameter, list(values.values()), ids=list(values))

    def results(self, out):
        """Return the new tensors among the results of the function or the reference."""
        new = as_list(out)
        return new[-len(schema_of(self.op).returns) :] if self.written else new

    def outputs(self, args, out):
        """Return the written tensors, then the new ones, in the order of the reference."""
        new = as_list(out)
        found = {name: args[i] for name, i in self.written.items()}
        for name in self.returned:
            found[name] = new.pop(0)
        return [*found.values(), *new]

    def assert_close(self, out, expected, rtol=None, atol=None):
        """Compare a tensor with one in double. `rtol` and `atol` of the class have precedence."""
        if self.rtol is not None:
            rtol, atol = self.rtol, self.atol
        elif rtol is None and out.dtype is torch.float64:
            rtol, atol = AS_DOUBLE["rtol"], AS_DOUBLE["atol"]
        torch.testing.assert_close(out, expected.to(out.dtype), rtol=rtol, atol=atol)

    def compare(self, out, expected):
        """Compare a result, or a written tensor, with the reference in double."""
        assert out.is_contiguous(), f"The strides are {out.stride()}."
        self.assert_close(out, expected)

    def check_outputs(self, outputs, expected, args, rounded=None, what="the result"):
        """Compare written and returned tensors; `rounded` runs the reference in the args' dtype."""
        names = [*self.written, *[what] * len(outputs)]
        for i, (name, out, value) in enumerate(zip(names, outputs, expected)):

            def judge(i=i, out=out, value=value):
                return judged_in_double([out], [as_list(rounded())[i]], [value])

            if out is not None:
                with comparing(self.op, name, args, judge=judge if rounded else None):
                    self.compare(out, value)

    def check(self, function, args, what="the result"):
        """Call a function, then the reference. Compare what they write and return."""
        doubles = as_double(args)
        before = [copy_of(x) for x in args]
        out = function(*args)
        outputs = self.outputs(args, out)
        refuse_side_effects(self.op, args, before, self.new_tensors(args, out))
        expected = as_list(self.reference(*doubles))
        rounded = None if self.written else lambda: self.reference(*before)
        self.check_outputs(outputs, expected, args, rounded, what)

    def new_tensors(self, args, out):
        written = [args[i] for i in self.written.values()]
        return [x for x in as_list(out) if not any(x is y for y in written)]
