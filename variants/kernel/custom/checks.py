{% if ops | selectattr('of_reference') | map(attribute='absent') | sum(start=[]) %}
def without_none(*tensors: Tensor | None) -> tuple[Tensor, ...]:
    return tuple(x for x in tensors if x is not None)


{% endif %}
{% if 'quotient' in ops | map(attribute='checks') | sum(start=[]) %}
def quotient(a: int, b: int) -> int:
    """Return the size N where a dimension of `a` elements is N * b, which is checked afterwards."""
    return a // b if b != 0 else 0


{% endif %}
{% set listed = ops | selectattr('lists') | list %}
{% if listed %}
def check_not_empty(op: str, name: str, tensors: list[Tensor]) -> None:
    if isinstance(tensors, list | tuple) and not tensors:
        raise RuntimeError(f"{op}: {name} must have at least one tensor")


def each_of(name: str, tensors: list[Tensor]) -> dict[str, Tensor]:
    """Return the tensors of a list by what messages call them."""
    return {f"{name}[{i}]": tensor for i, tensor in enumerate(tensors)}


{% endif %}
class Checks:
    """Checks an operator's tensors: device, dtype, shape. A shape is as the signature has it.

    A size is a number, a name, or a name with its value.
    """

    def __init__(self, op: str, first: str, tensor: Tensor) -> None:
        self.op, self.first, self.device = op, first, tensor.device

    def __call__(self, name: str, tensor: Tensor, dtypes, shape=None, leading=None) -> None:
        if tensor.device != self.device:
            what = f"be on {self.device} as {self.first} is, but is on {tensor.device}"
            raise RuntimeError(f"{self.op}: {name} must {what}")
        dtypes = dtypes if isinstance(dtypes, list) else [dtypes] if dtypes else [tensor.dtype]
        if tensor.dtype not in dtypes:
            expected = " or ".join(dtype_name(tensor.new_empty(0, dtype=x)) for x in dtypes)
            what = f"have dtype {expected}, but has {dtype_name(tensor)}"
            raise RuntimeError(f"{self.op}: {name} must {what}")
        for x in shape or []:
            if isinstance(x, tuple):
                self.size(*x)
        if shape is not None and not self._fits(tensor.shape, shape, leading):
            texts = [x[0] if isinstance(x, tuple) else str(x) for x in shape]
            values = [f"{x[0]} = {x[1]}" for x in shape if isinstance(x, tuple)]
            if leading is not None:
                values = [f"... = {list(leading)}", *values]
            known = f" with {', '.join(values)}" if values else ""
            what = f"have the shape [{', '.join(texts)}]{known}, but has {list(tensor.shape)}"
            raise RuntimeError(f"{self.op}: {name} must {what}")

{% if listed %}
    def each(self, name: str, tensors: list[Tensor], *expected) -> None:
        """Check the tensors of a list."""
        for one, tensor in each_of(name, tensors).items():
            self(one, tensor, *expected)

{% endif %}
    def size(self, text: str, value: int) -> int:
        """Return the value of a size that is computed, which is 0 or more; one that is symbolic may be any."""
        if isinstance(value, int) and value > 2**63 - 1:
            raise RuntimeError(f"{self.op}: a size of the signature is too large: {text}")
        if isinstance(value, int) and value < 0:
            raise RuntimeError(f"{self.op}: a size of the signature is negative: {text} = {value}")
        return value

    def _fits(self, sizes, shape, leading) -> bool:
        named = [x for x in shape if x != "..."]
        before = len(sizes) - len(named)
        if before < 0 or (before > 0 and "..." not in shape):
            return False
        if leading is not None:
            if before != len(leading):
                return False
            named, before = [*leading, *named], 0
        values = [x[1] if isinstance(x, tuple) else x for x in named]
        return all(
            isinstance(x, str) or is_size(size, x) for size, x in zip(sizes[before:], values)
        )
