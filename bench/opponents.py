"""Opponents for a bot under test: each plays one game over HTTP, quickly, with the whims that people have."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import requests

from bot.search.thinker import Limits, Thinker
from rules import draws, uci, variants
from rules.game import Game

PATIENCE_S: Final = 30.0
CHALLENGES_MOST: Final = 20
WHIMS: Final = ("draw/yes", "takeback/yes", "draw/no", "chat")
OVER: Final = frozenset({"created", "started"})


@dataclass(frozen=True)
class Terms:
    """What is played: a variant and a clock in seconds."""

    variant: str
    limit_s: int
    increment_s: int = 0
    fen: str | None = None

    @property
    def fields(self) -> dict[str, object]:
        """The same as a challenge's form."""
        clock = {"clock.limit": self.limit_s, "clock.increment": self.increment_s}
        return {"variant": self.variant, "fen": self.fen, "rated": False, "color": "random", **clock}


@dataclass
class Played:
    """What the opponent saw of its game; `problem` is something that must not happen.

    `least_ms` is what the bot's clock showed at its lowest.
    """

    opponent: str
    terms: Terms
    game_id: str = ""
    bot_color: str = ""
    status: str = ""
    winner: str | None = None
    moves: str = ""
    least_ms: int | None = None
    began_s: float = 0.0
    lasted_s: float = 0.0
    problem: str = ""
    waited_s: list[float] = field(default_factory=list)

    @property
    def flagged(self) -> bool:
        """Whether the bot has lost on time."""
        return self.status == "outoftime" and self.winner is not None and self.winner != self.bot_color


class Opponent(threading.Thread):
    """Challenges a bot, plays one game to its end, and keeps what it saw in `played`.

    It plays by chance, or with a skill of so many nodes a move, which makes for longer games.
    """

    def __init__(
        self, url: str, name: str, token: str, bot: str, terms: Terms, seed: str, *, whims: float = 0.0, nodes: int = 0
    ) -> None:
        super().__init__(name=f"opponent {name}", daemon=True)
        self.played = Played(name, terms)
        self._url = url
        self._bot = bot
        self._chance = random.Random(seed)
        self._whims = whims
        self._limits = Limits(nodes=nodes) if nodes else None
        self._mind = Thinker(1)
        self._http = requests.Session()
        self._http.trust_env = False
        self._http.headers["Authorization"] = f"Bearer {token}"
        self._http.headers["User-Agent"] = name

    def run(self) -> None:
        """Play."""
        began = time.monotonic()
        try:
            self.played.game_id = self._begin()
            self.played.began_s = time.time()
            self._play()
        except (requests.RequestException, ValueError, KeyError, TimeoutError) as error:
            self.played.problem = f"{type(error).__name__}: {error}"
        self.played.lasted_s = time.monotonic() - began
        self._http.close()

    def _begin(self) -> str:
        """The id of a game that the bot has accepted, however often it has to be asked."""
        pause = threading.Event()
        for _ in range(CHALLENGES_MOST):
            made = self._post(f"/api/challenge/{self._bot}", json=self.played.terms.fields)
            game_id = str(made.json()["id"])
            # it lapses after 20 s, and the answer to it may have gone astray
            end = time.monotonic() + 22
            while time.monotonic() < end:
                shown = self._get(f"/api/challenge/{game_id}/show")
                status = shown.json().get("status") if shown.status_code == 200 else "gone"
                if status == "accepted" or self._get(f"/game/export/{game_id}").status_code == 200:
                    return game_id
                if status == "declined":
                    break
                pause.wait(0.2)
            pause.wait(1.0)
        raise TimeoutError("the bot does not accept")

    def _play(self) -> None:
        """Follow the game, whatever becomes of the connection, until it is over."""
        silence_end = time.monotonic() + 600
        while self.played.status in ("", "started", "created"):
            for line in self._lines(f"/api/bot/game/stream/{self.played.game_id}"):
                if line.get("type") == "gameFull":
                    self._sit_down(line)
                state = line.get("state", line)
                if "moves" in state and self._take_in(state):
                    return
            if time.monotonic() > silence_end:
                raise TimeoutError("the game does not end")

    def _sit_down(self, full: dict[str, Any]) -> None:
        white_is_us = full["white"].get("id") == self.played.opponent.lower()
        self.played.bot_color = "black" if white_is_us else "white"
        variant = variants.by_key(full["variant"]["key"])
        fen = None if full["initialFen"] == "startpos" else full["initialFen"]
        self._start = (variant, fen)
        self._game, self._known = self._replayed(""), ""

    def _replayed(self, moves: str) -> Game:
        variant, fen = self._start
        return Game.replay(variant, draws.for_game(variant, with_bot=True), fen, moves.split())

    def _take_in(self, state: dict[str, Any]) -> bool:
        """Answer a state; True when it is the last."""
        moves: str = state["moves"]
        self._look_at_clock(state)
        self.played.status, self.played.winner, self.played.moves = state["status"], state.get("winner"), moves
        if state["status"] not in OVER:
            return True
        self._game = self._replayed(moves)
        if self._game.outcome is None and self._game.turn.wire != self.played.bot_color:
            self._move()
        return False

    def _look_at_clock(self, state: dict[str, Any]) -> None:
        left_ms = state["wtime" if self.played.bot_color == "white" else "btime"]
        self.played.least_ms = min(left_ms, self.played.least_ms or left_ms)

    def _move(self) -> None:
        if self._chance.random() < self._whims:
            self._have_a_whim()
        position = self._game.position
        chosen = self._chance.choice(position.legal_moves())
        if self._limits is not None:
            chosen = self._mind.think(self._game, self._limits).move
        uci_text = uci.write(position, chosen, self._start[0].chess960)
        # a refusal means that the game has gone on; the stream tells how
        self._post(f"/api/bot/game/{self.played.game_id}/move/{uci_text}")

    def _have_a_whim(self) -> None:
        whim = self._chance.choice(WHIMS)
        form = {"room": "player", "text": "!help \u2028 gl 😀"} if whim == "chat" else None
        self._post(f"/api/bot/game/{self.played.game_id}/{whim}", data=form)

    def _lines(self, path: str) -> Iterator[dict[str, Any]]:
        with self._http.get(self._url + path, stream=True, timeout=PATIENCE_S) as response:
            response.raise_for_status()
            pending = b""
            for chunk in response.iter_content(chunk_size=None):
                *whole, pending = (pending + chunk).split(b"\n")
                for line in whole:
                    if line.strip():
                        yield json.loads(line)

    def _get(self, path: str) -> requests.Response:
        return self._http.get(self._url + path, timeout=PATIENCE_S)

    def _post(self, path: str, **options: Any) -> requests.Response:
        return self._http.post(self._url + path, timeout=PATIENCE_S, **options)
