class WithoutGradient(Operator):
    """An operator that refuses to be differentiated."""
{% if full and autograd == 'none' %}
{% include pathjoin('variants', 'kernel', 'suite_numbers.py') %}
{% endif %}

    def test_refuses_to_differentiate(self, device):
        args = self.make_args(device=device)
        args[self.first].requires_grad_()
        name = self.arguments[self.first].name
        with pytest.raises(RuntimeError, match=f"{name} requires a gradient"):
            self.public(*args)
        with torch.no_grad():
            self.check(self.public, args)
