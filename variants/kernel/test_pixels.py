

@pytest.mark.parametrize("shape", [(), (4, CHANNELS_IN + 1)], ids=str)
def test_refuses_other_channels(shape, any_device):
    args = make_args(device=any_device)
    args[{{ item.names.index(item.first) }}] = torch.ones(shape, device=any_device)
    message = rf"{{ item.first }} must have {CHANNELS_IN} channels"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


def test_rounds_as_the_reference(device):
    args = make_args("large", torch.uint8, device)
    expected = {{ reference }}(*args)
    out = {{ function }}(*args)
    assert out.dtype == expected.dtype == torch.uint8
    # Where a value is all but half of an integer, the order of the sum decides.
    difference = out.int() - expected.int()
    assert difference.abs().max() <= 1 and (difference != 0).double().mean() < 0.01
