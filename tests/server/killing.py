"""Games against a server that is killed again and again: is every answered move there afterwards?"""
from __future__ import annotations

import json
import random
import threading
from dataclasses import dataclass, field
from pathlib import Path

import requests

from rules import draws, uci, variants
from rules.game import Game
from tests.server.players import PATIENCE_S
from tests.server.processes import ServerProcess

NAMES = ("alpha", "beta")
LATEST_KILL_S = 0.6


@dataclass
class Played:
    """One game: the moves that were answered, one that was sent but not answered any more, and those found before."""

    id: str
    answered: list[str] = field(default_factory=list)
    unanswered: str | None = None
    found: int = 0


@dataclass
class Toll:
    """What the kills have done."""

    kills: int = 0
    answered: int = 0
    lost: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)


class Killing:
    """A server with a few games that two bots play as fast as they can, each game in a thread of its own."""

    def __init__(self, folder: Path, seed: int, games: int) -> None:
        self.toll = Toll()
        self._folder = folder
        self._chance = random.Random(seed)
        self._games = [Played("")] * games
        self._server = ServerProcess(folder, "--mint", *NAMES)
        self._tokens = [self._server.line().split()[-1] for _ in NAMES]

    def run(self, kills: int) -> Toll:
        """Let them play, kill the server at some moment, start it and compare; so many times."""
        for _ in range(kills):
            self._play_until_killed()
            self._server = ServerProcess(self._folder)
            self.toll.kills += 1
            for played in self._games:
                self._compare(played)
        self._server.kill()
        return self.toll

    def _play_until_killed(self) -> None:
        for place, played in enumerate(self._games):
            if not played.id or self._state(played)["status"] != "started":
                self._games[place] = self._begin()
        players = [
            threading.Thread(target=self._play, args=(played, self._chance.randrange(2**32))) for played in self._games
        ]
        for player in players:
            player.start()
        timer = threading.Timer(self._chance.uniform(0, LATEST_KILL_S), self._server.kill)
        timer.start()
        for player in players:
            player.join(PATIENCE_S)
        timer.join()

    def _begin(self) -> Played:
        fields = {"clock.limit": 10_800, "clock.increment": 60, "color": "white"}
        game_id: str = self._post(0, "/api/challenge/beta", fields).json()["id"]
        assert self._post(1, f"/api/challenge/{game_id}/accept").ok
        return Played(game_id)

    def _play(self, played: Played, seed: int) -> None:
        """Random moves until the game is over or the server is gone."""
        chance = random.Random(seed)
        game = Game.replay(variants.STANDARD, draws.LICHESS_WITH_BOT, None, played.answered)
        while game.outcome is None:
            move = chance.choice(game.position.legal_moves())
            played.unanswered = uci.write(game.position, move, rook_castling=False)
            try:
                answer = self._post(game.turn, f"/api/bot/game/{played.id}/move/{played.unanswered}")
            except requests.RequestException:
                return
            assert answer.ok, answer.text
            played.answered.append(played.unanswered)
            played.unanswered = None
            game.play(move)

    def _compare(self, played: Played) -> None:
        moves: list[str] = self._state(played)["moves"].split()
        answered = played.answered
        self.toll.answered += len(answered) - played.found
        if moves[: len(answered)] != answered:
            self.toll.lost.append(f"{played.id}: {' '.join(answered)} became {' '.join(moves)}")
        if moves[len(answered) :] not in ([], [played.unanswered]):
            self.toll.invented.append(f"{played.id}: {' '.join(moves[len(answered) :])}")
        played.answered, played.unanswered, played.found = moves, None, len(moves)

    def _state(self, played: Played) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self._tokens[0]}"}
        path = f"{self._server.url}/api/bot/game/stream/{played.id}"
        with requests.get(path, headers=headers, stream=True, timeout=PATIENCE_S) as response:
            state: dict[str, str] = json.loads(next(response.iter_lines(chunk_size=None)))["state"]
        return state

    def _post(self, player: int, path: str, fields: dict[str, object] | None = None) -> requests.Response:
        headers = {"Authorization": f"Bearer {self._tokens[player]}"}
        return requests.post(self._server.url + path, json=fields, headers=headers, timeout=PATIENCE_S)
