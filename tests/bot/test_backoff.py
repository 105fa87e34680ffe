"""Pauses that grow, and openings that are counted."""

from __future__ import annotations

import random

from bot.backoff import Allowance, Backoff


def test_pauses_double_to_their_limit_with_jitter_and_start_again() -> None:
    pauses = Backoff(1, 30, random.Random(4))
    found = [pauses.next_s() for _ in range(8)]
    for pause, whole in zip(found, [1, 2, 4, 8, 16, 30, 30, 30], strict=True):
        assert 0.75 * whole <= pause <= whole
    assert len(set(found)) == len(found)
    pauses.reset()
    assert pauses.next_s() <= 1


def test_pauses_stay_bounded_after_thousands_of_failures() -> None:
    pauses = Backoff(1, 30, random.Random(4))
    assert max(pauses.next_s() for _ in range(5000)) <= 30


def test_an_allowance_counts_in_a_moving_window() -> None:
    allowance = Allowance(2, 10)
    assert allowance.wait_s(0) == 0
    allowance.note(0)
    allowance.note(4)
    assert allowance.wait_s(5) == 5
    assert allowance.wait_s(10) == 0
    allowance.note(10)
    assert allowance.wait_s(11) == 3
