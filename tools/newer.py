"""Lists the pinned packages that PyPI has a newer release of: `python tools/newer.py`.

Renew a pin in noxfile.py first. `tests/render/test_workflow.py` then names the other places with the old version.
"""

from __future__ import annotations

import re
import subprocess
import sys

from requirements import requirements

# Held back, each with its reason.
HELD = {"torch": "sessions test several versions", "pytest": "see GROUPS in noxfile.py"}


def newest(package: str) -> str:
    """Return the newest release that pip finds, or "" if there is none."""
    command = [sys.executable, "-m", "pip", "index", "versions", package]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"\((.+?)\)", result.stdout)
    return found[1] if found else ""


def main() -> None:
    for (package, comparison), versions in sorted(requirements().items()):
        if comparison == "==" and not any(version.endswith("*") for version in versions):
            version, latest = max(versions), newest(package)
            reason = f" ({HELD[package]})" if package in HELD else ""
            if latest not in ("", version):
                print(f"{package} {version}: {latest} is newer{reason}")


if __name__ == "__main__":
    main()
