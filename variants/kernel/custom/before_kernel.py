{% set sized = ops | selectattr('sized') | list %}
{% set absent = ops | map(attribute='absent') | sum(start=[]) %}
{% set written_lists = ops | selectattr('lists') | map(attribute='written') | sum(start=[]) | selectattr('list')
  | list %}
# Registrations last as long as this object.
_before_kernels = torch.library.Library("{{ project }}", "IMPL")
_BELOW = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)


def before_kernel(
    op: torch._ops.OpOverload,
    name: str,
    adds_atomically: bool,
{% if build != 'nvrtc' %}
    has_cpu_kernel: bool,
    fake: Callable[..., object],
    reference: Callable[..., object],
{% if sized %}
    sized: str = "",
{% endif %}
{% endif %}
) -> None:
    """Do before each call of an operator what its module says of the kernel, in compiled code too.

    Args:
        op: The operator.
        name: What its users call it: `op` may be the operator behind it.
        adds_atomically: Under `torch.use_deterministic_algorithms`, it is refused or warned of, as
            PyTorch does with its own.
{% if build != 'nvrtc' %}
        has_cpu_kernel: Without one, its results on the CPU are those of the reference.
        fake: Its fake, which makes the results.
        reference: Its reference.
{% if sized %}
        sized: The size that only the kernel knows, if there is one: how many rows there are.
{% endif %}
{% endif %}
    """

    def run(keys, *args, **keywords):
        if adds_atomically and torch.are_deterministic_algorithms_enabled():
            message = f"{op.namespace}::{name} does not have a deterministic implementation: {{
              'its threads add up in any order' }}"
            if not torch.is_deterministic_algorithms_warn_only_enabled():
                raise RuntimeError(f"{message}. torch.use_deterministic_algorithms(True, warn_only=True) warns of it")
            warnings.warn(message, stacklevel=2)
{% if build == 'nvrtc' %}
        return op.redispatch(keys & _BELOW, *args, **keywords)
{% else %}
        if has_cpu_kernel or not keys.has(torch._C.DispatchKey.CPU):
            return op.redispatch(keys & _BELOW, *args, **keywords)
{% if sized %}
        returned = fake(*args, **keywords, **({sized: 0} if sized else {}))
{% else %}
        returned = fake(*args, **keywords)
{% endif %}
        given = signature(fake).bind(*args, **keywords).arguments
        written = [given.get(x.name) for x in op._schema.arguments if x.alias_info]
        outputs = {{ '_flat(written)' if written_lists else 'written' }} + _as_list(returned)
        with torch.autocast("cpu", enabled=False):  # in the dtypes of a kernel
            values = {{ '_flat(_as_list(reference(*args, **keywords)))' if written_lists
              else '_as_list(reference(*args, **keywords))' }}
{% if absent %}
        outputs, values = ([x for x in tensors if x is not None] for tensors in (outputs, values))
{% endif %}
        for out, value in zip(outputs, values, strict=True):
{% if sized %}
            if sized and out.numel() == 0:
                out.resize_(len(value), *out.shape[1:])
{% endif %}
            out.copy_(value)
        return returned
{% endif %}

    _before_kernels.impl(op, run, "BackendSelect", with_keyset=True)
{% if build != 'nvrtc' %}


def _as_list(tensors) -> list[Tensor]:
    return [] if tensors is None else [tensors] if isinstance(tensors, Tensor) else list(tensors)
{% if written_lists %}


def _flat(tensors) -> list[Tensor]:
    return [y for x in tensors for y in (x if isinstance(x, list) else [x])]
{% endif %}
{% endif %}
