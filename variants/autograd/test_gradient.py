

# ---- Gradient

BOTH = pytest.mark.parametrize(
    "function",
    [{{ item.name }}, OP],
    ids=["public", "torch.ops"],
)


def check_gradients(function, args):
    tensors = [x for x in args if isinstance(x, torch.Tensor)]
    out = function(*args)
    grad_out = torch.randn_like(out)
    actual = torch.autograd.grad(out, tensors, grad_out)
    doubles = [x.requires_grad_() if isinstance(x, torch.Tensor) else x for x in as_double(args)]
    expected = torch.autograd.grad(
        {{ item.name }}_reference(*doubles),
        [x for x in doubles if isinstance(x, torch.Tensor)],
        grad_out.double(),
    )
    for a, e, x in zip(actual, expected, tensors):
        torch.testing.assert_close(a, e.to(x.dtype))


@BOTH
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients(layout, dtype, function, device, poison):
    check_gradients(function, make_args(layout, dtype, device, requires_grad=True))


def test_gradient_of_an_expanded_grad_out(device):
    args = make_args(device=device, requires_grad=True)
    tensors = [x for x in args if isinstance(x, torch.Tensor)]
    out = {{ item.name }}(*args)
    expanded = torch.autograd.grad(out.sum(), tensors, retain_graph=True)
    contiguous = torch.autograd.grad(out, tensors, torch.ones_like(out))
    torch.testing.assert_close(expanded, contiguous)


@BOTH
@pytest.mark.parametrize("layout", ["contiguous", "transposed"])
def test_gradcheck(layout, function, device):
    args = make_args(layout, torch.float64, device, requires_grad=True)
    torch.autograd.gradcheck(function, args)
    torch.autograd.gradgradcheck(function, args)


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck_with_gradient(layout, device):
    args = make_args(layout, device=device, requires_grad=True)
    torch.library.opcheck(OP, args)
    grad_out = torch.randn_like({{ item.name }}(*args))
    backward = NAMESPACE.{{ item.name }}_backward.default
    torch.library.opcheck(backward, [grad_out, *make_args(layout, device=device)])


def test_compiled_gradients(device):
    compiled = torch.compile({{ item.name }}, fullgraph=True)
    check_gradients(compiled, make_args("transposed", device=device, requires_grad=True))
