"""Registers the sharding rules as soon as a program has DTensors.

Their import takes a second, which programs without them should not wait for.
"""

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

DTENSOR = "torch.distributed.tensor"
RULES = "my_ops._sharding"


class Finder(MetaPathFinder):
    """Finds no module itself.

    When another finder has found that of DTensors, the rules are imported after it.
    """

    def find_spec(self, name, path=None, target=None) -> ModuleSpec | None:
        if name != DTENSOR:
            return None
        sys.meta_path.remove(self)
        try:
            spec = find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_register(module):
            execute(module)
            sys.meta_path.remove(self)
            import_module(RULES)

        spec.loader.exec_module = execute_and_register
        return spec


if DTENSOR in sys.modules:
    import_module(RULES)
else:
    sys.meta_path.insert(0, Finder())
