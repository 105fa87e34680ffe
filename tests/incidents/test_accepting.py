"""Challenges: answered at once, for the right reason, and never for more games than there are places."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import Seat, centella, eventually
from tests.server.players import Player

ACCEPT = "/api/challenge/*/accept"


def test_twenty_challenges_at_once_for_one_place_are_one_game(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, accept={"max_games": 1}) as bot:
        guests = [Player(lichess, f"guest{number}", bot=False) for number in range(20)]
        streams = [guest.events() for guest in guests]
        ids = [guest.challenge(Player(lichess, bot.name))["id"] for guest in guests]
        events = [stream.next_of("gameStart", "challengeDeclined") for stream in streams]
        kinds = [event["type"] for event in events]
        assert kinds.count("gameStart") == 1
        reasons = {event["challenge"]["declineReasonKey"] for event in events if "challenge" in event}
        assert reasons == {"later"}
        (game_id,) = (event["game"]["gameId"] for event in events if "game" in event)
        guests[ids.index(game_id)].command(game_id, "abort")
        bot.ended(1)


@pytest.mark.parametrize(
    ("terms", "accept", "reason"),
    [
        ({"rated": True}, {"humans": {"rated": ()}}, "casual"),
        ({}, {"humans": {"casual": ()}}, "rated"),
        ({"variant": "atomic"}, {"humans": {"casual": ("spark",)}}, "variant"),
        ({"clock.limit": 60, "clock.increment": 0}, {"humans": {"speeds": ("rapid",)}}, "toofast"),
        ({"clock.limit": 3600, "clock.increment": 0}, {"humans": {"speeds": ("rapid",)}}, "tooslow"),
        ({}, {"humans": {"allow": False}}, "onlybot"),
    ],
)
def test_a_person_is_told_why_within_two_seconds(
    lichess: LocalLichess, rival: Player, tmp_path: Path, terms: dict[str, Any], accept: dict[str, Any], reason: str
) -> None:
    with centella(lichess, tmp_path, accept=accept) as bot:
        events = rival.events()
        began = time.monotonic()
        rival.challenge(Player(lichess, bot.name), **terms)
        declined = events.next_of("challengeDeclined", "gameStart")
        assert time.monotonic() - began < 2
        assert declined["challenge"]["declineReasonKey"] == reason


def test_a_bot_is_told_that_bots_are_not_played(lichess: LocalLichess, tmp_path: Path) -> None:
    with centella(lichess, tmp_path, accept={"bots": {"allow": False}}) as bot:
        other = Player(lichess, "fusebox")
        events = other.events()
        other.challenge(Player(lichess, bot.name))
        assert events.next_of("challengeDeclined", "gameStart")["challenge"]["declineReasonKey"] == "nobot"


def test_a_challenge_taken_back_before_our_answer_frees_its_place(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    lichess.fault(f"status=503@{ACCEPT}#2")
    with centella(lichess, tmp_path, accept={"max_games": 1}) as bot:
        challenge = rival.challenge(Player(lichess, bot.name))
        assert rival.post(f"/api/challenge/{challenge['id']}/cancel").status_code == 200
        game = Seat(Player(lichess, "other", bot=False), bot.name)
        game.move("e2e4")
        game.finish()
        eventually(lambda: bot.records.has_ended(game.id, "test", bot.name), "the second game is recorded")


def test_an_accept_whose_answer_is_lost_is_a_game_all_the_same(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    lichess.fault(f"lose@{ACCEPT}#1")
    with centella(lichess, tmp_path, accept={"max_games": 1}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


def test_a_place_whose_game_never_starts_is_given_back(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lichess.fault(f"status=503@{ACCEPT}#3")
    with centella(lichess, tmp_path, accept={"max_games": 1}, network={"start_within_s": 0.3}) as bot:
        rival.challenge(Player(lichess, bot.name))
        eventually(lambda: any("no game has started" in line for line in caplog.messages), "the place is given back")
        game = Seat(Player(lichess, "other", bot=False), bot.name)
        game.move("e2e4")
        game.finish()
        bot.ended(1)


def test_a_game_beyond_the_places_is_played_all_the_same(lichess: LocalLichess, tmp_path: Path) -> None:
    """Two games that were running before the daemon came, with one place."""
    guests = [Player(lichess, name, bot=False) for name in ("first", "second")]
    bot_player = Player(lichess, "centella")
    ids = [guest.challenge(bot_player)["id"] for guest in guests]
    for game_id in ids:
        bot_player.accept(game_id)
    with centella(lichess, tmp_path, accept={"max_games": 1}) as bot:
        for guest, game_id in zip(guests, ids, strict=True):
            lines = guest.game(game_id)
            guest.move(game_id, "e2e4")
            while len(lines.next_of("gameState")["moves"].split()) < 2:
                pass
            guest.command(game_id, "resign")
        bot.ended(2)


def test_a_challenge_made_before_the_daemon_came_is_answered(
    lichess: LocalLichess, rival: Player, tmp_path: Path
) -> None:
    challenge = rival.challenge(Player(lichess, "centella"))
    with centella(lichess, tmp_path) as bot:
        eventually(lambda: lichess.call(lambda site: challenge["id"] in site.tables), "the game begins")
        rival.command(challenge["id"], "abort")
        bot.ended(1)
