{% from pathjoin('variants', 'macros.jinja') import py, py_bare %}
"""Times `{{ item.name }}` against plain PyTorch and torch.compile."""

import torch
from common import main

from {{ project }} import {{ item.name }}
{{ py_bare('from ' ~ project ~ '.ops.' ~ item.name ~ ' import ', [['@_reference', [item.name]]]) }}


def make_args(numel, dtype, device, requires_grad):
    def tensor():
        return torch.randn(numel, dtype=dtype, device=device, requires_grad=requires_grad)

{{ py('    return [', [['@', item.samples]], ']') }}


if __name__ == "__main__":
{{ py('    main(', [['@', [item.name, item.name ~ '_reference', 'make_args', ['forward', 'backward'][:item.passes | length] | to_json]]], ')') }}
