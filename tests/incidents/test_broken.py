"""Our own parts at their worst: a move is owed all the same, and no place is lost."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest

from bot.daemon import Daemon
from bot.lichess import Lichess
from bot.records.database import Records
from bot.search.thinker import Limits, StopFlag, Thinker, Thought
from bot.server.app import LocalLichess
from rules.game import Game
from tests.bot.loopback import Exchange, loopback
from tests.incidents.house import Seat, centella, eventually, quick_config
from tests.server.players import Player


class Failing:
    """A mind that fails."""

    def __init__(self, hash_mb: int) -> None:
        self.hash_mb = hash_mb

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        """Fail."""
        raise RuntimeError("no idea")

    def clear(self) -> None:
        """There is nothing to forget."""


class Stubborn(Failing):
    """A mind that does not come to an end, whatever its limits."""

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        """Wait for the flag, and longer."""
        threading.Event().wait(2)
        return Thinker(self.hash_mb).think(game, limits, stop)


class Confused(Failing):
    """A mind whose moves belong to another position."""

    def think(self, game: Game, limits: Limits, stop: StopFlag | None = None) -> Thought:
        """A move that was legal a while ago."""
        other = Game.start(game.variant, game.policy)
        return Thinker(self.hash_mb).think(other, limits, stop)


@pytest.mark.parametrize("mind", [Failing, Stubborn, Confused])
def test_a_legal_move_is_sent_even_when_the_search_does_not_find_one(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture, mind: type[Failing]
) -> None:
    timing = {"overdue_ms": 100, "first_move_ms": 100}
    with centella(lichess, tmp_path, new_mind=mind, timing=timing) as bot:
        game = Seat(rival, bot.name, **{"clock.limit": 30, "clock.increment": 5})
        for uci in ("e2e4", "h2h3"):
            assert len(game.move(uci)["moves"].split()) == game.plies
        assert game.plies == 4
        game.finish()
        bot.ended(1)
    assert any("the search" in record.message for record in caplog.records if record.levelno == logging.ERROR)
    caplog.clear()


def test_a_rejected_move_is_looked_up_and_sent_again(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    with centella(lichess, tmp_path) as bot:
        game = Seat(rival, bot.name)
        lichess.fault("status=400@/api/bot/game/*/move/*#2")
        game.move("e2e4")
        game.move("a2a3")
        game.finish()
        bot.ended(1)


def test_a_move_that_is_always_rejected_ends_in_a_resignation(
    lichess: LocalLichess, rival: Player, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with centella(lichess, tmp_path, network={"settle_s": 0.05, "reopen_first_s": 0.02}) as bot:
        game = Seat(rival, bot.name)
        game.move("e2e4")
        lichess.fault("status=400@/api/bot/game/*/move/*")
        rival.move(game.id, "a2a3")
        while game.state["status"] == "started":
            game.read()
        assert (game.state["status"], game.state["winner"]) == ("resign", "white")
    assert sum("broken off" in message for message in caplog.messages) == 3
    caplog.clear()


def test_a_hopeless_game_is_resigned_only_if_configured(lichess: LocalLichess, rival: Player, tmp_path: Path) -> None:
    lost = "k7/8/8/8/8/8/8/KQQ5 w - - 0 1"
    for number, allow in enumerate((True, False)):
        resign = {"allow": allow, "moves": 1}
        with centella(lichess, tmp_path / str(number), f"bot{number}", conduct={"resign": resign}) as bot:
            game = Seat(rival, bot.name, variant="fromPosition", fen=lost)
            assert game.move("b1b2")["status"] == "started", "to resign now would be to abort"
            game.move("b2b3")
            assert game.state["status"] == ("resign" if allow else "started")
            game.finish()
            bot.ended(1)


GAME: dict[str, Any] = {
    "gameId": "abcdefgh", "color": "black", "status": {"id": 20, "name": "started"}, "speed": "blitz",
    "variant": {"key": "standard", "name": "Standard"}, "isMyTurn": True,
    "opponent": {"id": "rival", "username": "rival"},
}  # fmt: skip
STATE = {"type": "gameState", "moves": "e2e5", "wtime": 60_000, "btime": 60_000, "status": "started"}
FULL = {
    "type": "gameFull", "id": "abcdefgh", "variant": {"key": "standard"}, "clock": {"initial": 60_000, "increment": 0},
    "white": {"id": "rival", "name": "rival"}, "black": {"id": "housebot", "name": "housebot"},
    "initialFen": "startpos", "state": STATE,
}  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        FULL,
        FULL | {"variant": {"key": "bughouse"}},
        FULL | {"black": {"id": "somebody", "name": "else"}},
        FULL | {"initialFen": "8/8/8/8/8/8/8/8 w - - 0 1"},
        {key: value for key, value in FULL.items() if key != "state"},
    ],
    ids=["illegal move", "unknown game", "not our game", "impossible position", "malformed"],
)
def test_a_game_that_makes_no_sense_is_loud_and_harms_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, line: dict[str, Any]
) -> None:
    def answer(exchange: Exchange) -> None:
        if exchange.path.startswith("/api/account/playing"):
            exchange.reply_json({"nowPlaying": [GAME]})
        elif "/stream/" in exchange.path:
            exchange.open_stream()
            event = {"type": "gameStart", "game": GAME} if exchange.path.endswith("event") else line
            exchange.chunk(json.dumps(event).encode() + b"\n")
            while not exchange.server.over.wait(0.1):
                exchange.chunk(b"\n")
        else:
            exchange.reply_json({"id": "housebot", "username": "housebot", "ok": True})

    config = quick_config(network={"reopen_first_s": 0.02})
    with loopback(answer) as server, Records(tmp_path) as records:
        client = Lichess(server.url, "token", config.network)
        daemon = Daemon(config, client, records, client.account(), source="test")
        thread = threading.Thread(target=daemon.run)
        thread.start()
        resigned = "/api/bot/game/abcdefgh/resign"
        eventually(lambda: resigned in [request.path for request in server.requests], "the game is given up")
        daemon.stop()
        thread.join(10)
        assert not thread.is_alive()
        assert not any("/move/" in request.path for request in server.requests)
    assert sum("broken off" in message for message in caplog.messages) == 3
    caplog.clear()
