_op_in_cpp = in_cpp(_op)


def _run({{ item.parameters }}) -> {{ item.op_result }}:
    """Run the operator, a tenth of a call sooner where torch.compile does not trace it."""
    if is_dynamo_compiling():
        return _op({{ item.pass_on }})
    return _op_in_cpp({{ item.pass_on }})


