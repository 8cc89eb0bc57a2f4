

@pytest.mark.parametrize("position", OTHERS)
def test_autocast_computes_in_the_widest_dtype(position, device):
    args = make_args(device=device)
    args[position] = args[position].bfloat16()
    expected = {{ function }}(*args[:position], args[position].float(), *args[position + 1 :])
    with torch.autocast(device):
        torch.testing.assert_close({{ function }}(*args), expected)


@pytest.mark.parametrize("position", OTHERS)
def test_autocast_converts_no_integers(position, device):
    args = make_args(device=device)
    args[position] = args[position].int()
    with torch.autocast(device), pytest.raises(RuntimeError, match="must have the dtype"):
        {{ function }}(*args)
