def gradients(reference: Callable[..., Any], call: Call, given: BoundArguments) -> tuple[Any, ...]:
    """Return what a gradient's kernel would write, by the gradient of the reference."""
    parameters = signature(reference).parameters
    tensors = {name: x for name, x in given.arguments.items() if isinstance(x, Tensor)}
    grads = tuple(x for name, x in tensors.items() if name not in parameters)
    values = {name: x for name, x in given.arguments.items() if name in parameters}
{% if partial %}
    # The gradient has no use for the others. The dtype that it has a use for is the tensors'.
    for name, parameter in parameters.items():
        other = call.first.dtype if parameter.annotation is torch.dtype else None
        values.setdefault(name, other)
{% endif %}
    needed = {name: x for name, x in tensors.items() if name in parameters}
{% if gradients | selectattr('needed') | list %}
    needed = {name: x for name, x in needed.items() if given.arguments.get(f"needs_{name}", True)}
{% endif %}

    def results(needed):
        found = reference(**(values | needed))
        return found[-len(grads) :] if isinstance(found, tuple) else (found,)

    def vjp():
        return torch.func.vjp(results, needed)[1](grads)[0]

    # PyTorch calls an operator's kernel with autograd switched off in this thread.
    with ThreadPoolExecutor(1) as other_thread:
        found = iter(other_thread.submit(vjp).result().values())
    return tuple({{ 'None if out is None else ' if absent }}next(found) for out in call.outputs)
