"""The kit's `benchmarks/common.py`, imported where it is."""

from __future__ import annotations

import time

import pytest
import torch
from render import kit_module


@pytest.mark.parametrize("power", range(-9, 7))
@pytest.mark.parametrize("digits", [1, 8.45432, 9.99999])
def test_a_speed_does_not_touch_the_column_before(power, digits):
    """A call of 0.000845 GB/s filled its column, and the number before it ran into it."""
    speed = digits * 10.0**power
    figure = kit_module("common", "benchmarks").figure(speed)
    assert len(figure) <= 7
    assert float(figure) == pytest.approx(speed, rel=0.06)


COMMON = kit_module("common", "benchmarks")


def doubled(x, y):
    time.sleep(0.002)  # longer than a call is uncertain by
    return x * y + 1


def by_content():
    seen = {}

    def function(x, y):
        key = x.sum().item(), y.sum().item()
        if key not in seen:
            seen[key] = doubled(x, y)
        return seen[key]

    return function


def by_address():
    seen = {}

    def function(x, y):
        time.sleep(0.002)
        return seen.setdefault(x.data_ptr(), x * y + 1)

    return function


def by_version():
    seen = {}

    def function(x, y):
        time.sleep(0.002)
        return seen.setdefault((x.data_ptr(), x._version), x * y + 1)

    return function


CHEATS = {
    "by content": (by_content, "answers repeated arguments from a cache"),
    "by address": (by_address, "after it was timed, its result differs"),
    "by version": (by_version, "after it was timed, its result differs"),
    "nothing": (lambda: lambda x, y: torch.zeros_like(x), "its result differs"),
}


def draw():
    return [torch.randn(100, 50), torch.randn(100, 50)]


def test_a_benchmark_of_an_honest_operator_ends():
    COMMON.refuse_cached(doubled, doubled, draw, "cpu")


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_benchmark_refuses_a_cache(cheat, capsys):
    make, reason = CHEATS[cheat]
    with pytest.raises(SystemExit) as ended:
        function = make()
        function.__name__ = "cheat"
        COMMON.refuse_cached(function, doubled, draw, "cpu")
    assert ended.value.code == COMMON.WRONG
    assert reason in capsys.readouterr().err


def test_a_benchmark_takes_random_results():
    noise = lambda x, y: torch.randn_like(x)
    COMMON.refuse_cached(noise, noise, draw, "cpu")
