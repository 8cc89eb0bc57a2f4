"""Fixtures that render once for many tests."""

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
