EXPLAINED = set()  # the differences that a failure said all about


def described(x):
    """Return dtype, shape, strides and device of a tensor, and any other argument as it is."""
{% if ops | selectattr('lists') | list %}
    if isinstance(x, list):
        return f"[{', '.join(map(described, x))}]"
{% endif %}
    if not isinstance(x, torch.Tensor):
        return repr(x)
    strides = "" if x.is_contiguous() else f" of strides {list(x.stride())}"
    device = "" if x.is_cpu else f" on {x.device}"
    return f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}{strides}{device}"


@contextmanager
def comparing(op, what, args, source, reference):
    """Fail in three lines: what differs, in which files; where most; of which arguments.

    The same once more is one line.
    """
    try:
        yield
    except {{ '(AssertionError, GradcheckError)' if gradients else 'AssertionError' }} as error:
        name = op._schema.name.partition("::")[2]
        found = [line for line in str(error).splitlines() if line]
        begins = ("Greatest absolute", "Mismatched", "The failure occurred for")
        most = [line for line in found if line.startswith(begins)]
        given = [f"{x.name} = {described(y)}" for x, y in zip(op._schema.arguments, args)]
        lines = [
            f"{name}: {what} differs between {source} and {reference}",
            "; ".join(most or found[:1]),
            "with " + ", ".join(given),
        ]
        message = lines[0] if (name, what) in EXPLAINED else "\n".join(lines)
        EXPLAINED.add((name, what))
        raise pytest.fail.Exception(message, pytrace=False) from None
