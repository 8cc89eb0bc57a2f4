

def test_refuses_to_differentiate(device):
    args = make_args(device=device)
    args[{{ item.names.index(item.first) }}].requires_grad_()
    with pytest.raises(RuntimeError, match="{{ item.first }} requires a gradient"):
        {{ function }}(*args)
    with torch.no_grad():
        check({{ function }}, args)
