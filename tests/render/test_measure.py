"""measure.py times the commands of the READMEs, and its table has a row for every variant."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from measure import BUILDS, COMPILE, Build
from measure_table import BEGIN, END, table, write_between_markers
from render import TEMPLATE

from variants import VARIANTS

MACHINE = {
    "cpu": "Some CPU",
    "cores": 2,
    "gpu": None,
    "torch": "2.11.0",
    "compiler": "g++ 12.2.0",
    "nvcc": "13.0.88",
    "date": "2026-11-21",
}


def result(gpu: str | None, seconds: float) -> dict:
    """Return what measure.py writes, with figures for the first variant only."""
    calls = {"addcmul": 2.0, "call": 3.0, "op": 2.5, "addcmul_grad": 4.0, "call_grad": 10.0}
    row = {
        "answers": VARIANTS[0].answers,
        "after_edit": "the next import",
        "cold": seconds,
        "edits": {"cu": {"seconds": seconds / 4, "without_torch": seconds / 10, "compiled": 1}},
        "calls": {"cpu": calls} | ({"cuda": calls | {"call": 4.0}} if gpu else {}),
    }
    machine = MACHINE | {"gpu": gpu}
    return {"machine": machine, "import_torch": 1.5, "variants": {str(VARIANTS[0]): row}}


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_measured_commands_are_those_of_the_readme(variant, project):
    build = BUILDS.get(variant.build, Build())
    readme = (project / "README.md").read_text()
    if build.install:
        assert build.install.replace(" .", ' ".[test]"') + "\n" in readme
    if build.to_edit:
        assert build.to_edit in readme.replace(" \\\n ", "")


def test_an_edit_is_compiled_in_the_project(tmp_path):
    """It was compiled in the folder above, which has no setup.py, and each row of setuptools failed."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "setup.py").write_text("import sys; open('called', 'w').write(' '.join(sys.argv))")
    subprocess.run([sys.executable, "-c", COMPILE], cwd=tmp_path, check=True)
    assert (project / "called").read_text() == "setup.py build_ext --inplace"


def test_a_table_merges_machines():
    text = table([result(None, 20.04), result("NVIDIA H100", 8.0)])
    first = rows(text)[0]
    assert first[:5] == [
        *str(VARIANTS[0]).split("-"),
        "20",
        "2.0 (1)",
    ]
    assert "1.5 / 2.0" in first and "2.5 / 2.5" in first
    assert "a new process imports torch for 3.0" in text
    assert "Some CPU" in text and "NVIDIA H100" in text
    assert rows(text)[1][3] == "–"


def test_the_document_has_a_row_for_every_variant():
    page = (TEMPLATE / "docs" / "measurements" / "costs.md").read_text()
    found = rows(page.split(BEGIN)[1].split(END)[0])
    expected = [[v.build, v.binding or "", v.autograd] for v in VARIANTS]
    assert [row[:3] for row in found if row[1] or row[2]] == expected
    # COSTS.md has the recommended row, then rows that differ from it in one answer.
    short = rows((TEMPLATE / "COSTS.md").read_text())
    assert len(short) == 8 and all(row[:3] in expected for row in short)
    recommended = short[0][:3]
    assert recommended == [VARIANTS[0].build, VARIANTS[0].binding, VARIANTS[0].autograd]
    for row in short[1:]:
        changed = [x for x, y in zip(row[:3], recommended) if x != y]
        assert len(changed) == 1 or row[:2] == ["nvrtc", ""], row


def test_a_table_is_written_between_the_markers_only(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"Before\n{BEGIN}\nold\n{END}\nAfter\n")
    for text in ["one", "two"]:
        write_between_markers(path, text)
        assert path.read_text() == f"Before\n{BEGIN}\n{text}\n{END}\nAfter\n"
    path.write_text("No marker\n")
    with pytest.raises(SystemExit, match=re.escape(f"{path}: has to hold the lines {BEGIN}")):
        write_between_markers(path, "three")
    assert path.read_text() == "No marker\n"
