

class Calls(TorchDispatchMode):
    """Counts the calls of kernels."""

    count = 0

    def __torch_dispatch__(self, op, types, args=(), keywords=None):
        self.count += op is OP
        return op(*args, **(keywords or {}))


@pytest.mark.skipif("{{ item.name }}" not in BATCHED, reason="PyTorch calls it for each sample")
@pytest.mark.parametrize("count", [None, 1], ids=["all", "one"])
def test_vmap_of_tensors_is_one_call(count, device):
    args = make_args(device=device)
    batched = [i for i, x in enumerate(args) if isinstance(x, torch.Tensor)][:count]
    dims = tuple(1 if i in batched else None for i in range(len(args)))
    batch = [torch.stack([x, 2 * x], 1) if i in batched else x for i, x in enumerate(args)]
    with Calls() as calls:
        out = torch.vmap({{ function }}, dims)(*batch)
    assert calls.count == 1
    reference = torch.vmap({{ reference }}, dims)
    torch.testing.assert_close(out, reference(*as_double(batch)), check_dtype=False)
