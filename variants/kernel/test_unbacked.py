

def test_sizes_that_depend_on_data(device):
    args = make_args(device=device)
    # The compiler knows a size for each mask, and not that they are the same.
    masks = [torch.tensor([True, False] * 3, device=device) for _ in args]

    def select(args):
        return [x[mask] if isinstance(x, torch.Tensor) else x for x, mask in zip(args, masks)]

    def call(*args):
        return {{ function }}(*select(args))

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        out = torch.compile(call, fullgraph=True)(*args)
    expected = {{ reference }}(*as_double(select(args)))
    torch.testing.assert_close(out, expected, check_dtype=False)
