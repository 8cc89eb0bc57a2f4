

# What is written to, by position.
WRITTEN = {
{%- for arg in item.written -%}
{{ item.names.index(arg.name) }}: "{{ arg.name }}"{{ '' if loop.last else ', ' }}
{%- endfor -%}
}


@pytest.mark.parametrize("position", WRITTEN)
def test_refuses_to_write_to_strided_memory(position, device):
    args = [x.t() if isinstance(x, torch.Tensor) else x for x in make_args(device=device)]
    args = [x.contiguous() if isinstance(x, torch.Tensor) else x for x in args]
    args[position] = args[position].t().contiguous().t()
    message = rf"{WRITTEN[position]} is written to and must be contiguous, .* strides \[1, 5\]"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


{% if tensors | length > 1 %}
@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("position", WRITTEN)
def test_refuses_shared_memory(position, shift, device):
    args = make_args(device=device)
    memory = torch.randn(31, device=device)
    other = next(i for i, x in enumerate(args) if isinstance(x, torch.Tensor) and i != position)
    args[position] = memory[:30].view(6, 5)
    args[other] = memory[shift : shift + 30].view(6, 5)
    with pytest.raises(RuntimeError, match="is written to and must not share memory"):
        {{ function }}(*args)


{% endif %}
@pytest.mark.parametrize("position", WRITTEN)
def test_autograd_knows_what_is_written(position, device):
    args = make_args(device=device)
    version = args[position]._version
    {{ function }}(*args)
    assert args[position]._version > version
    {{ op }}(*args)
    assert args[position]._version > version + 1


@pytest.mark.parametrize("position", WRITTEN)
def test_refuses_to_write_to_what_requires_a_gradient(position, device):
    args = make_args(device=device)
    args[position].requires_grad_()
    with pytest.raises(RuntimeError, match=f"{WRITTEN[position]} .* gradient"):
        {{ function }}(*args)
    with torch.no_grad():
        check({{ function }}, args)


def test_compiled_code_sees_what_is_written(device):
    def function(*args):
        before = [args[position] * 2 for position in WRITTEN]
        {{ function }}(*args)
        return before, [args[position] * 2 for position in WRITTEN]

    args = make_args(device=device)
    expected = [args[position] * 2 for position in WRITTEN]
    before, after = torch.compile(function, fullgraph=True)(*args)
    torch.testing.assert_close(before, expected)
    torch.testing.assert_close(after, [args[position] * 2 for position in WRITTEN])
    assert not any(torch.equal(x, y) for x, y in zip(before, after))
