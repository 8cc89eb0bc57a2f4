_unwritten_op = _namespace.{{ item.name }}_unwritten.default
torch.library.register_fake(_unwritten_op)(_fake)


def _run({{ item.parameters }}) -> {{ item.op_result }}:
    # torch.compile takes no operator that writes where that has nothing to write to (PyTorch 2.15).
    unwritten = {{ item.written | map(attribute='name') | map('regex_replace', '$', ' is None') | join(' and ') }}
    op = _unwritten_op if unwritten else _forward_op
    return op({{ item.pass_on }})
