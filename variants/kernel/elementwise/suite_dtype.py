
    # ---- The dtype of the results

    @property
    def result_dtype(self):
        """The position of the argument that says it, in a list."""
        return list(self.of_type("ScalarType").values()) if self.op._schema.returns else []

    @only_with("result_dtype")
    @each(dtype="dtypes", out_dtype="dtypes")
    @pytest.mark.parametrize("layout", ["large", "large_misaligned"])
    def test_dtype_of_the_result(self, layout, dtype, out_dtype, device, poison):
        args = self.make_args(layout, dtype, device)
        args[self.result_dtype[0]] = out_dtype
        # The kernel computes in this one, or rounds to the other.
        computed = torch.promote_types(dtype, torch.float32)
        coarser = min([computed, out_dtype], key=lambda dtype: torch.finfo(dtype).bits)
        count = len(self.op._schema.returns)
        expected = as_list(self.reference(*as_double(args)))[-count:]
        for x, value in zip(as_list(self.public(*args))[-count:], expected):
            assert x.dtype == out_dtype
            torch.testing.assert_close(x.to(coarser), value.to(coarser))
{% if full %}

    @only_with("result_dtype")
    def test_refuses_another_dtype_of_the_result(self, any_device):
        args = self.make_args(device=any_device)
        position = self.result_dtype[0]
        args[position] = torch.int32
        name = self.arguments[position].name
        with pytest.raises(RuntimeError, match=f"{name} must have dtype Float, .* has Int"):
            self.public(*args)
{% endif %}
