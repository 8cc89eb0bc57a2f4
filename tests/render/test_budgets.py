"""What the template and its projects may not outgrow."""

from __future__ import annotations

import pytest
from budgets import BUDGETS, count


@pytest.fixture(scope="module")
def counted(tmp_path_factory) -> dict[str, int]:
    return count(tmp_path_factory.mktemp("budgets"))


@pytest.mark.parametrize("name", BUDGETS)
def test_it_stays_within_its_budget(name, counted):
    most, _ = BUDGETS[name]
    assert counted[name] <= most
