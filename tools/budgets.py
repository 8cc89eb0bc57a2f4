"""Print how large the template and its projects are: `python tools/budgets.py`.

The figures are a report for a release. No test fails because of them.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

from render import TEMPLATE, is_of_kit, render
from updating import git

# What is counted, and its goal.
GOALS = {
    "percent of template/ and variants/ in files without Jinja": 60,
    "Jinja tags": 2500,
    "lines of template/, variants/, questions/, languages/": 15_000,
    "of them Python that no linter reads before it is rendered": 1500,
    "files of a core project that its owner may edit": 18,
    "lines of them": 800,
    "lines of the kit's Python that are not in a folder of the kit": 0,
    "lines of README.md": 140,
    "lines of CONTRIBUTING.md": 120,
    "lines of the longest release in CHANGELOG.md": 60,
    "lines of a core project's README.md": 110,
    "lines of a full project's README.md": 110,
    "lines of a project that are its operator's own": 500,
    "lines of its muladd.cpp": 60,
    "lines of its test_muladd.py": 40,
    "lines that a further elementwise operator adds": 430,
    "lines that a further rowwise operator adds": 750,
    "lines that a further custom operator adds": 350,
    "lines of questions/ops.jinja": 230,
    "files under variants/": 240,
    "files under variants/ of five lines or less": 30,
    "columns of the longest line of a Jinja source": 120,
    "loops that stand for an if": 0,
}
# Files that all operators share: a project's README says that they are never edited.
SHARED = re.compile(
    r"/(__init__|_project)\.py$|/py\.typed$|/csrc/(bindings\.cpp|project\.h)$|^\.copier"
)
# Folders of a project that contain only the kit.
FOLDERS_OF_KIT = re.compile(r"(^|/)(_kit|csrc/kit|tests/\w+_suite)/")


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


def has_jinja(path: Path, text: str) -> bool:
    return path.suffix == ".jinja" or "{%" in text or re.search(r"(?<!\$)\{\{ \w", text) is not None


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
    rendered = [path for path, text in texts.items() if has_jinja(path, text)]
    shipped = [x for x in texts if x.relative_to(TEMPLATE).parts[0] in ("template", "variants")]
    owned = [path for path in written(one) if not is_of_kit(path)]
    owned = [path for path in owned if not SHARED.search(str(path.relative_to(one)))]
    beside = [path for path in written(one) if path.suffix == ".py" and is_of_kit(path)]
    beside = [x for x in beside if not FOLDERS_OF_KIT.search(str(x.relative_to(one)))]
    figures = [
        round(100 * sum(lines(x) for x in shipped if x not in rendered) / sum(map(lines, shipped))),
        sum(text.count("{%") for text in texts.values()),
        sum(map(lines, texts)),
        sum(lines(x) for x in rendered if ".py" in x.suffixes),
        len(owned),
        sum(map(lines, owned)),
        sum(map(lines, beside)),
        lines(TEMPLATE / "README.md"),
        lines(TEMPLATE / "CONTRIBUTING.md"),
        max(x.count("\n") for x in (TEMPLATE / "CHANGELOG.md").read_text().split("\n## ")),
        lines(one / "README.md"),
        lines(full / "README.md"),
        sum(lines(path) for path in written(one) if "muladd" in str(path.relative_to(one))),
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
    print(f"{'':60}{'today':>8}{'goal':>8}")
    for name, goal in GOALS.items():
        print(f"{name:60}{found[name]:8}{goal:8}")
