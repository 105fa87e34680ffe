"""As little of an HTTP client as the benches need: fast, asynchronous, and able to misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Reply:
    """Status and body of an answer."""

    status: int
    body: bytes


class Wire:
    """One connection to a server on loopback, and the token that goes with every request."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self.reader = reader
        self.writer = writer
        self._token = token

    @classmethod
    async def open(cls, port: int, token: str) -> Wire:
        """Connect."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        return cls(reader, writer, token)

    def send(self, method: str, path: str, form: Mapping[str, object] | None = None) -> None:
        """Send a request."""
        body = urlencode(form).encode() if form else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n"
        if form:
            head += "Content-Type: application/x-www-form-urlencoded\r\n"
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    async def status(self) -> tuple[int, bytes]:
        """Status and head of the next answer."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        return int(head[9:12]), head

    async def reply(self) -> Reply:
        """The next answer, which is no stream."""
        status, head = await self.status()
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        return Reply(status, await self.reader.readexactly(length))

    async def ask(self, method: str, path: str, form: Mapping[str, object] | None = None) -> Reply:
        """Send a request and wait for its answer."""
        self.send(method, path, form)
        return await self.reply()

    async def follow(self, path: str) -> None:
        """Ask for a stream. Raises: ConnectionError when it is refused."""
        self.send("GET", path)
        status, _ = await self.status()
        if status != 200:
            raise ConnectionError(f"{path} is answered {status}")

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines of a stream to its end; every chunk holds whole lines."""
        while size := int(await self.reader.readline(), 16):
            chunk = await self.reader.readexactly(size + 2)
            for line in chunk[:-2].split(b"\n")[:-1]:
                yield line

    def close(self) -> None:
        """Leave."""
        self.writer.close()
