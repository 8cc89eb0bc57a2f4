"""Moves a file of a project to the path that it has from a release on: `move.py OLD NEW`.

A versioned `_migrations` entry runs it before the update (see CONTRIBUTING.md). Copier then finds the
user's edits at the new path; on its own it would delete them with the old one.
"""

import subprocess
import sys
from pathlib import Path

old, new = map(Path, sys.argv[1:])
if old.exists():
    if new.exists():
        sys.exit(f"{old} moves to {new}, which exists: move yours away, commit, update again.")
    new.parent.mkdir(parents=True, exist_ok=True)
    # Copier reads the index, so the move has to be in it.
    subprocess.run(["git", "mv", "--", old, new], check=True)
