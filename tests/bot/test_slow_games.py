"""Games that rest: called when there is something to do, and attended to as far as there is room."""

from __future__ import annotations

from dataclasses import replace

from bot.slow_games import SlowGames
from tests.bot.test_records import OPEN


def test_games_are_attended_to_in_the_order_they_were_called() -> None:
    slow = SlowGames()
    for name in ("one", "two", "three"):
        slow.rest(replace(OPEN, game_id=name))
    for name in ("three", "one", "three", "two"):
        slow.call(name)
    assert [entry.game_id for entry in slow.take_called(2)] == ["three", "one"]
    assert slow.waiting
    assert slow.ids == ("two",)
    assert [entry.game_id for entry in slow.take_called(5)] == ["two"]
    assert not slow.waiting


def test_a_game_that_does_not_rest_cannot_be_called() -> None:
    slow = SlowGames()
    slow.call("one")
    assert not slow.waiting
    slow.rest(OPEN)
    assert OPEN.game_id in slow
    assert slow.take_called(3) == []


def test_without_room_nothing_is_attended_to() -> None:
    slow = SlowGames()
    slow.rest(OPEN)
    slow.call(OPEN.game_id)
    assert slow.take_called(0) == []
    assert slow.take_called(-1) == []
    assert slow.waiting
