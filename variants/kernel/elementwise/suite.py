{% set elementwise = ops | selectattr('kernel', 'equalto', 'elementwise') | list %}
class Elementwise(Operator):
    def compare(self, out, expected):
{% if written %}
        strides = out.contiguous().stride() if self.written else torch.empty_like(expected).stride()
{% else %}
        strides = torch.empty_like(expected).stride()
{% endif %}
        assert out.stride() == strides, f"The strides are {out.stride()}, not {strides}."
        self.assert_close(out, expected)
{% if full and elementwise | selectattr('promoted') | list %}

    @property
    def masked(self):
        """The other tensors, where no argument is a list of tensors{{ ' and none is written to' if written }}."""
        lists = [x for x in self.arguments if "List[Tensor]" in str(x.type)]
        return {} if lists{{ ' or self.written' if written }} else self.others

    @only_with("masked")
    def test_compile_with_sizes_of_data(self, device):
        args = self.make_args(device=device)
        # The compiler knows a size for each mask, and not that they are the same.
        masks = [torch.tensor([True, False] * 3, device=device) for _ in args]

        def select(args):
            return [x[mask] if isinstance(x, torch.Tensor) else x for x, mask in zip(args, masks)]

        public = self.public

        def call(*args):
            return public(*select(args))

        with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
            out = compiled(call)(*args)
        expected = self.reference(*as_double(select(args)))
        with comparing(self.op, "the result", select(args)):
            torch.testing.assert_close(out, expected, check_dtype=False)
{% endif %}
{% if ops | selectattr('dtype') | list %}
{% include pathjoin('variants', 'kernel', 'elementwise', 'suite_dtype.py') %}
{% endif %}
