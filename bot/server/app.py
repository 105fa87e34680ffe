"""The application: routes, guards and faults round one site; and a server that runs it in a thread of its own."""
from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar, cast

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.server import (
    openapi,
    routes_account,
    routes_admin,
    routes_arena,
    routes_challenge,
    routes_export,
    routes_game,
    routes_relation,
    routes_special,
)
from bot.server.autoplay import SystemPlayer
from bot.server.fault_gate import FaultGate
from bot.server.fault_spec import FaultKind
from bot.server.faults import Faults
from bot.server.guard import OriginGuard, RequestLimiter
from bot.server.machine import ThinkingMachine
from bot.server.replies import ON_ERROR
from bot.server.running import AppServer, bind
from bot.server.settings import ServerSettings
from bot.server.site import Site
from bot.server.store.database import StoreError
from bot.server.timekeeper import ManualTime, RealTime, Timekeeper
from bot.server.web.routes import web_routes

T = TypeVar("T")
ROUTES = (
    *routes_account.ROUTES,
    *routes_admin.ROUTES,
    *routes_relation.ROUTES,
    *routes_special.ROUTES,
    *routes_challenge.ROUTES,
    *routes_game.ROUTES,
    *routes_export.ROUTES,
    *routes_arena.ROUTES,
    *openapi.ROUTES,
)
_START_S = 10


def create_app(
    settings: ServerSettings, *, timekeeper: Timekeeper | None = None, chance: random.Random | None = None
) -> Starlette:
    """The local Lichess; its `state` holds the `site` (a Site) and the `faults` (a Faults)."""
    faults, timekeeper = Faults(settings.fault_seed), timekeeper or RealTime()
    site = Site(settings, timekeeper, chance or random.SystemRandom(), SystemPlayer(), ThinkingMachine())
    app = Starlette(
        routes=[*ROUTES, *web_routes(site)],
        middleware=[
            Middleware(_Refresh, site=site),
            Middleware(FaultGate, faults=faults, site=site),
            Middleware(OriginGuard, host_names=settings.host_names),
            Middleware(RequestLimiter, site=site),
        ],
        exception_handlers=ON_ERROR,
    )
    app.state.site = site
    app.state.faults = faults
    return app


class _Refresh:
    """Has the site notice, before every request, what commands have changed in its database."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._site.refresh()
        await self._app(scope, receive, send)


class LocalLichess:
    """A local Lichess in a thread; everything here may be called from any other thread.

    Port 0 takes any free port.  With a ManualTime nothing happens by itself: `advance` lets time pass.
    `on_failure` is called, in the server's thread, when it goes down since it cannot keep what happens.
    Raises: OSError when the address cannot be had, StoreError when the database cannot be used.
    """

    def __init__(
        self,
        settings: ServerSettings | None = None,
        *,
        timekeeper: Timekeeper | None = None,
        chance: random.Random | None = None,
        on_failure: Callable[[StoreError], None] | None = None,
    ) -> None:
        settings = settings or ServerSettings(port=0)
        self._listener = bind(settings.host, settings.port)
        self.settings = replace(settings, port=self._listener.getsockname()[1])
        self._timekeeper = timekeeper or RealTime()
        self._on_failure = on_failure
        try:
            app = create_app(self.settings, timekeeper=self._timekeeper, chance=chance)
        except StoreError:
            self._listener.close()
            raise
        self.site = cast(Site, app.state.site)
        self._faults = cast(Faults, app.state.faults)
        self._server = AppServer(app)
        self._thread = threading.Thread(target=self._run, name="local-lichess", daemon=True)
        self._thread.start()
        if not self._server.up.wait(_START_S):
            raise TimeoutError(f"the server did not start within {_START_S} s")

    def _run(self) -> None:
        asyncio.run(self._server.serve([self._listener]))
        self._server.release()
        if self._server.failure is not None and self._on_failure is not None:
            self._on_failure(self._server.failure)

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.settings.url

    def call(self, action: Callable[[Site], T]) -> T:
        """Do something with the site in the server's own thread, and wait for it."""
        assert self._server.loop is not None
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(action(self.site))
            except Exception as error:
                done.set_exception(error)

        self._server.loop.call_soon_threadsafe(run)
        return done.result(_START_S)

    def mint(
        self, username: str, bot: bool = True, scopes: frozenset[str] | None = None, *, lasting: bool = True
    ) -> str:
        """A new token for the account of that name, which is made if need be; not `lasting`: until the server ends."""

        def mint(site: Site) -> str:
            user = site.users.ensure(username, site.now_ms(), bot=bot)
            return site.users.mint(user, scopes, site.now_ms(), lasting=lasting)

        return self.call(mint)

    def advance(self, by_ms: int) -> None:
        """Let that much of a ManualTime pass."""
        manual = self._timekeeper
        if not isinstance(manual, ManualTime):
            raise TypeError("the time of this server is the real one")
        self.call(lambda _: manual.advance(by_ms))

    def fault(self, spec: str) -> None:
        """Switch a fault on, written as bot/server/fault_spec.py tells. Raises: FaultError."""
        self.call(lambda _: self._faults.add(spec))

    def clear_faults(self) -> None:
        """Switch all faults off; streams that have gone wrong stay so."""
        self.call(lambda _: self._faults.clear())

    def break_streams(self, kind: str, path: str) -> int:
        """Let the open streams of `path` go wrong now (`drop`, `tear`, `end`, `freeze`); how many there were."""
        return self.call(lambda _: self._faults.break_streams(FaultKind(kind), path))

    def begin_stop(self) -> None:
        """Have the server go down soon."""
        self._server.stop()

    def stop(self) -> None:
        """Take the server down and wait until it is; more than once does no harm."""
        self.begin_stop()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
