"""What PyTorch's transforms make of `muladd`, in a table: right, refused with a sentence, or wrong.

`PYTHONPATH=<built project> python tools/transforms.py` prints a row for each, for the public function and for
`torch.ops`, and fails if one that is not in LIMITS is wrong, or one that is there no longer. Its argument is the device,
`cpu` if there is none.
"""

from __future__ import annotations

import io
import json
import sys
import warnings

import torch
from my_ops import muladd
from my_ops._kit import bindings
from torch.autograd import forward_ad
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, vjp, vmap
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import checkpoint as checkpoints
from torch.utils._python_dispatch import TorchDispatchMode

OP = torch.ops.my_ops.muladd.default
DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cpu"

# What is not done yet, by the names of rows.
LIMITS: set[str] = set()

ROWS = {}


def row(name: str):
    return lambda check: ROWS.setdefault(name, check)


def new(*shape: int, requires_grad: bool = False) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, device=DEVICE, requires_grad=requires_grad)


def reference(a, b, c):
    return a * b + c


def squared(f, b, c=2.0):
    """Return a function of one tensor, with a second derivative."""
    return lambda a: f(a, b, c).square().sum()


def compiled(f):
    torch.compiler.reset()
    return torch.compile(f, fullgraph=True)


def equal(actual, expected):
    torch.testing.assert_close(actual, expected)


def refused(f, *args, match: str):
    try:
        f(*args)
    except Exception as error:  # noqa: BLE001
        assert match in str(error), error
        return f"refused: {error}".splitlines()[0]
    raise AssertionError("not refused")


@row("torch.vmap, then backward")
def _(f):
    a, b = new(3, 4, requires_grad=True), new(3, 4, requires_grad=True)

    def gradients(f):
        out = vmap(lambda a, b: f(a, b, 2.0))(a, b)
        return torch.autograd.grad(out.square().sum(), (a, b))

    equal(gradients(f), gradients(reference))


@row("torch.vmap over other dimensions")
def _(f):
    a, b = new(4, 3), new(4)
    equal(vmap(lambda a, b: f(a, b, 2.0), (1, None), 1)(a, b), a * b[:, None] + 2)


class Calls(TorchDispatchMode):
    """Counts the calls of the operator's kernels."""

    count = 0

    def __torch_dispatch__(self, op, types, args=(), keywords=None):
        self.count += op is OP
        return op(*args, **(keywords or {}))


@row("torch.vmap is one call, nested too")
def _(f):
    a, b = new(4, 3), new(5, 4)
    nested = vmap(vmap(lambda a, b: f(a, b, 2.0), (1, None)), (None, 0))
    with Calls() as calls:
        equal(nested(a, b), a.T * b[:, None] + 2)
    assert calls.count == 1, calls.count


@row("torch.func.jvp")
def _(f):
    a, b = new(4), new(4)
    equal(jvp(lambda a: f(a, b, 2.0), (a,), (torch.ones_like(a),)), (a * b + 2, b))


@row("torch.func.jacfwd")
def _(f):
    a, b = new(4), new(4)
    equal(jacfwd(lambda a: f(a, b, 2.0))(a), torch.diag(b))


@row("forward mode")
def _(f):
    a, b = new(4), new(4)
    with forward_ad.dual_level():
        out = f(forward_ad.make_dual(a, torch.ones_like(a)), b, 2.0)
        equal(forward_ad.unpack_dual(out).tangent, b)


@row("forward over reverse")
def _(f):
    a, b = new(4), new(4)
    equal(jvp(grad(squared(f, b)), (a,), (torch.ones_like(a),))[1], 2 * b * b)


@row("torch.func.grad")
def _(f):
    a, b = new(4), new(4)
    equal(grad(squared(f, b))(a), 2 * b * (a * b + 2))


@row("torch.func.vjp")
def _(f):
    a, b = new(4), new(4)
    equal(vjp(lambda a: f(a, b, 2.0), a)[1](torch.ones_like(a))[0], b)


@row("torch.func.jacrev")
def _(f):
    a, b = new(4), new(4)
    equal(jacrev(lambda a: f(a, b, 2.0))(a), torch.diag(b))


@row("torch.func.hessian")
def _(f):
    a, b = new(4), new(4)
    equal(hessian(squared(f, b))(a), torch.diag(2 * b * b))


@row("gradients of samples")
def _(f):
    a, b = new(5, 4), new(4)
    gradients = vmap(grad(lambda b, a: squared(f, b)(a)), (None, 0))(b, a)
    equal(gradients, 2 * a * (a * b + 2))


@row("torch.func.grad of what is differentiated again")
def _(f):
    a, b = new(4), new(4, requires_grad=True)
    (found,) = torch.autograd.grad(grad(squared(f, b))(a).sum(), b)
    equal(found, 2 * (a * b + 2) + 2 * a * b)


class Model(torch.nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f
        self.weight = torch.nn.Parameter(new(4))

    def forward(self, x):
        return self.f(x, self.weight, 1.0)


@row("torch.func.functional_call")
def _(f):
    model, x = Model(f), new(4)
    weights = {"weight": model.weight.detach()}
    equal(grad(lambda weights: functional_call(model, weights, (x,)).sum())(weights)["weight"], x)


@row("torch.compile of torch.func.grad")
def _(f):
    a, b = new(4), new(4)
    equal(compiled(lambda a, b: grad(squared(f, b))(a))(a, b), 2 * b * (a * b + 2))


@row("torch.compile of torch.func.jvp")
def _(f):
    a, b = new(4), new(4)

    def tangent(a, b):
        return jvp(lambda a: f(a, b, 2.0), (a,), (torch.ones_like(a),))[1]

    equal(compiled(tangent)(a, b), b)


@row("torch.compile of torch.vmap, then backward")
def _(f):
    a, b = new(3, 4, requires_grad=True), new(3, 4)
    out = compiled(lambda a, b: vmap(lambda a, b: f(a, b, 2.0))(a, b))(a, b)
    equal(torch.autograd.grad(out.sum(), a)[0], b)


@row("torch.compile of f(x, x), then backward")
def _(f):
    x = new(4, requires_grad=True)
    equal(torch.autograd.grad(compiled(lambda x: f(x, x, 2.0))(x).sum(), x)[0], 2 * x)


@row("torch.compile in training is cached")
def _(f):
    from torch._dynamo.utils import counters

    counters.clear()
    a, b = new(4, requires_grad=True), new(4)
    compiled(lambda a, b: f(a, b, 2.0).sin())(a, b).sum().backward()
    assert not counters["aot_autograd"]["autograd_cache_bypass"], counters["aot_autograd"]


def check_export(f, strict):
    model, x = Model(f), new(4)
    program = torch.export.export(model, (x,), strict=strict).module()
    out = program(x)
    equal(out, reference(x, model.weight, 1.0))
    out.sum().backward()
    equal(next(program.parameters()).grad, x)


@row("torch.export, then training")
def _(f):
    check_export(f, strict=False)


@row("strict torch.export, then training")
def _(f):
    check_export(f, strict=True)


@row("torch.export for inference keeps the operator")
def _(f):
    model, x = Model(f), new(4)
    with torch.no_grad():
        program = torch.export.export(model, (x,)).run_decompositions()
    assert [node.target for node in program.graph.nodes if node.op == "call_function"] == [OP]


@row("torch.export of wrong shapes")
def _(f):
    class Wrong(torch.nn.Module):
        def forward(self, a, b):
            return f(a, b, 1.0)

    def export():
        torch.export.export(Wrong(), (new(4), new(5)))

    return refused(export, match="muladd: b must have the shape of a, [4], but has [5]")


@row("checkpoint with MUST_SAVE")
def _(f):
    a, b, seen = new(4, requires_grad=True), new(4), []

    def policy(context, op, *args, **keywords):
        seen.append(op)
        policies = checkpoints.CheckpointPolicy
        return policies.MUST_SAVE if op is OP else policies.PREFER_RECOMPUTE

    def contexts():
        return checkpoints.create_selective_checkpoint_contexts(policy)

    def call(a, b):
        return f(a, b, 2.0).sin()

    out = checkpoints.checkpoint(call, a, b, use_reentrant=False, context_fn=contexts)
    out.sum().backward()
    assert OP in seen, seen
    equal(a.grad, b * torch.cos(a * b + 2))


@row("torch.library.register_vmap")
def _(f):
    called = []

    def rule(info, dims, a, b, c):
        called.append(True)
        return f(a.movedim(dims[0], 0), b.movedim(dims[1], 0), c), 0

    library = torch.library.Library("my_ops", "FRAGMENT")
    try:
        torch.library.register_vmap("my_ops::muladd", rule, lib=library)
    except RuntimeError as error:
        # PyTorch 2.11 takes no second rule; 2.13 does.
        if "already a kernel registered" not in str(error):
            raise
        return f"refused: {error}"
    a, b = new(3, 4), new(3, 4)
    equal(vmap(lambda a, b: f(a, b, 2.0))(a, b), a * b + 2)
    library._destroy()
    assert called


@row("a tensor on meta beside one on the CPU")
def _(f):
    return refused(
        f, new(4), new(4).to("meta"), 1.0, match=f"b must be on {new(1).device}, the device of a"
    )


@row("a tensor on the CPU beside one on meta")
def _(f):
    return refused(f, new(4).to("meta"), new(4), 1.0, match="b must be on meta, the device of a")


@row("a number that is a tensor with a gradient")
def _(f):
    if f is OP:
        return "a warning of PyTorch, which makes it a number before the operator is called"
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        refused(f, new(4), new(4), dual, match="without a gradient")
    refused(
        grad(lambda c: f(new(4), new(4), c).sum()), torch.tensor(2.0), match="without a gradient"
    )
    number = torch.tensor(2.0, requires_grad=True)
    return refused(f, new(4), new(4), number, match="c must be a number without a gradient")


@row("autocast of several dtypes, then backward")
def _(f):
    def check(f):
        a = torch.randn(4, device=DEVICE, requires_grad=True)
        b = torch.randn(4, device=DEVICE, dtype=torch.bfloat16, requires_grad=True)
        with torch.autocast(DEVICE):
            out = f(a, b, 2.0)
        equal(out, a * b + 2)
        out.sum().backward()
        equal([a.grad, b.grad], [b.float(), a.bfloat16()])

    check(f)
    check(compiled(f))


@row("one gradient needed, one computed")
def _(f):
    backward = torch.ops.my_ops._muladd_backward.default
    for call in (f, compiled(f)):
        a, b = new(4, requires_grad=True), new(4)
        equal(torch.autograd.grad(call(a, b, 2.0).sum(), a), torch.autograd.grad((a * b).sum(), a))
    grad_a, grad_b = backward(a, a, b, 2.0, True, False)
    assert grad_a is not None and grad_b is None


@row("one gradient needed, differentiated twice")
def _(f):
    def gradients(f, *args):
        out = f(*args, 2.0).square().sum()
        needed = [x for x in args if x.requires_grad]
        first = torch.autograd.grad(out, needed, create_graph=True)
        return *first, *torch.autograd.grad(sum(x.square().sum() for x in first), needed)

    a, b = new(4, requires_grad=True), new(4)
    equal(gradients(f, a, b), gradients(reference, a, b))
    equal(gradients(f, b, a), gradients(reference, b, a))


@row("one gradient needed, in the layout of its tensor")
def _(f):
    a, b = (new(2, 3, 4, 5).to(memory_format=torch.channels_last) for _ in "ab")
    for needed in (a, b):
        args = [x.detach().requires_grad_(x is needed) for x in (a, b)]
        for call in (f, compiled(f)):
            (gradient,) = torch.autograd.grad(
                call(*args, 2.0).sum(), [x for x in args if x.requires_grad]
            )
            assert gradient.stride() == needed.stride()


@row("DTensor")
def _(f):
    import my_ops.sharding  # noqa: F401
    from torch import distributed
    from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh

    if not distributed.is_initialized():
        store = distributed.HashStore()
        distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    mesh = init_device_mesh(DEVICE, (1,))
    a, b = new(4), new(4)
    out = f(*(distribute_tensor(x, mesh, [Shard(0)]) for x in (a, b)), 2.0)
    equal(out.to_local(), a * b + 2)


def copies(f, *args) -> list[str]:
    """Return the copies that a call makes, by the names of PyTorch's operators."""
    with torch.profiler.profile() as profile:
        f(*args)
    return [
        event.name for event in profile.events() if event.name in {"aten::copy_", "aten::clone"}
    ]


@row("channels_last and transposed kept, without a copy")
def _(f):
    for layout in [lambda x: x.to(memory_format=torch.channels_last), lambda x: x.transpose(0, 3)]:
        a, b = (layout(new(2, 3, 4, 5)).requires_grad_() for _ in "ab")
        out = f(a, b, 1.0)
        assert out.stride() == a.stride() == compiled(f)(a, b, 1.0).stride()
        for gradient in torch.autograd.grad(out.sum(), (a, b)):
            assert gradient.stride() == a.stride()
        # With NVRTC, the reference computes on the CPU, and its result is copied.
        if DEVICE == "cuda" or not hasattr(bindings, "OPS"):
            assert not copies(f, a.detach(), b.detach(), 1.0)


@row("tensors of several layouts")
def _(f):
    a, b = new(2, 3, 4, 5).to(memory_format=torch.channels_last), new(2, 3, 4, 5)
    equal(f(a, b, 1.0), reference(a, b, 1.0))
    assert f(a, b, 1.0).stride() == compiled(f)(a, b, 1.0).stride() == reference(a, b, 1.0).stride()


@row("torch.compile once for all sizes")
def _(f):
    from torch._dynamo.testing import CompileCounter

    torch.compiler.reset()
    counter = CompileCounter()
    call = torch.compile(lambda a, b: f(a, b, 2.0), fullgraph=True, backend=counter)
    for size in (3, 4, 7):
        a, b = new(size), new(size)
        for x in (a, b):
            torch._dynamo.mark_dynamic(x, 0)
        equal(call(a, b), a * b + 2)
    assert counter.frame_count == 1, counter.frame_count


@row("torch.compile of sizes that depend on data")
def _(f):
    a, b = new(6), new(6)
    positive, all_of_them = a > 0, torch.ones(6, dtype=torch.bool, device=DEVICE)
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        call = compiled(lambda a, b, mask, other: f(a[mask], b[mask][other[mask]], 2.0))
        equal(call(a, b, positive, all_of_them), (a * b + 2)[positive])


@row("tensors to broadcast")
def _(f):
    return refused(
        f, new(3, 4), new(4), 1.0, match="broadcast them first: torch.broadcast_tensors(a, b)"
    )


@row("a number for a tensor")
def _(f):
    return refused(f, new(4), 2.0, 1.0, match="for argument 'b' but instead found type 'float'")


class Scaled(torch.nn.Module):
    """A module with a parameter that is trained."""

    def __init__(self, f):
        super().__init__()
        self.f, self.weight = f, torch.nn.Parameter(new(4))

    def forward(self, x):
        return self.f(x, self.weight, 2.0)


@row("torch.jit.trace, saved and loaded")
def _(f):
    module, x = Scaled(f), new(3, 4)[0]
    file = io.BytesIO()
    torch.jit.save(torch.jit.trace(module, (x,)), file)
    file.seek(0)
    loaded = torch.jit.load(file)
    equal(loaded(x), x * module.weight + 2)
    equal(torch.autograd.grad(loaded(x).sum(), loaded.weight)[0], x)


@row("torch.fx.symbolic_trace")
def _(f):
    module, x = Scaled(f), new(4)
    traced = torch.fx.symbolic_trace(module)
    assert OP in [node.target for node in traced.graph.nodes], traced.code
    equal(traced(x), x * module.weight + 2)
    equal(torch.autograd.grad(traced(x).sum(), traced.weight)[0], x)


@row("make_fx of what requires a gradient")
def _(f):
    module, x = Scaled(f), new(4, requires_grad=True)
    traced = make_fx(module)(x)
    assert OP in [node.target for node in traced.graph.nodes], traced.code
    equal(traced(x), x * module.weight + 2)


@row("the profiler has its name")
def _(f):
    with torch.profiler.profile() as profile:
        f(new(4), new(4), 1.0)
    names = {event.name for event in profile.events()}
    assert names & {"my_ops::muladd", "my_ops::_muladd_forward"}, names


def said(check, f) -> str:
    """Return what came out of a row, `wrong` first if it is."""
    try:
        return check(f) or "right"
    except Exception as error:  # noqa: BLE001
        first_line = (str(error).splitlines() or [""])[0]
        return f"wrong: {type(error).__name__}: {first_line}"


def main() -> int:
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    wrong = set()
    for name, check in ROWS.items():
        for what, f in {"public": muladd, "torch.ops": OP}.items():
            found = said(check, f)
            print(f"{name:48} {what:9} {found[:120]}", flush=True)
            if found.startswith("wrong"):
                wrong.add(name)
    print(json.dumps({"wrong": sorted(wrong - LIMITS), "right": sorted(LIMITS - wrong)}))
    return int(wrong != LIMITS)


if __name__ == "__main__":
    sys.exit(main())
