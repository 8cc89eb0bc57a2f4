"""Finds what noxfile.py, workflows, pages and rendered projects require.

`python tools/requirements.py FOLDER` writes files for pip-audit. A floor counts as the version that it names, because a
project may be used with it. A file has each package once, because pip-audit refuses two versions of one package.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
REQUIREMENT = re.compile(r"(?<![\w.-])([A-Za-z][\w-]*)(?:\[[\w,-]+\])?(==|>=)(\d[\w.*]*)")
HOOK = re.compile(r"repo: .*/(.*)\n *rev: v(.*)")
PACKAGE_OF_HOOK = {
    "ruff-pre-commit": "ruff",
    "mirrors-clang-format": "clang-format",
    "zizmor-pre-commit": "zizmor",
}


def sources() -> list[Path]:
    names = ["noxfile.py", "dev", ".pre-commit-config.yaml"]
    names += ["copier.yml", "README.md", "docs/tutorial.md"]
    found = [TEMPLATE / name for name in names] + [*TEMPLATE.glob(".github/workflows/*")]
    for folder in ["template", "variants"]:
        found += [path for path in (TEMPLATE / folder).rglob("*") if path.is_file()]
    return [path for path in found if path.suffix != ".pyc"]


def requirements() -> dict[tuple[str, str], set[str]]:
    """Return the versions of each package and comparison, == or >=."""
    found = defaultdict(set)
    for path in sources():
        text = path.read_text()
        for name, comparison, version in REQUIREMENT.findall(text):
            found[name, comparison].add(version)
        for repository, version in HOOK.findall(text):
            found[PACKAGE_OF_HOOK[repository], "=="].add(version)
    return found


def to_audit() -> list[list[str]]:
    """Return lists of exact requirements, in each of which a package is once."""
    versions = defaultdict(set)
    for (name, _), some in requirements().items():
        # 12.* is the newest of its kind, in which pip finds no hole that is fixed.
        versions[name] |= {version for version in some if not version.endswith("*")}
    lists: list[list[str]] = []
    for name in sorted(versions):
        for i, version in enumerate(sorted(versions[name])):
            lists += [[]] if len(lists) == i else []
            lists[i].append(f"{name}=={version}")
    return lists


if __name__ == "__main__":
    for i, some in enumerate(to_audit()):
        Path(sys.argv[1], f"{i}.txt").write_text("".join(f"{line}\n" for line in some))
