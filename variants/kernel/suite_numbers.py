
    @each(position="floats")
    def test_refuses_a_number_that_requires_a_gradient(self, position, device):
        args = self.make_args(device=device)
        args[position] = torch.tensor(1.0, device=device, requires_grad=True)
        with pytest.raises(RuntimeError, match="is a number, of which no gradient is computed"):
            self.public(*args)
