"""What the service adds to a move: from the line that tells of our turn until the move arrives, one node searched.

    .venv/bin/python -m bench.overhead [--games N] [--moves N] [--every S]

Last line: `moves N median M ms p99 P ms max X ms`; the exit code is 1 unless M is below 5 and P below 30.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from bench.processes import Bot, write_config
from rules import draws, variants
from rules.game import Game

US: Final = "housebot"
MEDIAN_MOST_MS: Final = 5.0
P99_MOST_MS: Final = 30.0
LONGEST_PLIES: Final = 120
CLOCK_MS: Final = 600_000
WARM_MOVES: Final = 20


class ScriptedGame:
    """One game after another at one table: the opponent answers every move after a while, by chance."""

    def __init__(self, number: int, every_s: float, measured: list[float]) -> None:
        self._chance = random.Random(number)
        self._every_s = every_s
        self._measured = measured
        self._number = number
        self._count = 0
        self.moved: queue.SimpleQueue[tuple[str, float]] = queue.SimpleQueue()
        self._begin()

    def _begin(self) -> None:
        self._count += 1
        self.id = f"g{self._number:03d}{self._count:04d}"
        variant = variants.ALL[0]
        self._game = Game.start(variant, draws.for_game(variant, with_bot=True), None)

    @property
    def start_event(self) -> dict[str, Any]:
        """What the event stream says."""
        game = {"gameId": self.id, "color": "white", "status": {"id": 20, "name": "started"}, "isMyTurn": True}
        more = {"variant": {"key": self._game.variant.key}, "speed": "rapid", "opponent": {"id": "rival"}}
        return {"type": "gameStart", "game": {**game, **more}}

    def play(self, send: Any) -> None:
        """The whole stream of the present game; then there is another one."""
        players = {"white": {"id": US, "name": US, "title": "BOT"}, "black": {"id": "rival", "name": "rival"}}
        head = {"type": "gameFull", "id": self.id, "variant": {"key": self._game.variant.key}, "initialFen": "startpos"}
        clock = {"clock": {"initial": CLOCK_MS, "increment": 0}}
        told_at = time.perf_counter()
        send({**head, **players, **clock, "speed": "rapid", "state": self._state("started")})
        while True:
            text, arrived_at = self.moved.get()
            self._measured.append(arrived_at - told_at)
            self._game.play_uci(text)
            if self._over():
                break
            send(self._state("started"))
            threading.Event().wait(self._every_s)
            self._game.play(self._chance.choice(self._game.position.legal_moves()))
            if self._over():
                break
            told_at = time.perf_counter()
            send(self._state("started"))
        send(self._state("draw"))
        self._begin()

    def _over(self) -> bool:
        return self._game.outcome is not None or len(self._game.moves) >= LONGEST_PLIES

    def _state(self, status: str) -> dict[str, Any]:
        moves = " ".join(self._game.uci_moves(rook_castling=False))
        return {"type": "gameState", "moves": moves, "wtime": CLOCK_MS, "btime": CLOCK_MS, "status": status}


class Site(ThreadingHTTPServer):
    """A site with a few tables; `over` is set when everything has been measured."""

    daemon_threads = True

    def __init__(self, tables: list[ScriptedGame]) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.tables = tables
        self.started: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.over = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """The bot has gone in the middle of something: that is how it ends."""

    def table(self, game_id: str) -> ScriptedGame | None:
        """The table at which that game is played now."""
        return next((table for table in self.tables if table.id == game_id), None)


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Site

    def do_GET(self) -> None:
        arrived_at = time.perf_counter()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts == ["api", "stream", "event"]:
            self._tell_events()
        elif parts[:4] == ["api", "bot", "game", "stream"]:
            self._tell_game(parts[4])
        elif parts[:3] == ["api", "bot", "game"] and parts[4] == "move":
            table = self.server.table(parts[3])
            self._reply({"ok": True} if table else {"error": "No such game"}, 200 if table else 404)
            if table is not None:
                table.moved.put((parts[5], arrived_at))
        elif parts == ["api", "account"]:
            self._reply({"id": US, "username": US, "title": "BOT"})
        elif parts == ["api", "account", "playing"]:
            # listed, and not as awaiting a move: so that no stream is read anew on that account
            games = [table.start_event["game"] | {"isMyTurn": False} for table in self.server.tables]
            self._reply({"nowPlaying": games})
        else:
            self._reply({"ok": True})

    do_POST = do_GET

    def _tell_events(self) -> None:
        self._open()
        for table in self.server.tables:
            self._send(table.start_event)
        while not self.server.over.is_set():
            try:
                self._send(self.server.started.get(timeout=5))
            except queue.Empty:
                self._send(None)

    def _tell_game(self, game_id: str) -> None:
        table = self.server.table(game_id)
        if table is None:
            self._reply({"error": "No such game"}, 404)
            return
        self._open()
        table.play(self._send)
        self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True
        self.server.started.put(table.start_event)

    def _open(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send(self, message: dict[str, Any] | None) -> None:
        line = b"\n" if message is None else json.dumps(message).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.flush()

    def _reply(self, value: object, status: int = 200) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


def measure(games: int, moves: int, every_s: float) -> list[float]:
    """The seconds that each move took, the first ones left out."""
    measured: list[float] = []
    site = Site([ScriptedGame(number, every_s, measured) for number in range(games)])
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        strength = {"hash_mb": 1, "limits": {"nodes": 1}}
        # the first moves of a game that was lost before would be thought about for variety
        conduct = {"variety": {"lost_lines": False}}
        values = {"accept": {"max_games": games}, "strength": strength, "conduct": conduct}
        write_config(Path(folder), f"http://127.0.0.1:{site.server_address[1]}", values)
        with Bot(Path(folder), "token"):
            pause = threading.Event()
            while len(measured) < moves + WARM_MOVES * games:
                pause.wait(0.5)
            site.over.set()
    return measured[WARM_MOVES * games :]


def main() -> int:
    """Measure, and tell."""
    parser = argparse.ArgumentParser(description="Measure what the service adds to a move.")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--every", type=float, default=0.5, metavar="S", help="seconds between our moves in a game")
    args = parser.parse_args()
    before = os.getloadavg()[0]
    found = sorted(1000 * seconds for seconds in measure(args.games, args.moves, args.every))
    median, p99 = found[len(found) // 2], found[int(len(found) * 0.99)]
    print(f"load {before:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} processors")
    print(f"moves {len(found)} median {median:.2f} ms p99 {p99:.2f} ms max {found[-1]:.2f} ms")
    return int(median >= MEDIAN_MOST_MS or p99 >= P99_MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
