"""Clients of streams that do what no sane one does, and watch that the server bears it."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from raw_http import Wire

_PATIENCE_S = 15
_GIVEN_UP_S = 25
_PING_EVERY_S = 0.25
_STREAMS = ("/api/stream/event", "/api/bot/game/stream/{game}", "/api/board/game/stream/{game}")
_MOVES = ("e2e4", "d2d4", "g1f3", "e7e5", "b8c6", "a1a8", "e1g1", "zz99", "e2e4q")


@dataclass
class Report:
    """What was done, and what went wrong: the first of each kind with its circumstances."""

    done: Counter[str] = field(default_factory=Counter)
    findings: dict[str, str] = field(default_factory=dict)
    worst_ping_ms: float = 0

    def find(self, kind: str, circumstances: str) -> None:
        """Note something that must not be."""
        if kind not in self.findings:
            self.findings[kind] = circumstances
            print(f"FINDING {kind}: {circumstances}", flush=True)


class Mischief:
    """One bad client after the other, until `end_s`."""

    def __init__(self, port: int, tokens: list[str], games: list[str], seed: int, report: Report) -> None:
        self._port = port
        self._tokens = tokens
        self._games = games
        self._chance = random.Random(seed)
        self._report = report
        self._deeds: tuple[Callable[[Wire], Awaitable[None]], ...] = (
            self.leave_rudely,
            self.never_read,
            self.stop_within_a_request,
            self.send_rubbish,
            self.ask_twice_at_once,
            self.ask_for_a_stream_otherwise,
            self.crowd,
            self.command,
        )

    async def run(self, end_s: float) -> None:
        """Do one thing after another."""
        while time.monotonic() < end_s:
            deed = self._chance.choice(self._deeds)
            self._report.done[deed.__name__] += 1
            try:
                async with asyncio.timeout(_GIVEN_UP_S):
                    wire = await Wire.open(self._port, self._chance.choice(self._tokens))
                    try:
                        await deed(wire)
                    finally:
                        wire.close()
            except TimeoutError:
                self._report.find("hang", deed.__name__)
            except (ConnectionError, asyncio.IncompleteReadError, ValueError):
                # What the server closes on, or the kind of answer that such questions get, is its own affair.
                self._report.done["closed"] += 1

    async def leave_rudely(self, wire: Wire) -> None:
        """Read some lines of a stream, then reset the connection, or close one half of it."""
        wire.send("GET", self._stream())
        await self._judge(wire)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._chance.random()):
                async for _ in wire.lines():
                    pass
        connection: socket.socket = wire.writer.get_extra_info("socket")
        if self._chance.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif not wire.writer.is_closing():
            wire.writer.write_eof()

    async def never_read(self, wire: Wire) -> None:
        """Ask for streams and answers, and take nothing of it."""
        wire.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(self._chance.randint(1, 20)):
            wire.send("GET", self._chance.choice((self._stream(), "/openapi.json")))
        await asyncio.sleep(self._chance.random())

    async def stop_within_a_request(self, wire: Wire) -> None:
        """Send a part of a request; it must be given up."""
        whole = b"POST /api/challenge/fuzz1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\nrated=true"
        wire.writer.write(whole[: self._chance.randrange(len(whole))])
        while await wire.reader.read(65_536):
            pass

    async def send_rubbish(self, wire: Wire) -> None:
        """Send what is not HTTP, or hardly."""
        chance = self._chance
        heads = (
            chance.randbytes(chance.randint(1, 3_000)),
            b"GET " + b"/" * chance.randint(1, 90_000) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"y" * 90_000 + b"\r\n\r\n",
            b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"POST /web/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
            b"GET /web/page/%ff%fe HTTP/1.1\r\nHost: \xff\r\nCookie: \xff=\x80\r\n\r\n",
            b"CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        )
        wire.writer.write(chance.choice(heads) + b"\r\n\r\n")
        received = await wire.reader.read(65_536)
        if received.startswith(b"HTTP/1.1 5") and not received.startswith(b"HTTP/1.1 503"):
            self._report.find("5xx", f"rubbish is answered {received[:60]!r}")

    async def ask_twice_at_once(self, wire: Wire) -> None:
        """Send the next requests before the first is answered."""
        wire.send("GET", "/__ping")
        wire.send("GET", self._stream())
        wire.send("GET", "/__ping")
        async with asyncio.timeout(_PATIENCE_S):
            await wire.reply()
        await self._judge(wire)

    async def ask_for_a_stream_otherwise(self, wire: Wire) -> None:
        """HEAD, OPTIONS and the like, and the stream of what is none."""
        method = self._chance.choice(("HEAD", "OPTIONS", "POST", "DELETE", "PATCH", "FOO"))
        wire.send(method, self._chance.choice((self._stream(), "/api/bot/game/stream/%00", "/api/stream/event/")))
        await self._judge(wire, with_body=method != "HEAD")

    async def crowd(self, wire: Wire) -> None:
        """Open the same stream many times."""
        path, token = self._stream(), self._chance.choice(self._tokens)
        others = [await Wire.open(self._port, token) for _ in range(self._chance.randint(2, 20))]
        for other in others:
            other.send("GET", path)
        for other in others:
            await self._judge(other)
        for other in others:
            other.close()

    async def command(self, wire: Wire) -> None:
        """Play, talk and challenge, so that there is something to be told."""
        chance, game, api = self._chance, self._chance.choice(self._games), self._chance.choice(("bot", "board"))
        move = f"move/{chance.choice(_MOVES)}"
        deed = chance.choice(("draw/yes", "takeback/yes", "draw/no", move, move))
        wire.send("POST", f"/api/{api}/game/{game}/{deed}")
        await self._judge(wire)
        said = {"room": "player", "text": "\U0001f600" * chance.randint(0, 90)}
        wire.send("POST", f"/api/{api}/game/{game}/chat", said)
        await self._judge(wire)
        form = {"clock.limit": 60, "clock.increment": 0, "keepAliveStream": chance.choice(("true", "false"))}
        wire.send("POST", f"/api/challenge/fuzz{chance.randint(0, 3)}", form)
        await self._judge(wire)

    async def _judge(self, wire: Wire, *, with_body: bool = True) -> None:
        """The head of an answer must come soon, and tell of no failure; a short body is taken with it."""
        async with asyncio.timeout(_PATIENCE_S):
            status, head = await wire.status()
            self._report.done[str(status)] += 1
            if status >= 500 and status != 503:
                self._report.find("5xx", f"{status} {head!r}")
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0].strip()
            if length and with_body:
                await wire.reader.readexactly(int(length))

    def _stream(self) -> str:
        return self._chance.choice(_STREAMS).format(game=self._chance.choice([*self._games, "nosuchgm"]))


async def watch(port: int, report: Report, end_s: float) -> None:
    """Ask all the time whether the server is there; it must always say so soon."""
    while time.monotonic() < end_s:
        asked_s = time.monotonic()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                wire = await Wire.open(port, "")
                reply = await wire.ask("GET", "/__ping")
                wire.close()
            if reply.status != 200:
                report.find("ping", f"is answered {reply.status}")
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            report.find("ping", f"is not answered: {error!r}")
        report.worst_ping_ms = max(report.worst_ping_ms, (time.monotonic() - asked_s) * 1000)
        await asyncio.sleep(_PING_EVERY_S)
