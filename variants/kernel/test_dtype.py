

@pytest.mark.parametrize("out_dtype", DTYPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", ["large", "large_misaligned"])
def test_dtype_of_the_result(layout, dtype, out_dtype, device, poison):
    args = make_args(layout, dtype, device)
    args[{{ item.names.index(item.dtype) }}] = out_dtype
    # The kernel computes in this one, or rounds to the other.
    computed = torch.promote_types(dtype, torch.float32)
    coarser = min([computed, out_dtype], key=lambda dtype: torch.finfo(dtype).bits)
    expected = {{ reference }}(*as_double(args))
    out = {{ function }}(*args)
    for x, value in zip({{ '[out], [expected]' if single else 'outputs(args, out)[%d:], expected[%d:]' % (item.written | length, item.written | length) }}):
        assert x.dtype == out_dtype
        torch.testing.assert_close(x.to(coarser), value.to(coarser))


def test_refuses_another_dtype_of_the_result(any_device):
    args = make_args(device=any_device)
    args[{{ item.names.index(item.dtype) }}] = torch.int32
    message = "{{ item.dtype }} must have dtype Float, .* has Int"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)
