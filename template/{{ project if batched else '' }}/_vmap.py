"""torch.vmap: a batch becomes another dimension, so that one call computes all samples.

Shared code of the template: do not edit. An operator with `REPLICATE = True` in its `ops/<op>.py`
gets no rule. PyTorch then calls the operator for each sample, unless you register your own rule
with `torch.library.register_vmap`.
"""

from . import ops
from ._kit.checks import register_batched, replicates
from ._project import BATCHED

WITH_RULE = [name for name in BATCHED if not replicates(getattr(ops, name))]

for _name in WITH_RULE:
    register_batched(getattr(ops, _name)._op)
