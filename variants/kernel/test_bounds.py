{% set low, high = item.names.index(item.bounds[0]), item.names.index(item.bounds[1]) %}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", ["large", "large_misaligned", "larger", "zero_dimensional"])
def test_bounds_of_the_volume(layout, dtype, device):
    args = make_args(layout, dtype, device)
    voxels = args[{{ item.names.index(item.first) }}].to(torch.float64)
    args[{{ low }}], args[{{ high }}] = voxels.min().item(), voxels.max().item()
    expected = {{ function }}(*args)
    args[{{ low }}] = args[{{ high }}] = None
    torch.testing.assert_close({{ function }}(*args), expected, rtol=0, atol=0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_equal_bounds(dtype, device):
    args = make_args("large", dtype, device)
    args[{{ low }}] = args[{{ high }}] = args[{{ item.names.index(item.first) }}][0].item()
    check({{ function }}, args)


@pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf], ids=str)
def test_what_is_no_finite_number(number, device):
    args = make_args("large", device=device)
    args[{{ item.names.index(item.first) }}][[0, 31, 4000, -1]] = number
    for bounds in ([args[{{ low }}], args[{{ high }}]], [None, None]):
        args[{{ low }}], args[{{ high }}] = bounds
        expected = {{ reference }}(*as_double(args))
        torch.testing.assert_close({{ function }}(*args), expected, equal_nan=True)
