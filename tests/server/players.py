"""Clients for the tests: a person or bot over plain HTTP, and a reader of streams that never waits for ever."""
from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import requests

from bot.server.app import LocalLichess

PATIENCE_S = 10
KEEP_ALIVE = ""


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s, "waited too long"


class Lines:
    """The lines of a stream, read by a thread of its own."""

    def __init__(self, response: requests.Response) -> None:
        self.response = response
        self.broken = False
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self.response.iter_lines(chunk_size=None):
                self._lines.put(line.decode())
        except (requests.RequestException, AttributeError, ValueError):
            # The last two come of closing a response that another thread is reading.
            self.broken = True
        self._lines.put(None)

    def raw(self) -> str | None:
        """The next line, blank ones included; None at the end."""
        return self._lines.get(timeout=PATIENCE_S)

    def next(self) -> dict[str, Any]:
        """The next line that is no keep-alive."""
        while (line := self.raw()) == KEEP_ALIVE:
            pass
        assert line is not None, "the stream has ended"
        message: dict[str, Any] = json.loads(line)
        return message

    def next_of(self, *types: str) -> dict[str, Any]:
        """The next line of one of these types."""
        while (message := self.next())["type"] not in types:
            pass
        return message

    def rest(self) -> list[dict[str, Any]]:
        """Everything up to the end of the stream, without keep-alives."""
        lines = []
        while (line := self.raw()) is not None:
            if line != KEEP_ALIVE:
                lines.append(json.loads(line))
        return lines

    def nothing_yet(self) -> bool:
        """Whether no line waits to be read."""
        return self._lines.empty()

    def close(self) -> None:
        """Leave."""
        self.response.raw._fp.fp.raw._sock.shutdown(2)


class Player:
    """An account with a token."""

    def __init__(
        self, lichess: LocalLichess, name: str, bot: bool = True, scopes: frozenset[str] | None = None
    ) -> None:
        self.lichess = lichess
        self.name = name
        self.api = "bot" if bot else "board"
        self.token = lichess.mint(name, bot=bot, scopes=scopes)
        self.http = requests.Session()
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.http.get(self.lichess.url + path, timeout=PATIENCE_S, **options)

    def post(self, path: str, **options: Any) -> requests.Response:
        return self.http.post(self.lichess.url + path, timeout=PATIENCE_S, **options)

    def stream(self, path: str, **options: Any) -> Lines:
        response = requests.get(
            self.lichess.url + path,
            headers={"Authorization": f"Bearer {self.token}", "User-Agent": self.name, **options.pop("headers", {})},
            stream=True,
            timeout=PATIENCE_S,
            **options,
        )
        assert response.status_code == 200, response.text
        return Lines(response)

    def events(self) -> Lines:
        return self.stream("/api/stream/event")

    def game(self, game_id: str, **headers: str) -> Lines:
        return self.stream(f"/api/{self.api}/game/stream/{game_id}", headers=headers)

    def challenge(self, other: Player, **fields: object) -> dict[str, Any]:
        terms = {"clock.limit": 180, "clock.increment": 2, "color": "white"}
        terms |= {name.replace("__", "."): value for name, value in fields.items()}
        response = self.post(f"/api/challenge/{other.name}", json=terms)
        assert response.status_code == 200, response.text
        challenge: dict[str, Any] = response.json()
        return challenge

    def accept(self, challenge_id: str) -> None:
        response = self.post(f"/api/challenge/{challenge_id}/accept")
        assert response.status_code == 200, response.text

    def command(self, game_id: str, command: str, **options: Any) -> requests.Response:
        return self.post(f"/api/{self.api}/game/{game_id}/{command}", **options)

    def move(self, game_id: str, uci: str, **params: str) -> None:
        response = self.command(game_id, f"move/{uci}", params=params)
        assert response.status_code == 200, response.text


class Match:
    """A game between two players, and the stream of each."""

    def __init__(self, white: Player, black: Player, **fields: object) -> None:
        self.white, self.black = white, black
        challenge = white.challenge(black, **fields)
        self.id = challenge["id"]
        black.accept(self.id)

    def play(self, *moves: str) -> None:
        """Make moves, White first."""
        for ply, uci in enumerate(moves):
            (self.black if ply % 2 else self.white).move(self.id, uci)
