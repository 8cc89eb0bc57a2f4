"""Fixtures that render once for many tests, and the list of what was built."""

from __future__ import annotations

from pathlib import Path

import pytest
from render import render

from variants import VARIANTS


@pytest.fixture(scope="session", params=VARIANTS, ids=str)
def variant(request):
    return request.param


@pytest.fixture(scope="session")
def project(variant, tmp_path_factory) -> Path:
    """A project with the default signature, rendered once for each variant."""
    return render(tmp_path_factory.mktemp("project") / "my_ops", variant.answers)


BUILT = pytest.StashKey[list]()


@pytest.fixture
def record_variant(request):
    """Add a line to the list of built variants that closes the run."""
    return request.config.stash.setdefault(BUILT, []).append


def pytest_terminal_summary(terminalreporter, config):
    if lines := config.stash.get(BUILT, []):
        terminalreporter.section(f"{len(lines)} variants built and tested")
        for line in sorted(lines):
            terminalreporter.write_line(line)
