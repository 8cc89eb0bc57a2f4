"""Updates edited projects of an older state of the template to this checkout: `python tools/update_from.py COMMIT`.

Each variant is rendered from the commit, with five kernels in it, and in each file that says EDIT the first line of code
after each mark gets a comment, as it would get another formula. After `copier update` each comment is there, in a line of
its own or between the marks of a conflict; otherwise the exit status is 1. Says how many files have conflicts, by name.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

from cases import OTHER_KERNELS
from render import TEMPLATE, render
from updating import COMMENTS, commit, git, start, update

from variants import VARIANTS


def edit(project: Path) -> Counter[Path]:
    """Comment the first line of code after each EDIT, and return how many comments each file has got."""
    edits: Counter[Path] = Counter()
    for path in sorted(project.rglob("*")):
        sign = COMMENTS.get(path.suffix)
        if sign is None or not path.is_file() or path.name == "_sharding.py":
            continue
        lines = path.read_text().split("\n")
        marked = False
        for number, line in enumerate(lines):
            code = line.strip() and not line.strip().startswith(("//", "#", '"""'))
            if "EDIT" in line:
                marked = not code
            if code and (marked or "EDIT" in line) and not line.endswith("\\"):
                lines[number] = f"{line}  {sign} mine {number}"
                edits[path] += 1
                marked = False
        if edits[path]:
            path.write_text("\n".join(lines))
    return edits


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit", help="such as 1a0ba03, which is 0.6.0")
    options = parser.parse_args()
    lost = 0
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder, "template")
        git(TEMPLATE, "clone", "-q", str(TEMPLATE), str(template))
        for variant in VARIANTS:
            project = Path(folder, str(variant), "my_ops")
            answers = variant.answers | {"more_ops": OTHER_KERNELS}
            del answers["extent"]  # which 0.6.0 does not ask for
            render(project, answers, extent=None, template=template, vcs_ref=options.commit)
            start(project)
            edits = edit(project)
            commit(project, "edited")
            update(project)
            conflicts = git(project, "diff", "--name-only", "--diff-filter=U").split()
            for path, count in edits.items():
                name = path.relative_to(project)
                left = path.read_text().count(" mine ") if path.exists() else 0
                if left < count:
                    print(f"LOST: {count - left} edits of {name}")
                    lost += count - left
            print(
                f"{variant!s:34} {edits.total()} edits in {len(edits)} files; "
                f"{len(conflicts)} with a conflict: {' '.join(conflicts)}",
                flush=True,
            )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
