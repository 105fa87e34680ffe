"""Where faults happen: between the application and the connection."""
from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.server.faults import BREAKS, FaultKind, Faults, OpenStream, types_of
from bot.server.timekeeper import Timekeeper, pause

_TRANSPORT = "centella.transport"
_STREAM_TYPE = b"application/x-ndjson"


class ReachableProtocol(H11Protocol):
    """HTTP whose connection the application can break."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Put the connection where `FaultGate` finds it."""
        super().connection_made(transport)
        inner = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope[_TRANSPORT] = transport
            await inner(scope, receive, send)

        self.app = app


class FaultGate:
    """Lets requests through to the application, and answers back, as far as the faults allow."""

    def __init__(self, app: ASGIApp, faults: Faults, timekeeper: Timekeeper) -> None:
        self._app = app
        self._faults = faults
        self._timekeeper = timekeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["path"])
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        delay = self._faults.take(scope["path"], FaultKind.DELAY)
        if self._faults.take(scope["path"], FaultKind.LOSE):
            await self._app(scope, receive, _nowhere)
            _transport(scope).abort()
            await _disconnected(receive)
            return
        answer = Answer(scope, send, self._faults)

        async def deliver(message: Message) -> None:
            if delay is not None and message["type"] == "http.response.start":
                await pause(self._timekeeper, delay.number)
            await answer.send(message)

        try:
            await self._app(scope, receive, deliver)
            await answer.linger(receive)
        finally:
            answer.close()

    def _refusal(self, path: str) -> Response | None:
        fault = self._faults.take(path, FaultKind.STATUS, FaultKind.LIMIT)
        if fault is None:
            return None
        if fault.kind is FaultKind.LIMIT:
            limit = {"key": "local.fault", "seconds": fault.number}
            body = {"error": "Too many requests", "ratelimit": limit}
            return JSONResponse(body, 429, {"Retry-After": str(fault.number)})
        return HTMLResponse(f"<html><body><h1>{fault.number}</h1></body></html>", fault.number)


class Answer:
    """What the application sends for one request, line by line if it is a stream."""

    def __init__(self, scope: Scope, send: Send, faults: Faults) -> None:
        self._scope = scope
        self._path: str = scope["path"]
        self._send = send
        self._faults = faults
        self._stream: OpenStream | None = None
        self._break: tuple[FaultKind, int] | None = None
        self._broken: FaultKind | None = None

    async def send(self, message: Message) -> None:
        """Pass a message on, as the faults will have it."""
        if self._broken is not None:
            return
        if message["type"] == "http.response.start":
            self._begin(message)
            await self._send(message)
        elif self._stream is None or not message.get("body"):
            await self._send(message)
        else:
            await self._send_line(message)

    async def linger(self, receive: Receive) -> None:
        """Keep a frozen connection open until the client leaves it."""
        if self._broken is FaultKind.FREEZE:
            await _disconnected(receive)

    def close(self) -> None:
        """The request is done with."""
        if self._stream is not None:
            self._faults.forget(self._stream)
            self._stream = None

    def _begin(self, start: MutableMapping[str, Any]) -> None:
        headers = dict(start["headers"])
        if headers.get(b"content-type") != _STREAM_TYPE or b"content-length" in headers:
            return
        self._stream = OpenStream(self._path, self._break_off)
        self._faults.watch(self._stream)
        fault = self._faults.take(self._path, *BREAKS)
        if fault is not None:
            self._break = (fault.kind, fault.number)

    async def _send_line(self, message: Message) -> None:
        types = types_of(message["body"])
        copies = 1
        for line_type in types:
            if self._faults.take(self._path, FaultKind.SWALLOW, line_type=line_type):
                copies = 0
            elif self._faults.take(self._path, FaultKind.DUPLICATE, line_type=line_type):
                copies = 2
        for _ in range(copies):
            await self._send(message)
        if types and copies and self._break is not None:
            kind, lines = self._break
            self._break = (kind, lines - copies)
            if lines <= copies:
                self._break_off(kind)

    def _break_off(self, kind: FaultKind) -> None:
        self._broken = kind
        if self._stream is not None:
            self._stream.whole = False
        transport = _transport(self._scope)
        if kind is FaultKind.DROP:
            transport.abort()
        elif kind is FaultKind.END:
            # The last chunk of a chunked body; uvicorn then finds the connection closed.
            transport.write(b"0\r\n\r\n")
            transport.close()


def _transport(scope: Scope) -> asyncio.Transport:
    transport = scope[_TRANSPORT]
    assert isinstance(transport, asyncio.Transport)
    return transport


async def _nowhere(message: Message) -> None:
    """Swallow a message."""


async def _disconnected(receive: Receive) -> None:
    """Wait until the connection is closed."""
    while (await receive())["type"] != "http.disconnect":
        pass
