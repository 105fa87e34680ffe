"""A tiny HTTP server on loopback that answers as a test tells it, byte by byte if need be."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    """What came."""

    command: str
    path: str
    headers: Message
    body: str


class Exchange(BaseHTTPRequestHandler):
    """One request, and ways to answer it."""

    protocol_version = "HTTP/1.1"
    server: Loopback  # type: ignore[assignment]

    def do_GET(self) -> None:
        """Answer as told."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        self.server.requests.append(Request(self.command, self.path, self.headers, body))
        self.server.answer(self)

    do_POST = do_GET

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""

    def reply(self, status: int, text: str, kind: str = "application/json", **headers: str) -> None:
        """A whole answer."""
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def reply_json(self, value: object, status: int = 200, **headers: str) -> None:
        """A whole answer in JSON."""
        self.reply(status, json.dumps(value), **headers)

    def open_stream(self) -> None:
        """Begin a chunked answer."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, content: bytes) -> None:
        """Send a piece of a chunked answer; an empty one ends it."""
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        self.wfile.flush()


class Loopback(ThreadingHTTPServer):
    """The server; `requests` are all that came, `over` is set when the test is done with it."""

    daemon_threads = True

    def __init__(self, answer: Callable[[Exchange], None]) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.answer = answer
        self.requests: list[Request] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def loopback(answer: Callable[[Exchange], None]) -> Iterator[Loopback]:
    """A server that answers so, while the context lasts."""
    server = Loopback(answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
