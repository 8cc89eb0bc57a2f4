

def test_refuses_a_tensor_without_rows(any_device):
    args = make_args(device=any_device)
    args[{{ item.names.index(item.first) }}] = torch.tensor(1.0, device=any_device)
    message = "{{ item.first }} must have at least one dimension"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


def test_rows_far_from_zero(device):
    """A variance that is the mean of the squares minus the square of the mean fails here."""
    args = make_args("odd", torch.float64, device)
    args[{{ item.names.index(item.first) }}] += 1e5
    check({{ function }}, args)
