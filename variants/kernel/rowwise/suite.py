class Rowwise({{ 'WithColumns' if gradients else 'Operator' }}):
    def compare(self, out, expected):
        assert out.is_contiguous(), f"The strides are {out.stride()}."
        scale = scale_of_sums(expected)
        self.assert_close(out / scale, expected / scale)

    def test_refuses_a_tensor_without_rows(self, any_device):
        args = self.make_args(device=any_device)
        args[self.first] = torch.tensor(1.0, device=any_device)
        name = self.arguments[self.first].name
        with pytest.raises(RuntimeError, match=f"{name} must have at least one dimension"):
            self.public(*args)

    def test_rows_far_from_zero(self, device):
        """A variance that is the mean of the squares minus the square of the mean fails here."""
        args = self.make_args("odd", torch.float64, device)
        args[self.first] += 1e5
        self.check(self.public, args)
