"""tools/signatures.py reads the operators of an extension, which then are a project. Takes seconds."""

import re
import subprocess
import sys

from macros import ROOT, macro
from render import render

EXTENSION = ROOT / "tests/lib/extension"

PRINTED = """
custom: nms(Tensor boxes, Tensor scores, float iou) -> Tensor: [?]
custom: attend(Tensor q, Tensor k, *, bool with_lse=False) -> (Tensor out: [?], Tensor? lse: [?] if ?)
custom: add(Tensor(a!) x, Tensor y) -> ()
custom: gather(Tensor x, Tensor index) -> Tensor: [?]
custom: rms_norm(Tensor x, Tensor? weight, float eps=1e-6) -> (Tensor: [?], Tensor: [?])
custom: scale_into(Tensor(a!) x, float by, bool twice=True, int[] sizes=[1, 2]) -> ()
custom: copy_into(Tensor out, Tensor x) -> ()
custom: parts(Tensor[] tables, int count) -> [Tensor: [?]]
custom: histogram(Tensor index, int bins=10) -> Tensor: [?]
custom: count(Tensor x) -> int
""".strip().splitlines()

PAGE = (ROOT / "docs/port.md").read_text()


def filled() -> str:
    """Return the operators with shapes and dtypes, as the page has them."""
    return PAGE.partition("<<'END'\n")[2].partition("END\n")[0]


def names(operator: str) -> list[str]:
    """Return the name of an operator and of its arguments, with their defaults."""
    left = re.sub(r": \w*\[[^]]*\]", "", operator.rpartition(" -> ")[0])
    return re.findall(r"\w+(?=\()|\w+(?:=\[.*?\]|=[^,)]+)?(?=[,)])", left.replace("(a!)", ""))


def printed() -> list[str]:
    command = [sys.executable, "tools/signatures.py", "--declared", str(EXTENSION)]
    return subprocess.check_output(command, cwd=ROOT, text=True).splitlines()


def refused(more_ops: str) -> str:
    path = "questions/more_ops.jinja"
    first = {"name": "the_first", "kernel": "elementwise", "signature": "Tensor x"}
    return macro("refuse_more_ops", more_ops, first, "my_ops", "function", path=path)


def test_an_extension_in_three_forms(tmp_path):
    """Each operator is a line, marks are refused, and with shapes in their place it is a project."""
    lines = printed()
    operators = [line for line in lines if not line.startswith("#")]
    assert sorted(operators) == sorted(PRINTED)
    assert "# extension: 10 operators, 1 of them refused" in lines
    at = lines.index(next(x for x in lines if "copy_into" in x))
    assert lines[at - 2] == '# mark what it writes to, as in "Tensor(a!) out"'
    assert '# fill in: the "bool" or "Tensor?" by which a result is there, if ?' in lines
    assert "# scale_into_ in the library" in lines
    assert any("it is only a status" in line for line in lines)
    assert '"?" is not a size' in refused(operators[0])
    assert [names(x) for x in filled().splitlines()] == [names(x) for x in operators]
    project = render(tmp_path / "my_ops", {"more_ops": filled(), "binding": "torch_stable"})
    assert "len_tables" in (project / "my_ops/csrc/parts/parts.cpp").read_text()


def test_function_that_returns_a_pair(tmp_path):
    """A std::pair is two results, as a std::tuple of two is."""
    text = "std::pair<Tensor, Tensor> pack(Tensor data, bool stochastic);\n"
    (tmp_path / "pack.cpp").write_text(text)
    command = [sys.executable, "tools/signatures.py", "--declared", str(tmp_path)]
    lines = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    assert "custom: pack(Tensor data, bool stochastic) -> (Tensor: [?], Tensor: [?])" in lines
