"""Every feature of a signature, and each pair: rendered files, and edits that an update keeps."""

from __future__ import annotations

import pytest
import test_render
from features import FEATURES, OPS, PAIRS, SETS, more_ops
from render import files, render
from updating import commit, git, replace, start, update, update_as_told

from variants import DISTINCT, VARIANTS


def test_every_feature_is_there_alone_and_with_each_other_one():
    assert [{feature} for feature in FEATURES] == SETS[: len(FEATURES)]
    assert len(PAIRS) >= 70
    assert all(any(pair <= features for features in SETS[len(FEATURES) :]) for pair in PAIRS)


@pytest.mark.parametrize("variant", DISTINCT, ids=str)
def test_features_render_well(variant, tmp_path):
    project = render(tmp_path / "x", variant.answers | {"more_ops": more_ops()})
    test_render.test_parses(project, None)
    test_render.test_text(project, None)
    test_render.test_formatters_leave_it_unchanged(project, None)


@pytest.mark.parametrize("op", OPS)
def test_every_operator_can_be_the_first(op, tmp_path):
    """Then it is in the README's example, the quickstart and the notebook."""
    answers = {"op": op, "signature": OPS[op], "build": "inline"}
    project = render(tmp_path / "x", answers)
    test_render.test_parses(project, None)
    test_render.test_formatters_leave_it_unchanged(project, None)


def test_sizes_of_scratch_memory_leave_no_unused_name(tmp_path):
    signature = (
        "Tensor[] xs: [N], Tensor x: [N, M, *space] -> Tensor: [N] "
        "using Tensor order: int32[len(xs)], Tensor room: uint8[M, x.numel()], Tensor more: [*space]"
    )
    for build in ("setuptools", "nvrtc"):
        answers = {"op": "sort", "kernel": "custom", "signature": signature, "build": build}
        test_render.test_formatters_leave_it_unchanged(render(tmp_path / build, answers), None)


def test_operators_stand_on_lines_or_behind_semicolons(tmp_path):
    broken = "\n\nscale(\n  Tensor(a!) out,\n  Tensor x,\n  *, float factor=1.0\n) -> ()\ngate(Tensor x)\n"
    lines = "scale(Tensor(a!) out, Tensor x, *, float factor=1.0) -> ()\ngate(Tensor x)"
    one_line = lines.replace("\n", " ; ") + ";"
    texts = []
    for name, answer in {"broken": broken, "lines": lines, "line": one_line}.items():
        texts.append(files(render(tmp_path / name, {"more_ops": answer})))
        del texts[-1][".copier-answers.yml"]
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize(
    "signature",
    [
        "Tensor a, Tensor b, float c, float d=0.0",
        "Tensor a, Tensor b, float c, Tensor? w=None",
        "Tensor a, Tensor b, float c -> (Tensor out, Tensor twice)",
        "Tensor(a!) store, Tensor a, Tensor b, float c -> Tensor",
        "Tensor a, Tensor b, float c, *, ScalarType? dtype=None -> Tensor",
    ],
)
@pytest.mark.parametrize("variant", [VARIANTS[0], VARIANTS[1], VARIANTS[-2]], ids=str)
def test_a_signature_can_change(signature, variant, template, tmp_path):
    """Edits stay, and conflict only in lines that the signature changes too."""
    project = render(tmp_path / "old", variant.answers, template=template)
    edits = {
        "my_ops/csrc/muladd/muladd.h": ("\n}  // namespace", "\n// mine\n}  // namespace"),
        "my_ops/csrc/muladd/muladd_cuda.cu": ("// ---- Kernels.", "// ---- Kernels of mine."),
        "my_ops/csrc/muladd/muladd_cpu.cpp": ("on the CPU.", "on my CPU."),
        "my_ops/ops/muladd.py": ("import torch\n", "import torch  # mine\n"),
        "tests/test_muladd.py": ("import torch\n", "import torch  # mine\n"),
        "README.md": ("## Measure", "## My figures"),
    }
    if not variant.compiled:
        del edits["my_ops/csrc/muladd/muladd_cpu.cpp"]
    for name, (old, new) in edits.items():
        replace(project / name, old, new)
    start(project)
    update_as_told(project, {"signature": signature})
    assert git(project, "ls-files", "-u") == ""
    fresh = files(
        render(tmp_path / "new", variant.answers | {"signature": signature}, template=template)
    )
    for name, text in files(project).items():
        if name in edits:
            old, new = edits[name]
            assert text.replace(new, old, 1) == fresh[name], name
        elif name != ".copier-answers.yml":
            assert text == fresh[name], name


def test_a_changed_formula_conflicts_where_the_signature_changes_it(template, tmp_path):
    project = render(tmp_path / "old", template=template)
    header = project / "my_ops/csrc/muladd/muladd.h"
    replace(header, "out = a * b + c;", "out = exp(a) * b + c;")
    start(project)
    update(project, data={"signature": "Tensor a, Tensor b, float c, float d=0.0"})
    text = header.read_text()
    assert "out = exp(a) * b + c;" in text and "out = a * b + c + d;" in text
    assert set(git(project, "diff", "--name-only", "--diff-filter=U").split()) == {
        "my_ops/csrc/muladd/muladd.h"
    }
    commit(project, "left to the reader")
