

@pytest.mark.parametrize("position", OTHERS)
def test_autocast_computes_in_its_dtype(position, device):
    dtype = torch.get_autocast_dtype(device)
    args = make_args(device=device)
    lowered = [x.to(dtype) if isinstance(x, torch.Tensor) else x for x in args]
    expected = {{ function }}(*lowered)
    args[position] = lowered[position]
    with torch.autocast(device):
        out = {{ function }}(*args)
    assert out.dtype == dtype
    torch.testing.assert_close(out, expected)


def test_autocast_leaves_double(device):
    args = make_args(dtype=torch.float64, device=device)
    with torch.autocast(device):
        out = {{ function }}(*args)
    assert out.dtype == torch.float64
