"""A bot account that a test moves by hand, through the Bot API."""
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import requests

_TIMEOUT_S = 10


class Puppet:
    """Accepts challenges and plays moves when it is told to."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {token}"
        self._answer = self._session.get(f"{url}/api/stream/event", stream=True, timeout=_TIMEOUT_S)
        self._events = self._read()

    def __enter__(self) -> Puppet:
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._session.close()

    def next_challenge(self) -> dict[str, Any]:
        """Wait for the next challenge."""
        return self._next("challenge")

    def accept(self) -> str:
        """Wait for the next challenge and accept it; the game's id."""
        challenge = self.next_challenge()
        self.post(f"challenge/{challenge['id']}/accept")
        return str(challenge["id"])

    def decline(self, reason: str) -> None:
        """Wait for the next challenge and decline it."""
        self.post(f"challenge/{self.next_challenge()['id']}/decline", reason=reason)

    def play(self, game_id: str, move: str) -> None:
        """Make a move."""
        self.command(game_id, f"move/{move}")

    def command(self, game_id: str, command: str, **fields: str) -> None:
        """Any command of the Bot API."""
        self.post(f"bot/game/{game_id}/{command}", **fields)

    def post(self, path: str, **fields: str) -> None:
        """Post a form."""
        answer = self._session.post(f"{self._url}/api/{path}", data=fields, timeout=_TIMEOUT_S)
        assert answer.ok, answer.text

    def _next(self, kind: str) -> dict[str, Any]:
        for event in self._events:
            if event["type"] == kind:
                return dict(event[kind])
        raise AssertionError("the event stream has ended")

    def _read(self) -> Iterator[dict[str, Any]]:
        for line in self._answer.iter_lines():
            if line:
                yield json.loads(line)
