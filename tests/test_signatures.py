"""Random operators: whatever names and arguments are accepted, what is rendered is valid and formatted.

`SIGNATURES=3000 SIGNATURES_SEED=1 ./dev render -- tests/test_signatures.py` makes it longer and repeatable.
"""

from __future__ import annotations

import os
import random
import re
import string

import pytest
import test_render
from render import render

from variants import VARIANTS

SEED = int(os.environ.get("SIGNATURES_SEED") or random.randrange(2**32))
SIGNATURES = int(os.environ.get("SIGNATURES", "300"))
# A project renders in a third of a second, and a third of that for each further operator.
OPS = 15

# Of those that render the same C++ and Python, one.
DISTINCT = list({(v.binding, v.autograd): v for v in VARIANTS}.values())


def name(rng: random.Random, most: int, upper: bool = False) -> str:
    """Return an accepted name; lengths near the most, where lines break, are as likely as short ones."""
    length = rng.choice([rng.randint(2, 12), rng.randint(2, most), rng.randint(most - 8, most)])
    first = string.ascii_lowercase + (string.ascii_uppercase if upper else "")
    text = rng.choice(first) + "".join(
        rng.choice(first + string.digits + "00___") for _ in range(length - 1)
    )
    # A q in front: no word of any language, and no name that the render uses, begins so.
    return "q" + re.sub("_+", "_", text)[: most - 1].rstrip("_")


def signature(rng: random.Random) -> str:
    count = rng.choice([1, 2, 3, 4, rng.randint(5, 16)])
    types = ["Tensor", *rng.choices(["Tensor", "float", "int", "bool"], k=count - 1)]
    rng.shuffle(types)
    names: dict[str, None] = {}
    while len(names) < count:
        names[name(rng, 40, upper=True)] = None
    return ", ".join(f"{kind} {x}" for kind, x in zip(types, names))


def answers(rng: random.Random) -> dict[str, str]:
    ops: dict[str, None] = {}
    while len(ops) < OPS:
        ops[name(rng, 64)] = None
    first, *others = ops
    return {
        "project": name(rng, 64),
        "op": first,
        "signature": signature(rng),
        "more_ops": "\n".join(f"{op}({signature(rng)})" for op in others),
    }


@pytest.mark.parametrize("number", range(-(-SIGNATURES // OPS)))
def test_random_operators_are_valid_and_formatted(number, tmp_path):
    print(f"SIGNATURES_SEED={SEED} repeats this")
    rng = random.Random(SEED + number)
    variant = DISTINCT[number % len(DISTINCT)]
    given = answers(rng)
    print(given)
    project = render(tmp_path / "x", variant.answers | given)
    test_render.test_parses(project)
    test_render.test_text(project, None)
    test_render.test_formatters_leave_it_unchanged(project)
