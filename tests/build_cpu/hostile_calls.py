"""Calls operators of `my_ops` with hostile arguments and reports memory that a call should not have written.

Runs in a project whose library has the address and undefined behaviour sanitizers, see test_sanitizers.py. Arguments are
the number of calls and the seed.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

import my_ops
import torch
from torch.utils._python_dispatch import TorchDispatchMode

INTS = [0, 1, -1, 2, 3, -7, 100, 2**31 - 1, 2**31, -(2**31), 2**32 + 1]
INTS += [2**62, 2**62 + 1, 2**63 - 1, -(2**62), -(2**63), -(2**63) + 1]
FLOATS = [0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 1e-320, float("inf"), float("-inf"), float("nan")]
SMALL = [0, 1, 2, 3, 5, 8, 17, 33]
SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 65, 1000]
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32]
DTYPES += [torch.uint8, torch.bool, torch.complex64]


def rows(*shape, dtype=torch.float32):
    return torch.rand(shape, dtype=torch.float64).to(dtype)


# Arguments that each operator accepts. Hostile arguments are derived from them.
ACCEPTED = {
    "muladd": lambda d, n, m: [rows(n, m), rows(n, m), 0.5],
    "rmsnorm": lambda d, n, m: [rows(n, m), rows(m), 1e-6],
    "entropy": lambda d, n, m: [rows(n, m), torch.zeros(n, dtype=torch.int64)],
    "linear": lambda d, n, m: [rows(n, m), rows(m, 7), rows(7), 0.5],
    "gray": lambda d, n, m: [rows(2, n, m, 3)],
    "normalize": lambda d, n, m: [rows(1, 2, 3, n, m), None, 0.5, 3],
    "grown": lambda d, n, m: [rows(n), m],
    "windows": lambda d, n, m: [rows(n, m), 1, 2],
    "scattered": lambda d, n, m: [
        rows(5, m),
        torch.zeros(n, dtype=torch.int64),
        rows(n, m),
        3,
        0.5,
    ],
    "joined": lambda d, n, m: [
        [rows(3, m) for _ in range(d.randrange(1, 65))],
        torch.zeros(n, dtype=torch.int64),
        None,
    ],
    "kept": lambda d, n, m: [rows(n, 4), 0.5],
}


def layout_of(draw, x: torch.Tensor) -> torch.Tensor:
    """Return a tensor of the same shape and dtype, with strides, an offset or overlaps of its own."""
    kind = draw.randrange(7)
    if kind == 0 and x.dim() > 1:
        return x.transpose(0, -1).contiguous().transpose(0, -1)
    if kind == 1:
        return torch.empty(x.numel() + 3, dtype=x.dtype)[3:].view(x.shape).copy_(x)
    if kind == 2 and x.dim():
        return torch.empty(*x.shape[:-1], 2 * x.shape[-1], dtype=x.dtype)[..., ::2].copy_(x)
    if kind == 3:
        return torch.ones((), dtype=x.dtype).expand(x.shape)
    if kind == 4 and x.dim() > 1:  # rows that overlap
        strides = [draw.randrange(4) for _ in x.shape]
        room = 1 + sum(s * max(n - 1, 0) for s, n in zip(strides, x.shape, strict=True))
        return torch.ones(room, dtype=x.dtype).as_strided(x.shape, strides)
    if kind == 5 and x.dim() == 4:
        return x.to(memory_format=torch.channels_last)
    return x


def tensor_of(draw, x: torch.Tensor, others: list[torch.Tensor]) -> torch.Tensor | None:
    """Return another tensor in place of one that is accepted."""
    kind = draw.randrange(10)
    if kind == 0:
        shape = [draw.choice(SIZES) for _ in range(draw.randrange(6))]
        while torch.Size(shape).numel() > 20_000:
            shape[draw.randrange(len(shape))] = draw.choice([0, 1, 2])
        return torch.ones(shape, dtype=x.dtype)
    if kind == 1:
        return x.to(draw.choice(DTYPES))
    if kind == 2 and x.dim():
        return x.narrow(draw.randrange(x.dim()), 0, 0)
    if kind == 3:
        return draw.choice(others)  # the same memory twice
    if kind == 4:
        return draw.choice([None, x.to("meta"), x.to_sparse() if x.dim() else x])
    if kind == 5 and x.dtype == torch.int64:
        return torch.full_like(x, draw.choice(INTS))
    return layout_of(draw, x)


def hostile(draw, values: list) -> list:
    """Return the arguments with some replaced; about half of the calls keep the shapes and dtypes that are accepted."""
    tensors = [x for value in values for x in (value if isinstance(value, list) else [value])]
    tensors = [x for x in tensors if isinstance(x, torch.Tensor)]
    only_layouts = draw.random() < 0.5

    def replaced(value):
        if isinstance(value, torch.Tensor):
            if only_layouts:
                return layout_of(draw, value)
            return tensor_of(draw, value, tensors) if draw.random() < 0.4 else value
        if isinstance(value, list):
            return [replaced(x) for x in draw.choice([[], value[:1], value, value * 2])]
        if only_layouts or draw.random() < 0.4:
            return value
        if isinstance(value, int):
            return draw.choice([*INTS, draw.getrandbits(63), -draw.getrandbits(63)])
        return draw.choice([*FLOATS, None])

    return [replaced(value) for value in values]


class Recorder(TorchDispatchMode):
    """Keeps the calls of operators of my_ops, gradients included."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.namespace == "my_ops" and not kwargs:
            self.calls.append((function, list(args)))
        return function(*args, **(kwargs or {}))


def accepted(draw, name: str) -> list:
    """Return the calls that one call and its gradient make: operators and their arguments."""
    values = ACCEPTED[name](draw, draw.choice(SMALL), draw.choice(SMALL))
    function = getattr(torch.ops.my_ops, name).default
    with Recorder() as recorder:
        function(*values)
        if all(isinstance(x, float | int | torch.Tensor | None) for x in values):
            floating = [x for x in values if isinstance(x, torch.Tensor) and x.is_floating_point()]
            leaves = [x.detach().requires_grad_() for x in floating]
            of = {id(x): leaf for x, leaf in zip(floating, leaves, strict=True)}
            try:
                result = getattr(my_ops, name)(*(of.get(id(x), x) for x in values))
                torch.autograd.grad(result.sum(), leaves, allow_unused=True)
            except (RuntimeError, AttributeError):
                pass  # no gradient
    return [(function, values), *recorder.calls]


def storages(values: list) -> dict[int, tuple[torch.Tensor, torch.Tensor]]:
    """Return each tensor with memory by its storage's address: its bytes, and a copy of them."""
    found = {}
    for value in values:
        for x in value if isinstance(value, list) else [value]:
            if isinstance(x, torch.Tensor) and x.layout == torch.strided and x.device.type == "cpu":
                storage = x.untyped_storage()
                if storage.nbytes():
                    data = torch.tensor([], dtype=torch.uint8).set_(storage)
                    found[storage.data_ptr()] = data, data.clone()
    return found


def may_write(function, values: list) -> dict[int, torch.Tensor]:
    """Return the bytes that a call may change, by their storage's address."""
    masks = {}
    for argument, value in zip(function._schema.arguments, values, strict=False):
        written = argument.alias_info is not None and argument.alias_info.is_write
        for x in value if isinstance(value, list) else [value]:
            if not (written and isinstance(x, torch.Tensor)):
                continue
            if x.layout != torch.strided or x.device.type != "cpu" or not x.numel():
                continue
            storage = x.untyped_storage()
            mask = masks.setdefault(
                storage.data_ptr(), torch.zeros(storage.nbytes(), dtype=torch.bool)
            )
            of_x = torch.zeros(storage.nbytes() // x.element_size(), dtype=torch.bool)
            of_x.as_strided(x.shape, x.stride(), x.storage_offset()).fill_(True)
            mask[: of_x.numel() * x.element_size()] |= of_x.repeat_interleave(x.element_size())
    return masks


def main(count: int, seed: int) -> None:
    # PyTorch's refusals print all arguments, which takes most of the time.
    torch.Tensor.__repr__ = lambda x: f"tensor of {list(x.shape)}"
    draw = random.Random(seed)
    torch.manual_seed(seed)
    calls: Counter[str] = Counter()
    took: Counter[str] = Counter()
    names = list(ACCEPTED)
    while sum(calls.values()) < count:
        for function, values in accepted(draw, draw.choice(names)):
            for _ in range(5):
                chosen = hostile(draw, values)
                before, masks = storages(chosen), may_write(function, chosen)
                name = function._schema.name.partition("::")[2]
                calls[name] += 1
                try:
                    function(*chosen)
                    took[name] += 1
                except (RuntimeError, TypeError, ValueError, AttributeError, ZeroDivisionError):
                    pass
                for address, (data, copy) in before.items():
                    changed = data != copy
                    if address in masks:
                        changed &= ~masks[address]
                    if changed.any():
                        where = changed.nonzero()[:5, 0].tolist()
                        shown = [
                            (x.shape, x.stride(), x.dtype) if isinstance(x, torch.Tensor) else x
                            for x in chosen
                        ]
                        print(f"WRONG MEMORY: {name} changed bytes {where} of an argument: {shown}")
    per_operator = ", ".join(f"{x} {took[x]}/{calls[x]}" for x in sorted(calls))
    print(f"{sum(calls.values())} calls, {sum(took.values())} accepted: {per_operator}", flush=True)
    my_ops.faulty(torch.ones(4), 2**63 - 1)  # what the sanitizers have to see


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
