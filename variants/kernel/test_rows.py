

def test_refuses_a_tensor_without_rows(device):
    args = make_args(device=device)
    args[{{ item.names.index(item.first) }}] = torch.tensor(1.0, device=device)
    message = "{{ item.first }} must have at least one dimension"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)
