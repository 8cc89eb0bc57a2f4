"""PyTorch's undocumented names: the kit has them in one file, and this PyTorch has all of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch
from render import TEMPLATE

PRIVATE = TEMPLATE / "template" / "{{ project }}" / "_kit" / "private.py"
# What the file calls an operator or a tensor.
STAND_INS = {"op": torch.ops.aten.add.Tensor, "tensor": torch.zeros(1)}
# Undocumented attributes of objects, whose type is not seen in a text.
OF_OBJECTS = {"_schema", "_version", "_op_dispatcher", "_current_level"}


def is_private(name: str) -> bool:
    return any(part.startswith("_") and not part.startswith("__") for part in name.split("."))


def private_names(path: Path) -> set[str]:
    """Return the dotted names of a file with a part that begins with an underscore, from torch or of an object."""
    found, modules = set(), {"torch": "torch"}
    nodes = list(ast.walk(ast.parse(path.read_text())))
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            modules |= {x.asname or x.name: f"{node.module}.{x.name}" for x in node.names}
        if isinstance(node, ast.Import):
            found |= {x.name for x in node.names if x.name.startswith("torch.")}
    found |= set(modules.values())
    for node in nodes:
        if isinstance(node, ast.Attribute):
            root, _, rest = ast.unparse(node).partition(".")
            if root in modules:
                found.add(f"{modules[root]}.{rest}")
            elif node.attr in OF_OBJECTS:
                found.add(f"{root}.{rest}")
    return {x for x in found if is_private(x)}


NAMES = sorted(private_names(PRIVATE))


@pytest.mark.parametrize("name", NAMES)
def test_pytorch_has_a_private_name(name):
    if "_cuda_" in name and torch.version.cuda is None:
        pytest.skip("this PyTorch has no CUDA")
    root, *attributes = name.split(".")
    found = torch if root == "torch" else STAND_INS[root]
    for i, attribute in enumerate(attributes):
        if not hasattr(found, attribute):
            try:
                __import__(".".join([root, *attributes[: i + 1]]))  # a module that is imported late
            except ImportError:
                pytest.fail(f"PyTorch {torch.__version__} has no {name}", pytrace=False)
        found = getattr(found, attribute)


def test_private_names_are_in_one_file():
    names = {"torch._C._len_torch_dispatch_stack", "torch.cuda._sleep", "op._schema"}
    assert names < set(NAMES)
    kit = [*TEMPLATE.joinpath("template").rglob("*.py")]
    assert {"checks.py", "common.py", "conftest.py", "custom.py"} <= {path.name for path in kit}
    found = {path: private_names(path) for path in kit if path != PRIVATE}
    assert {path: names for path, names in found.items() if names} == {}
