"""Refuses what the package does not run with."""

import runpy
import sys
from importlib.util import find_spec
from pathlib import Path


{% include pathjoin('variants', 'build', 'versions.py') %}
