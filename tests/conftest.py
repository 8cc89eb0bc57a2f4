"""Fixtures that render once for many tests, and the list of what was built."""

from __future__ import annotations

from pathlib import Path

import pytest
from render import render
from updating import older_and_newer

from variants import VARIANTS


@pytest.fixture(scope="session", params=VARIANTS, ids=str)
def variant(request):
    return request.param


@pytest.fixture(scope="session")
def project(variant, tmp_path_factory) -> Path:
    """A project with the default signature, rendered once for each variant."""
    return render(tmp_path_factory.mktemp("project") / "my_ops", variant.answers)


@pytest.fixture(scope="session")
def template(tmp_path_factory) -> Path:
    """A clone of this checkout in two states, of which the older is tagged 0.0.1."""
    return older_and_newer(tmp_path_factory.mktemp("template") / "clone")


BUILT = pytest.StashKey[list]()


@pytest.fixture
def record_variant(request):
    """Add a line to the list of built variants that closes the run."""
    return request.config.stash.setdefault(BUILT, []).append


SUMMARY = pytest.StashKey[dict]()


@pytest.fixture
def summary(request):
    """Return, for a title, the function that adds a line to the part of the report under it."""
    parts = request.config.stash.setdefault(SUMMARY, {})
    return lambda title: parts.setdefault(title, []).append


def pytest_terminal_summary(terminalreporter, config):
    for title, lines in config.stash.get(SUMMARY, {}).items():
        terminalreporter.section(f"{title}: {len(lines)}")
        for line in lines:
            terminalreporter.write_line(line)
    if lines := config.stash.get(BUILT, []):
        terminalreporter.section(f"{len(lines)} variants built and tested")
        for line in sorted(lines):
            terminalreporter.write_line(line)
