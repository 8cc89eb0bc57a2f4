{% set at = item.returned.index(item.results[0]) %}
{% set outs = 'function(*args)' if not item.wrapped else 'function(*args)[%d:]' % at %}
{% set outs = '[function(*args)]' if item.returned | length == 1 else outs %}
{% set reference_outs = '[%s(*doubles)]' % reference if single else '%s(*doubles)%s' % (reference, '[%d:]' % item.written | length if item.written else '') %}
{% set formula = item.formula_args | map(attribute='name') | list %}


# ---- Gradient

BOTH = pytest.mark.parametrize(
    "function",
    [{{ function }}{{ '' if item.wrapped else ', ' ~ op }}],
    ids=["public"{{ '' if item.wrapped else ', "torch.ops"' }}],
)


{% if item.needed %}
NEEDED = {{ [True] * item.needed | length }}  # all gradients


{% endif %}
def differentiable(args):
    return [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]


def as_differentiable_double(args):
    doubles = as_double(args)
    for x, double in zip(args, doubles):
        if isinstance(x, torch.Tensor):
            double.requires_grad_(x.requires_grad)
    return doubles


def check_gradients(function, args):
    outs = {{ outs }}
    grad_outs = [torch.randn_like(out) for out in outs]
    actual = torch.autograd.grad(outs, differentiable(args), grad_outs)
    doubles = as_differentiable_double(args)
    expected = torch.autograd.grad(
        {{ reference_outs }},
        differentiable(doubles),
        [grad_out.double() for grad_out in grad_outs],
    )
    for x, a, e in zip(differentiable(args), actual, expected):
{% if 'columns' in item.gradient_features %}
        # The error of a sum is that of the largest that it went through, and the sum of a long row may end
        # near zero. So all is divided by a power of two near it, which is exact.
        least = max(1, e.shape[-1] ** 0.5 / 2)
        scale = 2 ** e.abs().max().clamp(min=least).log2().floor() if e.numel() else 1
        a, e = a / scale, e / scale
{% endif %}
        torch.testing.assert_close(a, e.to(x.dtype){{ item.tolerance | default('') }})


@BOTH
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients(layout, dtype, function, device, poison):
    check_gradients(function, make_args(layout, dtype, device, requires_grad=True))


@BOTH
def test_gradient_of_an_expanded_grad_out(function, device):
    args = make_args(device=device, requires_grad=True)
    outs = {{ outs }}
    total = sum(out.sum() for out in outs)
    expanded = torch.autograd.grad(total, differentiable(args), retain_graph=True)
    ones = [torch.ones_like(out) for out in outs]
    contiguous = torch.autograd.grad(outs, differentiable(args), ones)
    torch.testing.assert_close(expanded, contiguous)


@BOTH
@pytest.mark.parametrize("layout", ["contiguous", "transposed"])
def test_gradcheck(layout, function, device):
    args = make_args(layout, torch.float64, device, requires_grad=True)
    torch.autograd.gradcheck(function, args)
    # Second derivatives are the reference's: if this alone fails, it is the reference, or PyTorch.
    torch.autograd.gradgradcheck(function, args)


BACKWARD = NAMESPACE.{{ item.name }}_backward.default


def backward_args(layout, device):
    function = {{ function }}
    args = make_args(layout, device=device)
    grad_outs = [torch.randn_like(out) for out in {{ outs }}]
{% if formula != item.names %}
    # Those that the gradient depends on.
    args = [args[i] for i in {{ item.formula_positions }}]
{% endif %}
    return [*grad_outs, *args]


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck_with_gradient(layout, device):
    args = make_args(layout, device=device, requires_grad=True)
    torch.library.opcheck(OP, {{ split }})
    torch.library.opcheck(BACKWARD, {{ '[*backward_args(layout, device), *NEEDED]' if item.needed else 'backward_args(layout, device)' }})


def test_compiled_gradients(device):
    compiled = torch.compile({{ function }}, fullgraph=True)
    check_gradients(compiled, make_args("transposed", device=device, requires_grad=True))
{% for feature in item.gradient_features %}
{% include pathjoin('variants', 'autograd', 'test_' ~ feature ~ '.py') %}
{% endfor %}
