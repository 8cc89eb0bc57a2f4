

@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck_without_gradient(layout, device):
    forward = NAMESPACE.{{ item.name }}_forward.default
    args = make_args(layout, device=device)
    torch.library.opcheck(forward, {{ split }})
{% include pathjoin('variants', 'autograd', 'test_transforms.py') %}
