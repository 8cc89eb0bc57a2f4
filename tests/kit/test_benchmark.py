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


def moved(x, xs, ys):
    for y in ys:
        y.add_(1)
    return x + 1, [x + 2, x + 3]


def test_each_tensor_counts_once_and_results_count_too():
    """A result counted nothing, so that a kernel that mostly writes seemed slow, and a gather faster than a copy."""
    x, y, z = torch.ones(3, 1000)
    nbytes = COMMON.bytes_of(moved)["forward"]([x, [x, y], [z]])
    assert nbytes == (3 + 3) * 4000


def slow(x):
    time.sleep(x.numel() / 1000)


@pytest.mark.parametrize(
    "numel, before, left_out",
    [
        (10, [], False),
        (100, [], True),  # a call takes too long
        (10, [{"seconds": 0.02, "numel": 4}], False),
        (10, [{"seconds": 0.03, "numel": 4}], True),  # by the time of 4 elements
    ],
)
def test_sizes_that_would_take_minutes_are_left_out(numel, before, left_out, monkeypatch):
    """A kernel of one thread took 3 s a call with 2^24 elements, and the benchmark called it hundreds of times."""
    monkeypatch.setattr(COMMON, "LONGEST", 0.06)
    x = torch.empty(numel)
    assert COMMON.takes_too_long([slow], [x], "cpu", numel, before) == left_out


def test_one_time_work_does_not_count(monkeypatch):
    monkeypatch.setattr(COMMON, "LONGEST", 0.06)
    compiling = iter([0.1])
    assert not COMMON.takes_too_long([lambda: time.sleep(next(compiling, 0))], [], "cpu", 1, [])


def test_a_kernel_that_is_faster_than_its_limit_is_doubtful():
    """A gather of few rows had 13 times the bandwidth of a copy: it does not read the table that was counted."""
    assert COMMON.exceeds({"kernel": 13.0, "copy": 1.0}, COMMON.copy)
    assert not COMMON.exceeds({"kernel": 1.1, "copy": 1.0}, COMMON.copy)


def summed_in_order(x, segment):
    out = torch.zeros(2, x.shape[1], dtype=x.dtype)
    for row, to in zip(x, segment):
        out[to] += row
    return out


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_order_of_a_sum_in_16_bits_is_not_a_wrong_result(dtype):
    """A scatter of 9362 rows in bfloat16 was called wrong: each order of an atomic sum rounds differently."""
    torch.manual_seed(0)
    draw = lambda: torch.testing.make_tensor((9362, 7), dtype=dtype, device="cpu")
    x, segment, order = draw(), torch.randint(2, (9362,)), torch.randperm(9362)
    summed = [summed_in_order(x, segment)]
    assert COMMON.agree(summed, [summed_in_order(x[order], segment[order])])
    assert not COMMON.agree(summed, [summed_in_order(draw(), segment)])
