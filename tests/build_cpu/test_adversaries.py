"""A kernel that cheats fails the tests of its project, and a sentence names the cheat. An honest kernel passes.

Cheats that need a GPU are skipped here; `python tools/gpu.py FOLDER --verify` judges all cheats on a GPU. A kernel that patches the
tests is in test_build_verify.py, and one that answers a benchmark from a cache in tests/kit/test_benchmark.py.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from building import as_one_source, install, run
from cheats import CHEATS, HONEST, MADE, render_cheats
from updating import replace

ON_GPU = [name for name, cheat in CHEATS.items() if cheat.launch]
ON_CPU = [name for name in CHEATS if name not in ON_GPU]
in_one_process = pytest.mark.xdist_group("adversaries")


@pytest.fixture(scope="module")
def cases(tmp_path_factory) -> dict[str, list[ElementTree.Element]]:
    """The tests that ran, by operator."""
    folder: Path = tmp_path_factory.mktemp("adversaries") / "my_ops"
    project = render_cheats(folder)
    replace(project / "setup.py", '"-O3"', '"-O0"')
    as_one_source(project, MADE)
    built = install(project)
    assert built.returncode == 0, built.stdout[-6000:]
    report = project / "report.xml"
    chosen = "(values or kernel or strided) and not gradients"
    files = [f"tests/test_{name}.py" for name in MADE]
    ran = run("pytest", "-q", f"--junitxml={report}", "-k", chosen, *files, cwd=project)
    assert report.exists(), ran.stdout[-6000:]
    found: dict[str, list[ElementTree.Element]] = {name: [] for name in MADE}
    cases = list(ElementTree.parse(report).iter("testcase"))
    others = [not case.get("name").startswith("test_values") for case in cases]
    assert others == sorted(others), "values are not compared first, of all operators"
    for case in cases:
        name = case.get("classname").rpartition("test_")[2].partition(".Test")[0]
        found[name].append(case)
    return found


@pytest.fixture(scope="module")
def messages(cases) -> dict[str, list[str]]:
    """The messages of the failed tests, by operator."""
    found: dict[str, list[str]] = {}
    for name, ran in cases.items():
        faults = [x for case in ran for x in (*case.iter("failure"), *case.iter("error"))]
        found[name] = [f"{x.get('message')}\n{x.text}" for x in faults]
    return found


@in_one_process
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_kernel_passes(messages, name):
    assert messages[name] == []


@in_one_process
def test_memory_of_a_kernel_is_bounded(cases):
    """Large sizes of scratch memory with four dimensions would take gigabytes."""
    skipped = [x.get("message") for case in cases["honest_memory"] for x in case.iter("skipped")]
    reason = "with N=257 is refused: a new tensor would have 118822151 elements"
    assert any(reason in x for x in skipped), skipped


@in_one_process
@pytest.mark.parametrize("name", ON_CPU)
def test_a_cheat_is_named(messages, name):
    reason = CHEATS[name].reason
    assert any(reason in text for text in messages[name]), "\n\n".join(messages[name]) or "passed"


@in_one_process
def test_a_kernel_for_known_sizes_passes_the_others(messages):
    """It fails for the drawn sizes, and for no others."""
    assert messages["expert"]
    assert all("drawn" in text or "the result with " in text for text in messages["expert"])


@pytest.mark.parametrize("name", ON_GPU)
def test_a_cheat_that_only_a_gpu_shows_is_named(name):
    pytest.skip(f"{name} needs a GPU: run python tools/gpu.py FOLDER --verify there")
