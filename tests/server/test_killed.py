"""kill -9 takes no move that was answered; bench/server_kill.py does the same many more times."""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.server.killing import Killing
from tests.server.players import PATIENCE_S, until
from tests.server.processes import ServerProcess


@pytest.mark.timeout(120)
def test_a_killed_server_has_lost_no_answered_move_and_goes_on(tmp_path: Path) -> None:
    toll = Killing(tmp_path, seed=3, games=3).run(kills=3)
    assert (toll.lost, toll.invented) == ([], [])
    assert toll.kills == 3 and toll.answered > 20


class Guest:
    """A person before the page, known by a cookie, in a game against the bot of `centella local`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = requests.Session()
        self._http.post(f"{url}/web/guest", timeout=PATIENCE_S)
        terms = {"clock.limit": 300, "clock.increment": 3, "color": "white", "keepAliveStream": True}
        until(lambda: '"centella"' in self._http.get(f"{self.url}/api/bot/online", timeout=PATIENCE_S).text)
        answer = self._http.post(f"{url}/api/challenge/centella", json=terms, timeout=PATIENCE_S)
        challenge, done = (json.loads(line) for line in answer.text.splitlines() if line)
        assert done == {"done": "accepted"}
        self._game = challenge["id"]

    def play(self, uci: str) -> list[str]:
        """Move, and wait for the answer; all moves."""
        answer = self._http.post(f"{self.url}/api/board/game/{self._game}/move/{uci}", timeout=PATIENCE_S)
        assert answer.ok, answer.text
        for moves in self._moves():
            if uci in moves and len(moves) % 2 == 0:
                return moves
        raise AssertionError("the game has ended")

    def _moves(self) -> Iterator[list[str]]:
        path = f"{self.url}/api/board/game/stream/{self._game}"
        with self._http.get(path, stream=True, timeout=PATIENCE_S) as response:
            for line in response.iter_lines(chunk_size=None):
                message = json.loads(line) if line else {}
                state = message.get("state", message)
                if "moves" in state:
                    yield state["moves"].split()


@pytest.mark.timeout(120)
def test_a_person_goes_on_with_the_bot_after_centella_local_was_killed(tmp_path: Path) -> None:
    options = ("--no-browser", "--think-ms", "20")
    with ServerProcess(tmp_path, *options, command="local") as house:
        guest = Guest(house.url)
        before = guest.play("a2a4")
        house.kill()
    with ServerProcess(tmp_path, *options, command="local") as house:
        guest.url = house.url
        after = guest.play("h2h4")
    assert after[: len(before)] == before and len(after) == len(before) + 2
