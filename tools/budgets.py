"""Print how large the template and its projects are: `python tools/budgets.py`.

The figures are a report for a release. No test fails because of them.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

from render import TEMPLATE, render
from updating import git

# What is counted, and its goal.
GOALS = {
    "lines of README.md": 140,
    "lines of CONTRIBUTING.md": 120,
    "lines of the longest release in CHANGELOG.md": 60,
    "lines of the default project's README.md": 110,
    "files of the default project, core": 32,
    "lines of the default project, core": 2100,
    "lines of them that are its operator's own": 500,
    "files of the same in full": 56,
    "lines of the same in full": 4800,
    "lines of core with build=nvrtc": 2100,
    "lines of the full project's README.md": 110,
    "lines of the default project's muladd.cpp": 60,
    "lines of the default project's test_muladd.py": 40,
    "lines that a further elementwise operator adds": 430,
    "lines that a further rowwise operator adds": 750,
    "lines that a further custom operator adds": 350,
    "lines of questions/ops.jinja": 230,
    "files under variants/": 240,
    "files under variants/ of five lines or less": 30,
    "columns of the longest line of a Jinja source": 120,
    "loops that stand for an if": 0,
}


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def sources() -> list[Path]:
    """Return the files that Copier and Jinja read, without questions in copier.yml."""
    names = git(
        TEMPLATE,
        "ls-files",
        "-co",
        "--exclude-standard",
        "languages",
        "questions",
        "template",
        "variants",
    )
    return [TEMPLATE / name for name in names.splitlines() if (TEMPLATE / name).is_file()]


def written(project: Path) -> list[Path]:
    """Return the files of a project but for its answers, which nobody reads."""
    paths = (path for path in project.rglob("*") if path.is_file())
    return [path for path in paths if path.name != ".copier-answers.yml"]


def size(project: Path) -> int:
    return sum(map(lines, written(project)))


def count(folder: Path) -> dict[str, int]:
    """Count, with renders in an empty folder."""
    one = render(folder / "one" / "my_ops", extent=None)
    full = render(folder / "full" / "my_ops")
    nvrtc = render(folder / "nvrtc" / "my_ops", {"build": "nvrtc"}, extent=None)
    gate = {"more_ops": "gate(Tensor x, Tensor y, float c)"}
    elementwise = render(folder / "elementwise" / "my_ops", gate, extent=None)
    norm = "rowwise: norm(Tensor x, Tensor weight, float eps=1e-6)"
    rowwise = render(folder / "rowwise" / "my_ops", {"more_ops": norm})
    two = render(
        folder / "two" / "my_ops", {"more_ops": f"{norm}; {norm.replace('norm', 'other')}"}
    )
    fps = "custom: fps(Tensor points: [B, N, 3], int npoint) -> Tensor: int64[B, npoint]"
    custom = render(folder / "custom" / "my_ops", {"more_ops": fps}, extent=None)
    more = {"more_ops": f"{fps}; {fps.replace('fps', 'other')}"}
    customs = render(folder / "customs" / "my_ops", more, extent=None)
    texts = {path: path.read_text() for path in sources()}
    fragments = [path for path in texts if path.is_relative_to(TEMPLATE / "variants")]
    figures = [
        lines(TEMPLATE / "README.md"),
        lines(TEMPLATE / "CONTRIBUTING.md"),
        max(x.count("\n") for x in (TEMPLATE / "CHANGELOG.md").read_text().split("\n## ")),
        lines(one / "README.md"),
        len(written(one)),
        size(one),
        sum(lines(path) for path in written(one) if "muladd" in str(path.relative_to(one))),
        len(written(full)),
        size(full),
        size(nvrtc),
        lines(full / "README.md"),
        lines(one / "my_ops/csrc/muladd/muladd.cpp"),
        lines(one / "tests/test_muladd.py"),
        size(elementwise) - size(one),
        size(two) - size(rowwise),
        size(customs) - size(custom),
        lines(TEMPLATE / "questions/ops.jinja"),
        len(fragments),
        sum(lines(path) <= 5 for path in fragments),
        max(len(line) for text in texts.values() for line in text.splitlines()),
        sum(len(re.findall(r"{%-? for _ in", text)) for text in texts.values()),
    ]
    return dict(zip(GOALS, figures, strict=True))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = count(Path(folder))
    print(f"{'':48}{'today':>8}{'goal':>8}")
    for name, goal in GOALS.items():
        print(f"{name:48}{found[name]:8}{goal:8}")
