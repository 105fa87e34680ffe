"""Serving an application with uvicorn: in the foreground until a signal comes, or in a thread."""
from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import threading
from collections.abc import Generator
from typing import cast

import uvicorn
from starlette.applications import Starlette

from bot.server.connection import ConnectionLimits, LimitedConfig
from bot.server.site import Site
from bot.server.store.database import StoreError

_IDLE_CONNECTION_S = 75
_GRACE_S = 3
_BACKLOG = 2_048
_YOUNGER_COLLECTIONS = 100
_OTHER_FILES = 100


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens there, port 0 for any free one. Raises: OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's algorithm off; without, every answer may wait 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


class AppServer(uvicorn.Server):
    """A uvicorn server that says when it is up, ends all streams when it goes down, and leaves signals alone.

    failure: why it goes down by itself: it cannot keep what happens.
    """

    def __init__(self, app: Starlette) -> None:
        self._site = cast(Site, app.state.site)
        settings = self._site.settings
        super().__init__(
            LimitedConfig(
                app,
                ConnectionLimits(settings.connections, settings.request_ms / 1000, settings.stall_ms / 1000),
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=list(settings.trusted_proxies),
                headers=[("X-Content-Type-Options", "nosniff")],
                timeout_keep_alive=_IDLE_CONNECTION_S,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )
        self._app = app
        self.up = threading.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.failure: StoreError | None = None
        self._site.store.database.on_failure(self._fail)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open for business."""
        self.loop = asyncio.get_running_loop()
        self._site.open()
        await super().startup(sockets)
        self.up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything else."""
        self._site.close()
        self._app.state.faults.release()
        await super().shutdown(sockets)

    def release(self) -> None:
        """Leave the store to others: nothing runs any more."""
        self._site.store.database.close()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Signals are the business of whoever runs the server."""
        yield

    def stop(self) -> None:
        """Go down soon."""
        self.should_exit = True

    def _fail(self, failure: StoreError) -> None:
        self.failure = self.failure or failure
        self.stop()


def _make_room(connections: int) -> None:
    """Let this process open as many files as it may have connections, as far as the system allows."""
    try:
        import resource
    except ImportError:
        # Windows knows no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises: StoreError when the server cannot keep any more what happens.
    """
    server = AppServer(app)
    _make_room(cast(Site, app.state.site).settings.connections)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(each, server.stop)
        await server.serve([listener])

    # To look through everything for garbage takes up to a second with thousands of streams, in which nobody is
    # answered. Requests leave none, and what is loaded by now stays: so it is done rarely, and with less to look at.
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _YOUNGER_COLLECTIONS)
    asyncio.run(run())
    server.release()
    if server.failure is not None:
        raise server.failure
