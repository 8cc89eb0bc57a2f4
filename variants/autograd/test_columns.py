

@BOTH
def test_gradients_are_the_same_each_time(function, device):
    args = make_args("many", device=device, requires_grad=True)
    out = function(*args)
    grad_out = torch.randn_like(out)
    first = torch.autograd.grad(out, differentiable(args), grad_out, retain_graph=True)
    second = torch.autograd.grad(out, differentiable(args), grad_out)
    for a, b in zip(first, second):
        assert torch.equal(a, b)
