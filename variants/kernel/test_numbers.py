

@pytest.mark.parametrize("position", {{ item.float_numbers | map(attribute='position') | list }})
def test_refuses_a_number_that_requires_a_gradient(position, device):
    args = make_args(device=device)
    args[position] = torch.tensor(1.0, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="is a number, of which no gradient is computed"):
        {{ function }}(*args)
