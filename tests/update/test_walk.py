"""A random walk of edits, answers and updates loses no edit; see walk.py."""

from __future__ import annotations

import time

import pytest
from walk import SEED, STEPS, Walk


@pytest.mark.long
def test_no_edit_is_lost(tmp_path, summary):
    print(
        f"WALK_SEED={SEED} WALK_STEPS={STEPS} ./dev render -- tests/update/test_walk.py repeats this"
    )
    walk = Walk(tmp_path)
    begin = time.monotonic()
    for number in range(STEPS):
        print(f"step {number}: {walk.step()}, {walk.answers}")
    seconds = (time.monotonic() - begin) / STEPS
    counts = ", ".join(f"{number} {what}" for what, number in walk.counts.items())
    summary("randomized walk")(
        f"{STEPS} steps, {counts}, losses = 0, seed {SEED}, {seconds:.1f} s a step"
    )
    assert walk.counts["edits"] and walk.counts["updates"]
