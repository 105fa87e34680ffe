"""One connection: HTTP that the application can break, and that no client can hold open by doing nothing."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import h11
from starlette.types import Scope
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

_CONNECTION = "centella.connection"
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

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop = loop
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, missed: Callable[[], None]) -> None:
        """Let time run, if it does not yet; `missed` is called when it is over."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, missed)

    def end(self) -> None:
        """It is done in time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class GatheringTransport(asyncio.Transport):
    """Sends at once what is written at the same time: every sending costs the server more than what it sends."""

    def __init__(self, inner: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._inner = inner
        self._loop = loop
        self._gathered: list[bytes | bytearray | memoryview] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send soon."""
        if not self._gathered:
            self._loop.call_soon(self._flush)
        self._gathered.append(data)

    def close(self) -> None:
        """Send what has been written, then close."""
        self._flush()
        self._inner.close()

    def abort(self) -> None:
        """Close at once; what has been written is sent as far as it can be at once."""
        self._flush()
        self._inner.abort()

    def is_closing(self) -> bool:
        """Whether it is closed, or will be."""
        return self._inner.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the connection."""
        return self._inner.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Receive nothing for a while."""
        self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Receive again."""
        self._inner.resume_reading()

    def _flush(self) -> None:
        if self._gathered:
            self._inner.write(b"".join(self._gathered))
            self._gathered.clear()


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 within limits, on a connection that the application finds with `connection_of`."""

    def __init__(self, config: Config, *args: Any, **options: Any) -> None:
        super().__init__(config, *args, **options)
        assert isinstance(config, LimitedConfig)
        self._limits = config.limits
        self._request = _Deadline(self.loop, config.limits.request_s)
        self._stall = _Deadline(self.loop, config.limits.stall_s)
        self._on_loss: Callable[[], None] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many connections."""
        super().connection_made(GatheringTransport(transport, self.loop))
        if len(self.connections) > self._limits.connections:
            self.transport.write(_FULL)
            self.transport.close()
            return
        self._request.begin(self._give_up)
        inner = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope[_CONNECTION] = self
            await inner(scope, receive, send)

        self.app = app

    def data_received(self, data: bytes) -> None:
        """Take bytes in; time runs from the first byte of a request to its last."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._request.begin(self._give_up)
        else:
            self._request.end()

    def send_400_response(self, msg: str) -> None:
        """The client has sent what is no request; whatever was being answered is not answered any more."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)

    def pause_writing(self) -> None:
        """The client does not read what is sent to it."""
        super().pause_writing()
        self._stall.begin(self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._stall.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._request.end()
        self._stall.end()
        super().connection_lost(exc)
        if self._on_loss is not None:
            self._on_loss()
        # These lead back here. Without them all of a connection is gone at once, instead of waiting as garbage.
        del self.app, self.scope, self.cycle

    @contextmanager
    def telling_loss(self, action: Callable[[], None]) -> Iterator[None]:
        """Have `action` called when the connection is closed in here, or has been closed before."""
        if self.transport.is_closing():
            action()
        self._on_loss = action
        try:
            yield
        finally:
            self._on_loss = None

    def _give_up(self) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_TOO_SLOW)
        self.transport.close()


def connection_of(scope: Scope) -> LimitedProtocol:
    """The connection that a request came over."""
    connection = scope[_CONNECTION]
    assert isinstance(connection, LimitedProtocol)
    return connection
