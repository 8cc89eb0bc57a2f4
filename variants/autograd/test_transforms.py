

# ---- Transforms of PyTorch. `f` is a function of the differentiable tensors alone, and returns one.

TANGENT = 0.5


def vjp(f, tensors):
    out, pull_back = torch.func.vjp(f, *tensors)
    return pull_back(torch.full_like(out, TANGENT))


def jvp(f, tensors):
    tangents = tuple(torch.full_like(x, TANGENT) for x in tensors)
    return torch.func.jvp(f, tuple(tensors), tangents)


def forward_mode(f, tensors):
    mode = torch.autograd.forward_ad
    with mode.dual_level():
        duals = [mode.make_dual(x, torch.full_like(x, TANGENT)) for x in tensors]
        return mode.unpack_dual(f(*duals)).tangent


def forward_over_reverse(f, tensors):
    gradient = torch.func.grad(lambda *tensors: f(*tensors).square().sum())
    return jvp(gradient, tensors)


{% if not item.tensor_lists %}
def vmap_then_backward(f, tensors):
    batches = [torch.stack([x, x + 1]).requires_grad_() for x in tensors]
    out = torch.vmap(f)(*batches)
    return torch.autograd.grad(out.square().sum(), batches)


{% endif %}
def gradients_of_samples(f, tensors):
    batches = [torch.stack([x, x + 1]) for x in tensors]
    return torch.vmap(torch.func.grad(lambda *tensors: f(*tensors).square().sum()))(*batches)


def compiled(f, tensors):
    torch.compiler.reset()
    return torch.compile(vjp, fullgraph=True)(f, tensors)


TRANSFORMS = [
    vjp,
    jvp,
    forward_mode,
    forward_over_reverse,
{% if not item.tensor_lists %}
    vmap_then_backward,
{% endif %}
    gradients_of_samples,
    compiled,
]


@BOTH
@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_transforms(transform, function, device):
    args = make_args(dtype=torch.float64, device=device, requires_grad=True)
    tensors = [x.detach() for x in differentiable(args)]

    def with_tensors(function):
        def f(*tensors):
            rest = iter(tensors)
            given = [next(rest) if getattr(x, "requires_grad", False) else x for x in args]
            return {{ 'function(*given)' if single else 'sum(function(*given))' }}

        return f

    actual = transform(with_tensors(function), tensors)
    expected = transform(with_tensors({{ reference }}), tensors)
    torch.testing.assert_close(actual, expected)
