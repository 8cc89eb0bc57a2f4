"""Renders the project of the recommended answers, to be looked at: `python docs/example.py` writes examples/my_ops."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TEMPLATE / "tests" / "lib"))

from render import render


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    render(folder)
    # It names the place and the version of the template, and nobody updates an example.
    (folder / ".copier-answers.yml").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else TEMPLATE / "examples" / "my_ops")
