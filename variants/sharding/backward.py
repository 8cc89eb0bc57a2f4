def register_backward(name: str, rule: Rule, results: int) -> None:
    """Register for a gradient what follows from the rule of its operator, which has so many results."""
    op = getattr(torch.ops.{{ project }}, name).default
    names = [argument.name for argument in op._schema.arguments]

    @register_sharding(op)
    def placements(*args):
        given, tensors = dict(zip(names, args)), tensors_of(op, args)
        inputs = dict(list(tensors.items())[results:])
        made = [x is not None and given.get(f"needs_{name}", True) for name, x in inputs.items()]
        found = []
        for out, placed in possible(rule, inputs):
            # Of the gradient of what each device has whole, each computes a part of the sum.
            summed = not out.is_replicate()
            grads = [Partial() if summed and p.is_replicate() else p for p in placed]
            grads = [p if is_made else None for p, is_made in zip(grads, made)]
            found.append((grads, of_given(tensors, [out] * results + placed)))
        return found
{% if gradients | selectattr('needed') | list %}

    # PyTorch keeps what it found by the tensors alone, and has no public name for what else it depends on.
    needs = [i for i, name in enumerate(names) if name.startswith("needs_")]
    info = DTensor._op_dispatcher.sharding_propagator.op_to_schema_info[op]
    info.static_argnum = min([info.static_argnum, *needs])
{% endif %}
