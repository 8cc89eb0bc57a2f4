"""Refuses what the package does not run with, and says what is compiled from what."""

import runpy
import sys
from importlib.util import find_spec
from pathlib import Path


{% include pathjoin('variants', 'build', 'versions.py') %}


def stale(root: Path | None = None) -> None:
    """Return None: kernels are compiled from what lies here when they are first called."""
