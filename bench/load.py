"""Many games at once on the local Lichess: how fast moves are answered and told, and how much memory that takes.

    python bench/load.py [--games 200] [--idle 2000] [--moves 60] [--memory]

Every game has two scripted players, each reading its game and its events, and a move is made in it once a second; the
moves of all games are spread evenly over the second.  Beside them so many idle players hold an event stream open.  The
server is a process of its own, and keeps everything in a database on disk unless told not to.  The exit code is 1 when
an event was lost or a figure is above its bound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from raw_http import Wire
from served import served

from bot.server.settings import ServerSettings
from rules import draws, variants
from rules.game import Game

_OPENED_AT_ONCE = 50
_WORST_MS = 1_000
_LEAD_S = 2


@dataclass
class Figures:
    """What was measured, in milliseconds, and what went wrong."""

    replies_ms: list[float] = field(default_factory=list)
    told_ms: list[float] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)
    lost: int = 0
    refused: list[str] = field(default_factory=list)
    keep_alives: int = 0


def scripted(seed: int, plies: int) -> list[str]:
    """A game by chance that is not over after so many plies."""
    chance = random.Random(seed)
    while True:
        game = Game.start(variants.STANDARD, draws.for_game(variants.STANDARD, with_bot=True))
        while len(game.moves) < plies and game.outcome is None:
            game.play(chance.choice(game.position.legal_moves()))
        if game.outcome is None:
            return game.uci_moves(rook_castling=True)


class LoadedGame:
    """One game, its two players, and the moves that they will make."""

    def __init__(self, port: int, tokens: tuple[str, str], names: tuple[str, str], moves: list[str]) -> None:
        self._port = port
        self._tokens = tokens
        self._names = names
        self._moves = moves
        self._sent_s: list[float] = []
        self._wires: list[Wire] = []
        self._readers: list[asyncio.Task[None]] = []
        self.id = ""

    async def begin(self, figures: Figures) -> None:
        """Read events, challenge and accept, and read the game."""
        for token in self._tokens:
            self._wires.append(await Wire.open(self._port, token))
            self._readers.append(await followed(self._port, token, "/api/stream/event", figures))
        terms = {"clock.limit": 10_800, "clock.increment": 60, "color": "white"}
        made = await self._wires[0].ask("POST", f"/api/challenge/{self._names[1]}", terms)
        self.id = json.loads(made.body)["id"]
        await self._wires[1].ask("POST", f"/api/challenge/{self.id}/accept")
        for token in self._tokens:
            wire = await Wire.open(self._port, token)
            await wire.follow(f"/api/bot/game/stream/{self.id}")
            self._readers.append(asyncio.create_task(self._watch(wire, figures)))

    async def _watch(self, wire: Wire, figures: Figures) -> None:
        """Every ply must be told, one after the other."""
        expected = 0
        async for line in wire.lines():
            if not line:
                figures.keep_alives += 1
                continue
            message = json.loads(line)
            if message["type"] in ("gameFull", "gameState"):
                plies = len(message.get("state", message)["moves"].split())
                if plies != expected:
                    figures.lost += abs(plies - expected)
                    print(f"{self.id}: {plies} plies told, {expected} expected", flush=True)
                expected = plies + 1
                if plies:
                    figures.told_ms.append((time.perf_counter() - self._sent_s[plies - 1]) * 1000)
                if plies == len(self._moves):
                    return
        figures.lost += len(self._moves) + 1 - expected

    async def play(self, start_s: float, figures: Figures) -> None:
        """A move a second, from `start_s` on, until all are made and told."""
        for ply, move in enumerate(self._moves):
            due_s = start_s + ply
            await asyncio.sleep(due_s - time.perf_counter())
            sent_s = time.perf_counter()
            figures.late_ms.append((sent_s - due_s) * 1000)
            self._sent_s.append(sent_s)
            reply = await self._wires[ply % 2].ask("POST", f"/api/bot/game/{self.id}/move/{move}")
            figures.replies_ms.append((time.perf_counter() - sent_s) * 1000)
            if reply.status != 200:
                figures.refused.append(f"{self.id} {move}: {reply.status} {reply.body.decode()}")
        await asyncio.wait(self._readers[2:], timeout=10)
        for reader in self._readers:
            reader.cancel()


async def followed(port: int, token: str, path: str, figures: Figures) -> asyncio.Task[None]:
    """A stream that is read and thrown away."""
    wire = await Wire.open(port, token)
    await wire.follow(path)

    async def read() -> None:
        async for line in wire.lines():
            figures.keep_alives += not line

    return asyncio.create_task(read())


async def load(port: int, tokens: list[str], names: list[str], args: argparse.Namespace, figures: Figures) -> None:
    """Open what is idle, begin all games, and play them."""
    idle = []
    for at in range(2 * args.games, len(tokens), _OPENED_AT_ONCE):
        some = tokens[at : at + _OPENED_AT_ONCE]
        idle += await asyncio.gather(*(followed(port, token, "/api/stream/event", figures) for token in some))
    games = [
        LoadedGame(port, (tokens[at], tokens[at + 1]), (names[at], names[at + 1]), scripted(at, args.moves))
        for at in range(0, 2 * args.games, 2)
    ]
    for game in games:
        await game.begin(figures)
    start_s = time.perf_counter() + _LEAD_S
    await asyncio.gather(*(game.play(start_s + at / len(games), figures) for at, game in enumerate(games)))
    for task in idle:
        task.cancel()


def percentile(values: list[float], percent: float) -> float:
    """The value that so many percent do not exceed."""
    return sorted(values)[min(int(len(values) * percent / 100), len(values) - 1)]


def spread(name: str, values_ms: list[float]) -> str:
    """One line of figures."""
    shown = (f"p{percent:g} {percentile(values_ms, percent):.1f}" for percent in (50, 90, 99, 99.9))
    return f"{name:<22} {'  '.join(shown)}  worst {max(values_ms):.1f} ms  ({len(values_ms)})"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Load the local Lichess with many games.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--idle", type=int, default=0, help="event streams of players who do nothing")
    parser.add_argument("--moves", type=int, default=60, help="plies of each game")
    parser.add_argument("--memory", action="store_true", help="keep nothing on disk")
    parser.add_argument("--bound-ms", type=float, default=150, help="what 99 of 100 replies must not exceed")
    args = parser.parse_args()
    names = [f"player{number}" for number in range(2 * args.games + args.idle)]
    figures = Figures()
    with TemporaryDirectory() as folder, served(names, [], settings(args, folder)) as server:
        empty_mb, begun_s, began_s = server.resident_mb(), server.processor_s(), time.perf_counter()
        asyncio.run(load(server.port, server.tokens, names, args, figures))
        share = (server.processor_s() - begun_s) / (time.perf_counter() - began_s)
        return judge(args, figures, empty_mb, server.resident_mb(), share)


def settings(args: argparse.Namespace, folder: str) -> ServerSettings:
    """As `centella server` has them."""
    return ServerSettings(rook_castling=True, data=None if args.memory else Path(folder))


def judge(args: argparse.Namespace, figures: Figures, empty_mb: float, full_mb: float, share: float) -> int:
    """Print the figures; whether they are within bounds."""
    streams = 4 * args.games + args.idle
    print(f"{args.games} games, {streams} streams, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(spread("reply to a move", figures.replies_ms))
    print(spread("move told to a player", figures.told_ms))
    print(spread("lateness of the client", figures.late_ms))
    print(f"server: {empty_mb:.0f} MiB before, {full_mb:.0f} MiB after, {100 * share:.0f}% of a core")
    print(f"keep-alives {figures.keep_alives}, moves refused {len(figures.refused)}, events lost {figures.lost}")
    print("\n".join(figures.refused[:5]), end="")
    good = percentile(figures.replies_ms, 99) < args.bound_ms and max(figures.replies_ms) < _WORST_MS
    return 0 if good and not figures.lost and not figures.refused else 1


if __name__ == "__main__":
    sys.exit(main())
