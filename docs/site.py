"""Copies the pages of the site to .cache/pages: `python docs/site.py`, then `mkdocs build --strict`.

MkDocs reads one folder, and README.md becomes its front page. A link to a file that is not a page becomes a link to a
copy of the file, so that every link of the site works without the repository.
"""

from __future__ import annotations

import re
import shutil
import sys
from functools import partial
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
PAGES = ["*.md", "docs/**/*.md", "examples/*/README.md", "examples/*/docs/*.md"]
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)#\s]+)(#[^)]*)?\)")


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    pages = {path.relative_to(TEMPLATE) for pattern in PAGES for path in TEMPLATE.glob(pattern)}
    pages -= {Path("CLAUDE.md")}
    for page in pages:
        linked = partial(link, page=page, pages=pages, folder=folder)
        text = LINK.sub(linked, (TEMPLATE / page).read_text())
        name = Path("index.md") if page == Path("README.md") else page
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def link(match: re.Match, page: Path, pages: set[Path], folder: Path) -> str:
    """Return a link of a page as the site needs it, and copy the file that it leads to."""
    before, target, anchor = match[1], match[2], match[3] or ""
    path = (TEMPLATE / page.parent / target).resolve()
    if not path.exists() or not path.is_relative_to(TEMPLATE):
        return match[0]  # MkDocs reports it
    name = path.relative_to(TEMPLATE)
    up = "../" * len(page.parent.parts)
    if name == Path("README.md"):
        return f"{before}{up}index.md{anchor})"
    if path.is_dir():
        inside = [x for x in [name / "README.md"] if x in pages]
        if inside:
            return f"{before}{up}{inside[0].as_posix()})"
        listed = sorted(x for x in pages if x.parent == name)
        return f"{before}{up}{listed[0].as_posix()})" if listed else match[0]
    if name not in pages:
        shown = name if path.suffix in (".svg", ".png") else name.with_name(name.name + ".txt")
        (folder / shown).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / shown)
        return f"{before}{up}{shown.as_posix()}{anchor})"
    return match[0]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else TEMPLATE / ".cache" / "pages")
