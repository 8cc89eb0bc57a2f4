class WithColumns(Operator):
    """An operator whose gradients of columns are added up, over rows."""

    def compare_gradient(self, grad, expected):
        scale = scale_of_sums(expected)
        self.assert_close(grad / scale, expected / scale)

    @only_with("backward")
    @each(function="functions")
    def test_gradients_are_the_same_each_time(self, function, device):
        args = self.make_args("many", device=device, requires_grad=True)
        out = function(*args)
        grad_out = torch.randn_like(out)
        first = torch.autograd.grad(out, differentiable(args), grad_out, retain_graph=True)
        second = torch.autograd.grad(out, differentiable(args), grad_out)
        for a, b in zip(first, second):
            assert torch.equal(a, b)
