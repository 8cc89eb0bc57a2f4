# The operator without its gradient, for calls that none of PyTorch's transforms has a part in.
_forward_op = _namespace.{{ item.name }}_forward.default
torch.library.register_fake(_forward_op)(_fake)


def _run({{ item.parameters }}) -> {{ item.op_result }}:
    """Run the kernel, as the operator itself where a mode, such as a checkpoint's, looks."""
    if not count_modes():
        return _forward_op({{ item.pass_on }})
    with below_autograd():
        return _op({{ item.pass_on }})


