"""Finds the version to release: `python tools/release.py` prints it, and nothing if there is none.

The first heading of CHANGELOG.md is the only place of the version. On GitHub, the version is also the output `version` of
the workflow's step. `--notes FILE` writes the text of the release.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from pathlib import Path

SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
UNRELEASED = re.compile(r"\d+\.\d+\.\d+ \(unreleased\)")
VERSION = re.compile(r"\d+\.\d+\.\d+")


def first_section(changelog: str) -> tuple[str, str]:
    """Return the first heading and the text below it."""
    match = SECTION.search(changelog)
    if match is None:
        raise SystemExit("CHANGELOG.md has no heading of a version")
    return match[1].strip(), match[2].strip()


def version_to_release(changelog: str, tags: list[str]) -> str:
    """Return the version of the first heading, or "" if it is unreleased or has a tag."""
    heading, text = first_section(changelog)
    if UNRELEASED.fullmatch(heading) or heading in tags:
        return ""
    if not VERSION.fullmatch(heading):
        raise SystemExit(
            f'CHANGELOG.md: the heading "{heading}" must be "1.2.3" or "1.2.3 (unreleased)"'
        )
    if not text:
        raise SystemExit(f"CHANGELOG.md: {heading} has no text")
    released = [tag for tag in tags if VERSION.fullmatch(tag)]
    newest = max(released, key=parts, default="0.0.0")
    if parts(heading) < parts(newest):
        raise SystemExit(f"CHANGELOG.md: {heading} is older than the tag {newest}")
    return heading


def parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def notes(changelog: str) -> str:
    """Return the text of the release, a paragraph a line: GitHub shows each end of a line there."""
    _, text = first_section(changelog)
    text = re.sub(r"^###", "##", text, flags=re.MULTILINE)
    blocks = re.split(r"(```.*?```)", text, flags=re.DOTALL)
    # Every second block is code, whose lines stay.
    blocks[::2] = [re.sub(r"(?<=\S)\n *(?![-#*\n ])", " ", block) for block in blocks[::2]]
    return "".join(blocks) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=Path, help="the file to write the text to")
    options = parser.parse_args()
    changelog = Path("CHANGELOG.md").read_text()
    if options.notes:
        options.notes.write_text(notes(changelog))
    command = ["git", "tag", "--list"]
    tags = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    version = version_to_release(changelog, tags)
    if version:
        print(version)
    if "GITHUB_OUTPUT" in os.environ:
        with open(os.environ["GITHUB_OUTPUT"], "a") as output:
            output.write(f"version={version}\n")


if __name__ == "__main__":
    main()
