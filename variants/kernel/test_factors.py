

@pytest.mark.parametrize("position", [{{ item.names.index(item.a) }}, {{ item.names.index(item.b) }}])
def test_refuses_a_batch(position, any_device):
    args = make_args(device=any_device)
    args[position] = args[position][None]
    with pytest.raises(RuntimeError, match=r"must have two dimensions, but has \[1, "):
        {{ function }}(*args)
