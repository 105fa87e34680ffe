"""Two programs written with berserk, playing whole games of many kinds at once."""
from __future__ import annotations

import io
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import berserk
import chess.pgn
import pytest
import requests

from bot.server.app import LocalLichess
from rules import draws, uci, variants
from rules.game import Game
from tests.server.players import until

KINDS = {
    "standard": {"clock_limit": 180, "clock_increment": 2},
    "atomic": {"clock_limit": 180, "clock_increment": 2},
    "spark": {"clock_limit": 180, "clock_increment": 2},
    "parlour": {"turn": 30},
}
ROUNDS = 1
GAMES = len(KINDS) * ROUNDS
PATIENCE_S = 50


class TimedSession(berserk.TokenSession):
    """A session whose calls end."""

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        return super().request(*arguments, timeout=PATIENCE_S, **options)


class RandomMover:
    """Accepts every challenge and plays random moves; it knows the rules only through our package."""

    def __init__(self, lichess: LocalLichess, name: str, seed: int) -> None:
        self.name = name
        self.seed = seed
        session = TimedSession(lichess.mint(name))
        self.client = berserk.Client(session, base_url=lichess.url)
        self.problems: list[str] = []
        self.finished: Counter[str] = Counter()
        self.all_finished = threading.Event()
        self._pool = ThreadPoolExecutor(GAMES)

    def follow_events(self) -> None:
        """Read events until every game is over."""
        for event in self.client.bots.stream_incoming_events():
            if event["type"] == "challenge" and event["challenge"]["destUser"]["id"] == self.name:
                self.client.bots.accept_challenge(event["challenge"]["id"])
            elif event["type"] == "gameStart":
                self._pool.submit(self._play, event["game"]["gameId"], event["game"]["color"])
            elif event["type"] == "gameFinish":
                self.finished[event["game"]["gameId"]] += 1
                if len(self.finished) == GAMES:
                    self.all_finished.set()
                    return

    def _play(self, game_id: str, color: str) -> None:
        try:
            self._follow_game(game_id, color)
        except Exception as error:
            self.problems.append(f"{self.name} {game_id}: {error!r}")

    def _follow_game(self, game_id: str, color: str) -> None:
        chance = random.Random(f"{self.seed} {color}")
        lines = self.client.bots.stream_game_state(game_id)
        full = next(lines)
        variant = variants.by_key(full["variant"]["key"])
        game = Game.start(variant, draws.for_game(variant, with_bot=True))
        state, answered = full["state"], -1
        while True:
            for move in state["moves"].split()[len(game.moves) :]:
                game.play_uci(move)
            if state["status"] != "started":
                return
            if game.outcome is None and game.turn.wire == color and len(game.moves) != answered:
                answered = len(game.moves)
                move = chance.choice(game.position.legal_moves())
                self.client.bots.make_move(game_id, uci.write(game.position, move, rook_castling=True))
            state = next((line for line in lines if line["type"] == "gameState"), None)
            if state is None:
                self.problems.append(f"{self.name} {game_id}: the stream ended before the game")
                return


def challenge(player: RandomMover, other: str, kind: str) -> None:
    terms = KINDS[kind]
    if "turn" in terms:
        path = f"/api/challenge/{other}"
        fields = {"variant": kind, "turn.limit": terms["turn"], "rated": False}
        player.client.challenges._r.post(path, json=fields)
    else:
        player.client.challenges.create(other, rated=False, color="random", variant=kind, **terms)


@pytest.mark.timeout(120)
def test_two_berserk_bots_play_whole_games_of_four_kinds_at_once() -> None:
    with LocalLichess() as lichess:
        alpha, beta = RandomMover(lichess, "alpha", 1), RandomMover(lichess, "beta", 2)
        for player in (alpha, beta):
            threading.Thread(target=player.follow_events, daemon=True).start()
        until(lambda: lichess.call(lambda site: site.audience.online("alpha") and site.audience.online("beta")))
        for _ in range(ROUNDS):
            for kind in KINDS:
                challenge(alpha, "beta", kind)
        for player in (alpha, beta):
            assert player.all_finished.wait(PATIENCE_S), (player.finished, player.problems)
            assert player.problems == []
            assert set(player.finished.values()) == {1}
        tables = lichess.call(lambda site: list(site.tables))
        assert len(tables) == GAMES and all(table.over and table.verdict.reason for table in tables)
        for table in tables:
            if table.terms.variant.lichess:
                text = requests.get(f"{lichess.url}/game/export/{table.id}", timeout=5).text
                game = chess.pgn.read_game(io.StringIO(text))
                assert game is not None and not game.errors
                assert len(list(game.mainline_moves())) == table.plies
