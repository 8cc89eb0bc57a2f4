"""Operators that people wrote, by edits only at EDIT marks, pass the rendered tests and train."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from building import compile_faster, python, ran_tests, succeed
from edits import EDITS, KERNELS, MORE_OPS, make_edits
from render import render

# The tests run in the process that built the projects.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("edits")]


# What takes minutes, or the same for each formula, other tests show.
SELECTION = "not compile and not dtensors and not bfloat16"
SELECTION += " and not sliced and not expanded and not channels_last and not odd and not many"


@pytest.fixture(scope="module")
def edited(tmp_path_factory) -> tuple[Path, Counter[str]]:
    project = render(tmp_path_factory.mktemp("edits") / "my_ops", {"more_ops": MORE_OPS})
    make_edits(project / "my_ops")
    compile_faster(project)
    return project, ran_tests(project, "-k", SELECTION)


def test_edits_pass(edited):
    _, ran = edited
    for name in EDITS:
        least = 60 if name in KERNELS["elementwise"] | KERNELS["rowwise"] else 30
        assert ran[f"tests.test_{name}"] >= least, name


@pytest.mark.parametrize(
    ("kernel", "op"),
    [("elementwise", "swiglu"), ("rowwise", "layer_norm"), ("matmul", "linear_silu")],
)
def test_a_model_trains(edited, tmp_path, kernel, op):
    project, _ = edited
    answers = {"kernel": kernel, "op": op, "signature": EDITS[op].signature}
    example = render(tmp_path / "my_ops", answers) / "examples" / "train.py"
    shutil.copy(example, project / "examples")
    text = succeed(python(), "examples/train.py", cwd=project)
    losses = re.findall(r"^(.*?) +loss ([\d.]+) -> ([\d.]+)$", text, re.MULTILINE)
    assert [name for name, _, _ in losses] == ["plain PyTorch", op, "torch.compile"]
    for _, first, last in losses:
        assert float(last) < float(first) / 10
    picture = project / "examples" / "results" / "train.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
