"""Print the names of arguments for which torch.compile, export or opcheck fails with the installed PyTorch.

python tools/compile_names.py

PyTorch calls its own functions with an operator's arguments by name, so an argument fails that has the name of a parameter of
such a function. The program tries the name of each parameter beside a `**kwargs` in PyTorch, and of each argument of its
operators. It tries them in an operator that writes and in one with a result and a gradient: by place, behind `*`, and by place
with a default that the call leaves as it is. questions/signature.jinja refuses the printed names.
"""

from __future__ import annotations

import ast
import itertools
import keyword
from collections.abc import Iterator
from pathlib import Path

import torch
from tqdm import tqdm

# An operator has at most 64 arguments.
CHUNK = 60
LIBRARY = torch.library.Library("compile_names", "DEF")
NUMBERS = itertools.count()


def names() -> list[str]:
    """Return the names to try, sorted."""
    found = {arg.name for schema in torch._C._jit_get_all_schemas() for arg in schema.arguments}
    for path in Path(torch.__file__).parent.rglob("*.py"):
        try:
            tree = ast.parse(path.read_text(errors="replace"))
        except SyntaxError:  # a template of code
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.args.kwarg:
                found |= {arg.arg for arg in [*node.args.args, *node.args.kwonlyargs]}
    return sorted(
        x for x in found - {"self", "cls", "x_"} if x[:1].isalpha() and not keyword.iskeyword(x)
    )


def fails(arguments: list[str], writes: bool, passed: str) -> bool:
    """Define an operator with these arguments, compile a call, and return whether PyTorch fails."""
    by_name, default = passed == "behind *", "=1.0" if passed == "with a default" else ""
    name, star = f"op{next(NUMBERS)}", "*, " if by_name else ""
    first, result = ("Tensor(a!) x_", "()") if writes else ("Tensor x_", "Tensor")
    floats = ", ".join(f"float {x}{default}" for x in arguments)
    LIBRARY.define(f"{name}({first}, {star}{floats}) -> {result}")
    LIBRARY.impl(name, lambda x, /, *_, **__: None if writes else x + 1, "CPU")
    fake = (lambda x, /, *_, **__: None) if writes else (lambda x, /, *_, **__: torch.empty_like(x))
    torch.library.register_fake(f"compile_names::{name}", fake, lib=LIBRARY)
    if not writes:
        none = [None] * (0 if by_name else len(arguments))
        back = lambda ctx, grad: (grad, *none) if none else grad
        torch.library.register_autograd(f"compile_names::{name}", back, lib=LIBRARY)
    op = getattr(torch.ops.compile_names, name)
    args, kwargs = ((), dict.fromkeys(arguments, 1.0)) if by_name else ([1.0] * len(arguments), {})

    class Call(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x * 2
            result = op(y, *args, **kwargs)
            return y if writes else result

    torch._dynamo.reset()
    try:
        x = torch.ones(3, requires_grad=not writes)
        result = torch.compile(Call(), fullgraph=True)(x)
        if not writes:
            result.sum().backward()
        torch.export.export(Call(), (torch.ones(3),)).run_decompositions()
        torch.library.opcheck(op, (torch.ones(3), *args), kwargs)
    except Exception:  # noqa: BLE001  # whatever PyTorch raises
        return True
    return False


def culprits(arguments: list[str], writes: bool, passed: str) -> Iterator[str]:
    """Yield each argument that fails by itself."""
    if not fails(arguments, writes, passed):
        return
    if len(arguments) == 1:
        yield arguments[0]
        return
    half = len(arguments) // 2
    for part in (arguments[:half], arguments[half:]):
        yield from culprits(part, writes, passed)


def main() -> None:
    every = names()
    print(f"PyTorch {torch.__version__}, {len(every)} names")
    for writes, passed in itertools.product(
        [True, False], ["by place", "with a default", "behind *"]
    ):
        which = f"an operator that {'writes' if writes else 'returns a tensor'}, {passed}"
        chunks = [every[i : i + CHUNK] for i in range(0, len(every), CHUNK)]
        found = [x for chunk in tqdm(chunks, which) for x in culprits(chunk, writes, passed)]
        print(f"{which}: {' '.join(found) or 'none'}", flush=True)


if __name__ == "__main__":
    main()
