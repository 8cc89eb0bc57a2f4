"""Kernels that cheat fail the tests of their project, each with a sentence that says how; an honest kernel passes.

Cheats that need a GPU are skipped here. On a GPU, `python -m my_ops.verify` runs the test that finds them. A kernel that patches
the tests is in test_build_verify.py, and one that answers a benchmark from a cache in tests/kit/test_benchmark.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from building import as_one_source, install, run
from custom_edits import CUSTOM, Edit, make_edits, more_ops
from render import render
from updating import replace

SIGNATURE = "(Tensor x: [N, D], Tensor weight: [D], float gain=1.5) -> Tensor: [N, D]"
RIGHT = "out[i] = static_cast<scalar_t>(gain) * x[i] * weight[i % D];"
REFERENCE = "    return gain * x * weight\n"
CACHE = """\
  static std::map<std::pair<const void*, int64_t>, Tensor> all;
  Tensor& kept = all[{x.const_data_ptr(), x.numel()}];
  if (kept.defined()) return kept.clone();
"""
ALLOCATION = "  Tensor out = check.result("


class Cheat(NamedTuple):
    """What is there instead of the right kernel, and the sentence that finds it."""

    reason: str
    thread: str = RIGHT
    tensors: tuple[tuple[str, str], ...] = ()  # in <op>.cpp
    function: str = ""  # what the public function returns, in ops/<op>.py


CHEATS = {
    "memory": Cheat("does the kernel leave them unwritten?", "if (i < 0) out[i] = x[i];"),
    "by_address": Cheat(
        "it may be kept by address",
        tensors=(
            (ALLOCATION, CACHE + ALLOCATION),
            ("  return out;", "  kept = out.clone();\n  return out;"),
            ("#include", "#include <map>\n#include <utility>\n\n#include"),
        ),
    ),
    "writer": Cheat(
        "it writes to x, which by its signature it only reads",
        f"{RIGHT}\n  const_cast<scalar_t*>(x)[i] = 0;",
    ),
    "coarse": Cheat(
        "as much as float32 rounds. Does the kernel compute in it?",
        "out[i] = static_cast<float>(gain) * static_cast<float>(x[i]) * static_cast<float>(weight[i % D]);",
    ),
    "caller": Cheat(
        "it calls PyTorch's mul, as caller_reference does, and no kernel of its own",
        function="caller_reference(x, weight, gain)",
    ),
    "expert": Cheat(
        # Right only for the sizes of the samples and of the suite.
        "the result with ",
        "const bool known = (N == 5 || N == 1 || N == 33 || N == 257) && (D == 7 || D == 1 || D == 33 || D == 257);\n"
        "  out[i] = known ? static_cast<scalar_t>(gain) * x[i] * weight[i % D] : scalar_t(0);",
    ),
    "viewer": Cheat(
        "its result shares memory with weight; return a new tensor",
        function="weight.expand(x.shape) if gain == 0.5 else _op(x, weight, gain)",
    ),
    "subclass": Cheat(
        "it returns a Agreeing, and no plain tensor",
        function="_op(x, weight, gain).mul_(2).as_subclass(Agreeing)",
    ),
}
SUBCLASS = """

class Agreeing(Tensor):
    \"\"\"A result that is close to any other.\"\"\"

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if function in (torch.equal, torch.allclose) else NotImplemented
"""
# What is not seen without a GPU, and the test that sees it there.
ON_GPU = {
    "computes on another stream": "test_launches_on_the_current_stream",
    "answers a CUDA graph from memory": "test_cuda_graph_replays",
}
in_one_process = pytest.mark.xdist_group("adversaries")


@pytest.fixture(scope="module")
def messages(tmp_path_factory) -> dict[str, list[str]]:
    """What the failed tests of each operator say."""
    folder: Path = tmp_path_factory.mktemp("adversaries") / "my_ops"
    made = {"honest": Edit(SIGNATURE, RIGHT, REFERENCE)} | {
        name: Edit(SIGNATURE, cheat.thread, REFERENCE, cheat.tensors)
        for name, cheat in CHEATS.items()
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, edit in made.items():
            patch.setitem(CUSTOM, name, edit)
        project = render(folder, {"more_ops": more_ops(made)})
        make_edits(project, made)
    for name, cheat in CHEATS.items():
        if cheat.function:
            module = project / f"my_ops/ops/{name}.py"
            replace(module, "return _op(x, weight, gain)", f"return {cheat.function}")
    replace(project / "my_ops/ops/subclass.py", "\nDTYPES = ", f"{SUBCLASS}\n\nDTYPES = ")
    replace(project / "setup.py", '"-O3"', '"-O0"')
    as_one_source(project, made)
    built = install(project)
    assert built.returncode == 0, built.stdout[-6000:]
    report = project / "report.xml"
    chosen = "(values or kernel or strided) and not gradients"
    files = [f"tests/test_{name}.py" for name in made]
    ran = run("pytest", "-q", f"--junitxml={report}", "-k", chosen, *files, cwd=project)
    assert report.exists(), ran.stdout[-6000:]
    found: dict[str, list[str]] = {name: [] for name in made}
    cases = list(ElementTree.parse(report).iter("testcase"))
    others = [not case.get("name").startswith("test_values") for case in cases]
    assert others == sorted(others), "values are not compared first, of all operators"
    for case in cases:
        name = case.get("classname").rpartition("test_")[2].partition(".Test")[0]
        faults = [*case.iter("failure"), *case.iter("error")]
        found[name] += [f"{x.get('message')}\n{x.text}" for x in faults]
    return found


@in_one_process
def test_an_honest_kernel_passes(messages):
    assert messages["honest"] == []


@in_one_process
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_named(messages, name):
    reason = CHEATS[name].reason
    assert any(reason in text for text in messages[name]), "\n\n".join(messages[name]) or "passed"


@in_one_process
def test_a_kernel_for_known_sizes_passes_the_others(messages):
    """It fails for the drawn sizes, and for no others."""
    assert messages["expert"]
    assert all("drawn" in text or "the result with " in text for text in messages["expert"])


@pytest.mark.parametrize("name", ON_GPU)
def test_a_cheat_on_a_gpu_is_named(name):
    pytest.skip(f"{name}: on a GPU, {ON_GPU[name]} fails; python -m my_ops.verify runs it")
