"""A house to play in: a local Lichess with short time-outs, Centellas that live in it, and people to play them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from bot.config import Config
from bot.daemon import Daemon
from bot.lichess import Lichess
from bot.meters import Meters
from bot.minds import Mind
from bot.records.acquaintances import Acquaintances
from bot.records.database import Records
from bot.records.game import GameRecord
from bot.search.thinker import Thinker
from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from tests.server.players import Lines, Player

PATIENCE_S = 60.0
BUSY_HOUSE = ServerSettings(port=0, event_keep_alive_ms=200, game_keep_alive_ms=200)
QUICK: Mapping[str, Mapping[str, Any]] = {
    "accept": {"queue": {"wait_s": 0.2}},
    "strength": {"hash_mb": 2, "limits": {"depth": 2}},
    "shutdown": {"finish_games_s": 0.0},
    "network": {
        "connect_timeout_s": 2.0,
        "request_timeout_s": 2.0,
        "move_timeout_s": 1.0,
        "stall_timeout_s": 1.0,
        "reopen_first_s": 0.05,
        "reopen_most_s": 0.2,
        "game_reopen_first_s": 0.05,
        "game_reopen_most_s": 0.2,
        "kick_window_s": 0.4,
        "move_retry_first_s": 0.02,
        "move_retry_most_s": 0.1,
        "move_limited_retry_s": 0.3,
        "limited_pause_s": 0.3,
        "settle_s": 0.3,
        "reconcile_every_s": 60.0,
        "start_within_s": 1.0,
    },
}


def quick_config(sources: tuple[Mapping[str, Any], ...] = (), **sections: Mapping[str, Any]) -> Config:
    """The short time-outs of QUICK, with changes to single values of its sections."""
    merged = {name: {**QUICK.get(name, {}), **sections.get(name, {})} for name in QUICK.keys() | sections.keys()}
    return Config.model_validate({**merged, "sources": sources})


def eventually(condition: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until it holds."""
    pause, end = threading.Event(), time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, f"not within {patience_s} s: {what}"
        pause.wait(0.01)


class Centella:
    """A daemon at work in a thread, with its database."""

    def __init__(
        self,
        lichess: LocalLichess,
        folder: Path,
        config: Config,
        name: str = "centella",
        new_mind: Callable[[int], Mind] = Thinker,
        scopes: frozenset[str] | None = None,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.name = name
        self.records = Records(folder)
        self.players = Acquaintances(self.records, "test", name)
        self.failure: Exception | None = None
        self._meters = Meters()
        client = Lichess(lichess.url, lichess.mint(name, scopes=scopes), config.network)
        self.daemon = Daemon(
            config, client, self.records, client.account(),
            source="test", chance=random.Random(7), new_mind=new_mind, meters=self._meters,
        )  # fmt: skip
        self._thread = threading.Thread(target=self._run, name=f"daemon {name}")
        self._thread.start()
        eventually(lambda: lichess.call(lambda site: site.audience.online(name)), f"{name} is online")

    def _run(self) -> None:
        try:
            self.daemon.run()
        except Exception as error:
            self.failure = error

    def counted(self, what: str, **labels: str) -> float:
        """What its meters say."""
        value = self._meters.registry.get_sample_value(f"centella_{what}_total", {"account": self.name, **labels})
        return value or 0.0

    def reload(self, config: Config) -> tuple[str, ...]:
        """Have it go by another configuration; what stands against that."""
        answer: SimpleQueue[tuple[str, ...]] = SimpleQueue()
        self.daemon.post(lambda: answer.put(self.daemon.use(config)))
        return answer.get(timeout=PATIENCE_S)

    def stop(self) -> None:
        """Stop in good order, and keep the database open to be read."""
        self.daemon.stop()
        self.join()

    def join(self) -> None:
        """Wait until the daemon has stopped by itself."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def ended(self, games: int) -> list[GameRecord]:
        """The records, once there are so many."""
        eventually(lambda: len(self.records.ended_games()) >= games, f"{games} games recorded")
        records = self.records.ended_games()
        assert len(records) == games
        return records


@contextmanager
def centella(
    lichess: LocalLichess,
    folder: Path,
    name: str = "centella",
    new_mind: Callable[[int], Mind] = Thinker,
    scopes: frozenset[str] | None = None,
    sources: tuple[Mapping[str, Any], ...] = (),
    **sections: Mapping[str, Any],
) -> Iterator[Centella]:
    """A daemon that lives as long as the context."""
    bot = Centella(lichess, folder, quick_config(sources, **sections), name, new_mind, scopes)
    try:
        yield bot
    finally:
        bot.stop()
        bot.records.close()


class Seat:
    """A person's or bot's place in a game against a Centella, with the game's stream."""

    def __init__(self, player: Player, against: str, **terms: object) -> None:
        self.player = player
        self.id: str = player.challenge(Player(player.lichess, against), **terms)["id"]
        eventually(lambda: player.lichess.call(lambda site: self.id in site.tables), "the challenge is accepted")
        self.lines: Lines = player.game(self.id)
        self.full = self.lines.next_of("gameFull")
        self.state: dict[str, Any] = self.full["state"]

    @property
    def plies(self) -> int:
        """How many moves have been made, as far as the stream was read."""
        return len(self.state["moves"].split())

    def read(self) -> dict[str, Any]:
        """The next state."""
        self.state = self.lines.next_of("gameState")
        return self.state

    def read_until(self, plies: int) -> dict[str, Any]:
        """The first state with so many moves, or that ends the game."""
        while self.plies != plies and self.state["status"] == "started":
            self.read()
        return self.state

    def move(self, uci: str) -> dict[str, Any]:
        """Make a move, and read up to the answer to it."""
        plies = self.plies
        self.player.move(self.id, uci)
        return self.read_until(plies + 2)

    def command(self, command: str) -> None:
        """Resign, abort, offer and so on."""
        assert self.player.command(self.id, command).status_code == 200

    def finish(self) -> dict[str, Any]:
        """Resign if it is not over, and read the end."""
        if self.state["status"] == "started":
            self.command("resign")
        while self.state["status"] == "started":
            self.read()
        return self.state
