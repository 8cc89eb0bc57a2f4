

@BOTH
@pytest.mark.parametrize("positions", OPTIONAL, ids=str)
def test_gradients_without(positions, function, device):
    args = make_args(device=device, dtype=torch.float64, requires_grad=True)
    args = without(positions, args)
    check_gradients(function, args)
    torch.autograd.gradcheck(function, args)
    # Second derivatives are the reference's: if this alone fails, it is the reference, or PyTorch.
    torch.autograd.gradgradcheck(function, args)
