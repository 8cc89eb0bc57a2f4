{% set positions = namespace(all=[]) %}
{% for arg in item.args if arg.optional %}
{% set positions.all = positions.all + [item.names.index(arg.name) | string] %}
{% endfor %}
{% set alone = positions.all | map('regex_replace', '(.+)', '(\\1,)') | list + (['(' ~ positions.all | join(', ') ~ ')'] if positions.all | length > 1 else []) %}


# What may be absent, by position; and all of it at once.
OPTIONAL = [{{ alone | join(', ') }}]


def without(positions, args):
    return [None if i in positions else x for i, x in enumerate(args)]


@pytest.mark.parametrize("positions", OPTIONAL, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_values_without(positions, dtype, device, poison):
    args = without(positions, make_args("misaligned", dtype, device))
    check({{ function }}, args)


@pytest.mark.parametrize("positions", OPTIONAL, ids=str)
def test_opcheck_without(positions, device):
    args = without(positions, make_args(device=device))
    torch.library.opcheck(OP, {{ split }})


@pytest.mark.parametrize("positions", OPTIONAL, ids=str)
def test_compile_without(positions, device):
    torch.compiler.reset()  # which else counts how often it compiled the same function
    args = without(positions, make_args(device=device))
    check(torch.compile({{ function }}, fullgraph=True), args)
