"""One connection: HTTP that the application can break, and that no client can hold open by doing nothing."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from starlette.types import Scope
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

_TRANSPORT = "centella.transport"
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections there may be, and how long one may take: to send a request, to take what is sent to it."""

    connections: int
    request_s: float
    stall_s: float


class LimitedConfig(Config):
    """uvicorn's configuration, with limits for every connection."""

    def __init__(self, app: Any, limits: ConnectionLimits, **options: Any) -> None:
        super().__init__(app, http=LimitedProtocol, **options)
        self.limits = limits


class _Deadline:
    """Time for something, from the moment that it begins."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, missed: Callable[[], None]) -> None:
        self._loop = loop
        self._seconds = seconds
        self._missed = missed
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Let time run, if it does not yet."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._missed)

    def end(self) -> None:
        """It is done in time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 within limits, on a connection that the application finds with `transport_of`."""

    def __init__(self, config: Config, *args: Any, **options: Any) -> None:
        super().__init__(config, *args, **options)
        assert isinstance(config, LimitedConfig)
        self._limits = config.limits
        self._request = _Deadline(self.loop, config.limits.request_s, self._give_up)
        self._stall = _Deadline(self.loop, config.limits.stall_s, lambda: self.transport.abort())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many connections."""
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            transport.write(_FULL)
            transport.close()
            return
        self._request.begin()
        inner = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope[_TRANSPORT] = transport
            await inner(scope, receive, send)

        self.app = app

    def data_received(self, data: bytes) -> None:
        """Take bytes in; time runs from the first byte of a request to its last."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._request.begin()
        else:
            self._request.end()

    def pause_writing(self) -> None:
        """The client does not read what is sent to it."""
        super().pause_writing()
        self._stall.begin()

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._stall.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._request.end()
        self._stall.end()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_TOO_SLOW)
        self.transport.close()


def transport_of(scope: Scope) -> asyncio.Transport:
    """The connection that a request came over."""
    transport = scope[_TRANSPORT]
    assert isinstance(transport, asyncio.Transport)
    return transport
