{% set asked = 'in_transform' in ops | map(attribute='imports') | sum(start=[]) %}
{% set asks_first = ops | selectattr('dispatch', 'equalto', 'python') | list != []
  or full and ops | selectattr('dispatch') | list != [] %}
# By names that PyTorch does not document, and uses itself in `torch.autograd.Function` and
# `torch.library`, from 2.10 to 2.15.{{ ' A call asks for each of them, and globals are found sooner.' if asks_first }}
_transforms_active = torch._C._are_functorch_transforms_active
{% if asks_first %}
count_modes = torch._C._len_torch_dispatch_stack
_autocast_enabled = torch._C._is_any_autocast_enabled
_jit_traces = torch._C._is_tracing
{% endif %}
{% if full and ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
_grad_enabled = torch.is_grad_enabled
{% endif %}
{% if ops | selectattr('dispatch', 'equalto', 'python') | list %}

# A context in which an operator is called below the Autograd key.
below_autograd = torch._C._AutoDispatchBelowAutograd
{% endif %}
{% if asked %}


def in_transform() -> bool:
    """Whether torch.func or forward mode differentiates what is called.{{ '\n\n    A `torch.autograd.Function` that '
      'saves tensors in `forward` has no part in these, so the\n    reference is called instead: PyTorch has all '
      'derivatives of its own operators.\n    ' if ops | selectattr('dispatch') | list else '' }}"""
    return _transforms_active() or forward_ad._current_level >= 0
{% endif %}
{% if 'check_writable' in ops | map(attribute='imports') | sum(start=[]) %}


def check_writable(op: str, /, **tensors: Tensor | list[Tensor] | None) -> None:
    """Refuse a view that PyTorch negates or conjugates when it is read, before PyTorch's own copy of it fails."""
    for name, given in tensors.items():
        for x in given if isinstance(given, list) else [given]:
            if x is not None and (x.is_neg() or x.is_conj()):
                kind = "neg" if x.is_neg() else "conj"
                raise RuntimeError(
                    f"{op}: {name} is written to and must not be a view with is_{kind}() = True; "
                    f"write to the copy {name}.resolve_{kind}()"
                )
{% endif %}
{% if ops | selectattr('dispatch', 'equalto', 'python') | list %}


def is_watched() -> bool:
    """Whether a call must reach the dispatcher, where it is recorded or transformed."""
    return (
        is_dynamo_compiling()
        or _transforms_active()  # as `in_transform`, without another call
        or forward_ad._current_level >= 0
        or count_modes() > 0
        or _autocast_enabled()
        or _jit_traces()
    )
{% endif %}
{% if ops | selectattr('dispatch', 'equalto', 'cpp') | list %}
{% if full %}


def only_autograd_looks() -> bool:
    """Whether a call is recorded by autograd in reverse mode, and nobody else is at the dispatcher."""
    return _grad_enabled() and not (
        is_dynamo_compiling()
        or _transforms_active(){{ '  # as `in_transform`, without another call' if asked }}
        or forward_ad._current_level >= 0
        or count_modes() > 0
        or _autocast_enabled()
        or _jit_traces()
    )
{% endif %}
{{ '\n' if full or asked }}
# Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")


def register_gradient(op, function, reference) -> None:
    """Say what `torch.ops` runs where a gradient is needed: a `torch.autograd.Function`, or the reference."""
    arguments = op._schema.arguments
    name = op._schema.name.partition("::")[2]
    required = [x.name for x in arguments if str(x.type) == "Tensor"]

    def autograd(*args, **given):
{% if asked %}
        if in_transform():
{% else %}
        # A `torch.autograd.Function` that saves tensors in `forward` has no part in torch.func and
        # forward mode. PyTorch has all derivatives of the reference, of its own operators.
        if _transforms_active() or forward_ad._current_level >= 0:
{% endif %}
            tensors = {x.name: value for x, value in zip(arguments, args)} | given
            check_defined(name, **{x: tensors.get(x) for x in required})
            return reference(*args, **given)
        # A call has no arguments that are their defaults.
        rest = [given.get(x.name, x.default_value) for x in arguments[len(args) :]]
        return function.apply(*args, *rest)

    _registrations.impl(f"{name}_autograd", autograd, "Autograd")
{% endif %}
