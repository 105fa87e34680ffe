"""A small server that replays recorded streams line by line, and keeps what the bot sends meanwhile."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bot.daemon import Daemon
from bot.lichess import Lichess
from bot.records.database import Records
from rules import draws, variants
from rules.game import Game
from tests.bot.loopback import Exchange, Loopback, loopback
from tests.incidents.house import PATIENCE_S, eventually, quick_config

RECORDED: Final = Path(__file__).parents[1] / "conformance" / "events"
US: Final = "housebot"
OK: Final = {"ok": True}


def recorded(name: str) -> list[str]:
    """The lines of a recorded stream; "" is a keep-alive."""
    return (RECORDED / f"{name}.ndjson").read_text(encoding="utf-8").split("\n")[:-1]


class ReplayedGame:
    """A recorded game: told line by line, as the bot answers; a second gameFull is a second connection.

    The answers are kept, but do not change what comes: the recorded moves count.
    """

    def __init__(self, name: str) -> None:
        lines = recorded(name)
        self.full: dict[str, Any] = json.loads(lines[0])
        self.id: str = self.full["id"]
        self.color = "white" if self.full["white"].get("id") == US else "black"
        self.parts: list[list[str]] = []
        for line in lines:
            if '"type":"gameFull"' in line:
                self.parts.append([])
            self.parts[-1].append(line)
        self.calls: list[str] = []
        self.awaited: list[str] = []
        self._changed = threading.Condition()
        self._opened = self._told = 0

    @property
    def runs(self) -> bool:
        """Whether there is more to tell of it."""
        return self._told < len(self.parts)

    @property
    def start_event(self) -> str:
        """What the event stream tells of it."""
        kept = {name: self.full[name] for name in ("variant", "speed", "rated")}
        opponent = self.full["black" if self.color == "white" else "white"]
        game = kept | {"gameId": self.id, "color": self.color, "opponent": {"id": opponent["id"]}}
        return json.dumps({"type": "gameStart", "game": game | {"status": {"id": 20, "name": "started"}}})

    def note(self, call: str) -> None:
        """The bot has asked for something."""
        with self._changed:
            self.calls.append(call)
            self._changed.notify_all()

    def tell(self, exchange: Exchange) -> None:
        """One connection: every line in its turn, and then its end; after the last only how the game has ended."""
        part = self.parts[min(self._opened, len(self.parts) - 1)] if self.runs else [self._end]
        self._opened += 1
        exchange.open_stream()
        for line in part:
            exchange.chunk(line.encode() + b"\n")
            message = json.loads(line or "{}")
            state = message.get("state", message)
            if "moves" in state and state["status"] == "started" and self._our_turn(state["moves"]):
                self._await_move(state["moves"])
        self._told += 1
        exchange.chunk(b"")

    def game_at(self, moves: str) -> Game:
        """The game after so many moves, by our rules."""
        variant = variants.by_key(self.full["variant"]["key"])
        fen = None if self.full["initialFen"] == "startpos" else self.full["initialFen"]
        return Game.replay(variant, draws.for_game(variant, with_bot=True), fen, moves.split())

    @property
    def _end(self) -> str:
        """What a connection is told that comes too late."""
        states = [line for line in self.parts[-1] if '"type":"gameState"' in line]
        return json.dumps(self.full | {"state": json.loads(states[-1])})

    def _our_turn(self, moves: str) -> bool:
        game = self.game_at(moves)
        return game.turn.wire == self.color and game.outcome is None

    def _await_move(self, moves: str) -> None:
        """Go on once the bot has sent a move for this position; for one that it has answered, at once."""
        if self.awaited[-1:] == [moves]:
            return
        self.awaited.append(moves)
        with self._changed:
            sent = self._changed.wait_for(lambda: len(self.moves) >= len(self.awaited), PATIENCE_S)
            assert sent, f"no move after {moves!r}"

    @property
    def moves(self) -> list[str]:
        """The moves that the bot has sent."""
        return [call.removeprefix("move/") for call in self.calls if call.startswith("move/")]


class ReplayServer:
    """Answers as a site on which the recorded games run, and whose event stream says `events`.

    After a challenge to us it waits for our answer, which is kept in `answers`; `told` is set when all has been said.
    """

    def __init__(self, games: list[ReplayedGame], events: list[str]) -> None:
        self.games = {game.id: game for game in games}
        self.events = events
        self.answers: dict[str, str] = {}
        self.streaming = threading.Event()
        self.told = threading.Event()
        self._changed = threading.Condition()

    def answer(self, exchange: Exchange) -> None:
        """One request."""
        path = exchange.path.partition("?")[0]
        parts = path.strip("/").split("/")
        if path == "/api/stream/event":
            self._tell_events(exchange)
        elif path.startswith("/api/bot/game/stream/"):
            game = self.games.get(parts[-1])
            exchange.reply_json({"error": "No such game"}, 404) if game is None else game.tell(exchange)
        elif path.startswith("/api/bot/game/"):
            if parts[3] in self.games:
                self.games[parts[3]].note("/".join(parts[4:]))
            exchange.reply_json(OK)
        elif path.startswith("/api/challenge/"):
            body = exchange.server.requests[-1].body if exchange.command == "POST" else ""
            reason = json.loads(body)["reason"] if parts[-1] == "decline" else ""
            with self._changed:
                self.answers[parts[2]] = f"{parts[3]} {reason}".strip()
                self._changed.notify_all()
            exchange.reply_json(OK)
        elif path == "/api/account":
            exchange.reply_json({"id": US, "username": US, "title": "BOT"})
        elif path == "/api/account/playing":
            # a game that is not listed would be read anew, and told again from its beginning
            playing = [json.loads(game.start_event)["game"] for game in self.games.values() if game.runs]
            exchange.reply_json({"nowPlaying": playing})
        else:
            exchange.reply_json({"error": "Not found"}, 404)

    def _tell_events(self, exchange: Exchange) -> None:
        exchange.open_stream()
        first = not self.streaming.is_set()
        self.streaming.set()
        for line in self.events if first else []:
            exchange.chunk(line.encode() + b"\n")
            event = json.loads(line or "{}")
            if event.get("type") == "challenge" and (event["challenge"]["challenger"] or {}).get("id") != US:
                self._await_answer(event["challenge"]["id"])
        self.told.set()
        while not exchange.server.over.wait(0.1):
            exchange.chunk(b"\n")

    def _await_answer(self, challenge_id: str) -> None:
        with self._changed:
            answered = self._changed.wait_for(lambda: challenge_id in self.answers, PATIENCE_S)
        assert answered, f"no answer to {challenge_id}"


@contextmanager
def replayed(site: ReplayServer, folder: Path, **sections: Any) -> Iterator[tuple[Records, Loopback]]:
    """A bot that lives through what the site replays, as long as the context lasts."""
    patient = {"settle_s": 60.0, "start_within_s": 60.0} | sections.pop("network", {})
    config = quick_config(network=patient, **sections)
    failures: list[Exception] = []
    with loopback(site.answer) as server, Records(folder) as records:
        client = Lichess(server.url, "token", config.network)
        daemon = Daemon(config, client, records, client.account(), source="test")

        def run() -> None:
            try:
                daemon.run()
            except Exception as error:
                failures.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            eventually(site.streaming.is_set, "the event stream is open")
            yield records, server
        finally:
            daemon.stop()
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
    assert failures == []
