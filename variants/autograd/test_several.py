

@BOTH
@pytest.mark.parametrize("used", range({{ item.results | length }}))
def test_gradient_of_one_result(used, function, device):
    args = make_args(device=device, requires_grad=True)
    outs = {{ outs }}
    out = outs[used]
    grad_out = torch.randn_like(out)
    actual = torch.autograd.grad(out, differentiable(args), grad_out)
    doubles = as_differentiable_double(args)
    outs = {{ reference_outs }}
    expected = torch.autograd.grad(outs[used], differentiable(doubles), grad_out.double())
    for a, e in zip(actual, expected):
        torch.testing.assert_close(a, e.to(a.dtype))
