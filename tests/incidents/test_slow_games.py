"""Games by the day and without a clock: they hold nothing while the opponent thinks, and are never forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import Seat, centella, eventually
from tests.server.players import Player

NO_CLOCK: dict[str, Any] = {"clock.limit": None, "clock.increment": None}
DAYS = NO_CLOCK | {"days": 3}
RESTING = {
    "accept": {"max_games": 1, "queue": {"wait_s": 0.1}, "slow": {"rest_after_s": 0.1}},
    "network": {"reconcile_every_s": 0.3},
    "timing": {"correspondence_ms": 50, "unlimited_ms": 50},
}


def unread(lichess: LocalLichess, game_id: str, bot: str) -> bool:
    """Whether the bot has no stream of the game open."""
    return lichess.call(lambda site: all(reader.user_id != bot for reader in site.audience.readers(game_id)))


@pytest.mark.parametrize("terms", [DAYS, NO_CLOCK], ids=["days", "unlimited"])
def test_a_slow_game_holds_no_place_while_the_opponent_thinks(
    lichess: LocalLichess, rival: Player, tmp_path: Path, terms: dict[str, Any]
) -> None:
    """Trap 56."""
    with centella(lichess, tmp_path, **RESTING) as bot:
        slow = Seat(rival, bot.name, **terms)
        slow.move("e2e4")
        eventually(lambda: unread(lichess, slow.id, bot.name), "nobody reads the slow game")
        quick = Seat(Player(lichess, "nervous", bot=False), bot.name)
        quick.move("e2e4")
        assert len(slow.move("a2a3")["moves"].split()) == 4
        quick.finish()
        slow.finish()
        bot.ended(2)


def test_a_slow_game_that_ends_while_it_rests_is_recorded(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, **RESTING) as bot:
        slow = Seat(rival, bot.name, **DAYS)
        slow.move("e2e4")
        eventually(lambda: unread(lichess, slow.id, bot.name), "nobody reads the slow game")
        slow.finish()
        (record,) = bot.ended(1)
        assert (record.reason, record.plies) == ("resignation", 2)


def test_slow_games_are_taken_up_again_after_a_restart(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, **RESTING) as bot:
        ended, waiting, moved = (Seat(rival, bot.name, **DAYS) for _ in range(3))
        for game in (ended, waiting, moved):
            game.move("e2e4")
    ended.finish()
    rival.move(moved.id, "a2a3")
    with centella(lichess, tmp_path, **RESTING) as bot:
        (record,) = bot.ended(1)
        assert record.game_id == ended.id
        moved.read_until(4)
        assert unread(lichess, waiting.id, bot.name), "there was nothing to do in it"
        assert len(bot.records.open_games("test", bot.name)) == 2
        for game in (waiting, moved):
            game.finish()
        bot.ended(3)


def test_slow_games_are_attended_to_one_after_the_other(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    one_by_one = {**RESTING["accept"], "slow": {"rest_after_s": 60.0, "at_once": 1}}
    with centella(lichess, tmp_path, **{**RESTING, "accept": one_by_one}) as bot:
        games = [Seat(rival, bot.name, **DAYS) for _ in range(3)]
        for game in games:
            game.move("e2e4")
        eventually(lambda: sum(not unread(lichess, game.id, bot.name) for game in games) == 3, "new games are read")
    for game in games:
        rival.move(game.id, "a2a3")
    with centella(lichess, tmp_path, **{**RESTING, "accept": one_by_one}) as bot:
        for game in games:
            game.read_until(4)
        eventually(lambda: sum(not unread(lichess, game.id, bot.name) for game in games) == 1, "the others rest")
        for game in games:
            game.finish()
        bot.ended(3)


def test_more_slow_games_than_configured_are_asked_for_later(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    with centella(lichess, tmp_path, accept={"slow": {"max_games": 1}}) as bot:
        Seat(rival, bot.name, **DAYS)
        events = rival.events()
        rival.challenge(Player(lichess, bot.name), **DAYS)
        assert events.next_of("challengeDeclined")["challenge"]["declineReasonKey"] == "later"
