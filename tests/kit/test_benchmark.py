"""The kit's `benchmarks/common.py`, imported where it is."""

from __future__ import annotations

import pytest
from render import kit_module


@pytest.mark.parametrize("power", range(-9, 7))
@pytest.mark.parametrize("digits", [1, 8.45432, 9.99999])
def test_a_speed_does_not_touch_the_column_before(power, digits):
    """A call of 0.000845 GB/s filled its column, and the number before it ran into it."""
    speed = digits * 10.0**power
    figure = kit_module("common", "benchmarks").figure(speed)
    assert len(figure) <= 7
    assert float(figure) == pytest.approx(speed, rel=0.06)
