"""Whole games through HTTP, several at once: two Centellas, and a program of somebody else's."""

from __future__ import annotations

import io
import random
import threading
from pathlib import Path

import berserk
import chess.pgn
import chess.variant
import pytest

from bot.server.app import LocalLichess
from rules import draws, uci, variants
from rules.game import Game
from rules.move import Color
from tests.incidents.house import centella, eventually

RULESETS = ("standard", "atomic", "spark", "parlour")
READ_BY_PYTHON_CHESS = {"standard": chess.Board, "atomic": chess.variant.AtomicBoard}
PLIES_MOST = 700


class RandomMover(threading.Thread):
    """Somebody's bot, written with berserk and our rules: plays anything legal until its game is over."""

    def __init__(self, client: berserk.Client, game_id: str) -> None:
        super().__init__(name=f"random mover in {game_id}", daemon=True)
        self.client = client
        self.game_id = game_id
        self.chance = random.Random(game_id)
        self.status = ""

    def run(self) -> None:
        """Play."""
        game, color = None, Color.WHITE
        for line in self.client.bots.stream_game_state(self.game_id):
            if line["type"] == "gameFull":
                color = Color.WHITE if line["white"].get("id") == "rando" else Color.BLACK
                variant = variants.by_key(line["variant"]["key"])
            state = line.get("state", line)
            if "moves" not in state:
                continue
            self.status = state["status"]
            game = Game.replay(variant, draws.for_game(variant, with_bot=True), None, state["moves"].split())
            if self.status == "started" and game.outcome is None and game.turn is color:
                move = self.chance.choice(game.position.legal_moves())
                self.client.bots.make_move(self.game_id, uci.write(game.position, move, variant.chess960))


def client(lichess: LocalLichess, name: str) -> berserk.Client:
    return berserk.Client(berserk.TokenSession(lichess.mint(name)), base_url=lichess.url)


def challenged(host: berserk.Client, opponent: str, variant: str, color: str) -> str:
    made = host.challenges.create(
        opponent, rated=False, clock_limit=180, clock_increment=2, variant=variant, color=color
    )
    return str(made["id"])


def is_over(lichess: LocalLichess, game_id: str) -> bool:
    return lichess.call(lambda site: game_id in site.tables and site.tables[game_id].over)


def left_over() -> list[str]:
    """The threads of games that are over."""
    kinds = ("game ", "stream of ", "search of ", "move of ", "errand")
    return [thread.name for thread in threading.enumerate() if thread.name.startswith(kinds)]


def test_twelve_games_in_four_rulesets(
    lichess: LocalLichess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    many = {"max_games": 12}
    with (
        centella(lichess, tmp_path / "ada", "ada", accept=many) as ada,
        centella(lichess, tmp_path / "bea", "bea", accept=many) as bea,
    ):
        guest, host = client(lichess, "rando"), client(lichess, "ada")
        games: dict[str, tuple[str, set[str]]] = {}
        movers = []
        for number, variant in enumerate(RULESETS):
            color = ("white", "black")[number % 2]
            games[challenged(host, "bea", variant, color)] = (variant, {"ada", "bea"})
            for name in ("ada", "bea"):
                game_id = challenged(guest, name, variant, color)
                games[game_id] = (variant, {"rando", name})
                eventually(lambda game_id=game_id: lichess.call(lambda site: game_id in site.tables), "it begins")
                movers.append(RandomMover(guest, game_id))
                movers[-1].start()
        for game_id in games:
            eventually(lambda game_id=game_id: is_over(lichess, game_id), f"{game_id} is over", 90)
        for mover in movers:
            mover.join(10)
            assert mover.status not in ("", "created", "started")
        recorded = {bot.name: {record.game_id: record for record in bot.ended(8)} for bot in (ada, bea)}
    eventually(lambda: not left_over(), f"no thread is left over: {left_over()}")
    assert not any("rejected" in message or "is overdue" in message for message in caplog.messages)
    for game_id, (variant, players) in games.items():
        records = [recorded[name][game_id] for name in sorted(players & recorded.keys())]
        assert {record.variant for record in records} == {variant}
        assert len({(record.result, record.status, record.moves) for record in records}) == 1
        assert records[0].result != "*"
        assert records[0].plies < PLIES_MOST
        if variant in READ_BY_PYTHON_CHESS:
            text = guest.games.export(game_id, as_pgn=True)
            assert isinstance(text, str)
            read = chess.pgn.read_game(io.StringIO(text))
            assert read is not None
            assert read.errors == []
            assert type(read.board()) is READ_BY_PYTHON_CHESS[variant]
            assert read.headers["Result"] == records[0].result
            assert [move.uci() for move in read.mainline_moves()] == records[0].moves.split() or variant == "atomic"
            assert sum(1 for _ in read.mainline_moves()) == records[0].plies
