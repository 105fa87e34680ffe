"""Where faults happen: between the application and the connection."""
from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.server.connection import connection_of
from bot.server.fault_spec import BREAKS, KEEP_ALIVE_LINE, REFUSALS, FaultKind
from bot.server.faults import Faults, OpenStream, Strike, types_of
from bot.server.intake import bearer_of, find_caller
from bot.server.replies import send_lines
from bot.server.site import Site
from bot.server.timekeeper import pause

_STREAM_TYPE = b"application/x-ndjson"
_GAME = re.compile(r"/api/(?:bot|board)/game/(?:stream/)?(\w+)")
_SAFE_METHODS = ("GET", "HEAD")


class FaultGate:
    """Lets requests through to the application, and answers back, as far as the faults allow."""

    def __init__(self, app: ASGIApp, faults: Faults, site: Site) -> None:
        self._app = app
        self._faults = faults
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        who = _Asker(scope).id
        answer = Answer(scope, send, who, self._faults, self._site)
        try:
            if self._faults:
                await self._with_faults(scope, receive, answer, who)
            else:
                await self._answer(scope, receive, answer)
            await answer.linger(receive)
        finally:
            answer.close()

    async def _with_faults(self, scope: Scope, receive: Receive, answer: Answer, who: Callable[[], str]) -> None:
        path: str = scope["path"]
        if self._faults.take(path, who, FaultKind.REVOKE):
            self._site.users.revoke(bearer_of(Request(scope)))
        refusal = self._faults.take(path, who, *REFUSALS)
        if refusal is not None:
            await _refuse(refusal, scope, receive, answer.send)
            return
        if lag := self._faults.take(path, who, FaultKind.LAG):
            await pause(self._site.timekeeper, lag.number)
        if jump := self._faults.take(path, who, FaultKind.CLOCK):
            self._jump_clock(scope, jump.number)
        if self._faults.take(path, who, FaultKind.LOSE):
            await self._app(scope, receive, _nowhere)
            connection_of(scope).transport.abort()
            await _gone(receive)
            return
        if scope["method"] not in _SAFE_METHODS and self._faults.take(path, who, FaultKind.REPEAT):
            receive = await self._perform(scope, receive)
        answer.delay = self._faults.take(path, who, FaultKind.DELAY)
        await self._answer(scope, receive, answer)

    async def _answer(self, scope: Scope, receive: Receive, answer: Answer) -> None:
        await self._app(scope, receive, answer.send)
        await send_lines(scope, answer.send)

    async def _perform(self, scope: Scope, receive: Receive) -> Receive:
        """Do what is asked without an answer; what is returned receives the same request once more."""
        messages: list[Message] = []

        async def recorded() -> Message:
            messages.append(await receive())
            return messages[-1]

        await self._app(dict(scope), recorded, _nowhere)
        past = iter(messages)

        async def again() -> Message:
            return next(past, None) or await receive()

        return again

    def _jump_clock(self, scope: Scope, by_ms: int) -> None:
        match, caller = _GAME.match(scope["path"]), find_caller(Request(scope))
        table = None if match is None else self._site.tables.get(match[1])
        color = None if table is None or caller is None else table.seat_of(caller.user.id)
        if table is not None and color is not None and not table.over:
            with self._site.command(table):
                table.clock.jump(color, by_ms)


async def _refuse(strike: Strike, scope: Scope, receive: Receive, send: Send) -> None:
    number = strike.number
    response: Response
    match strike.kind:
        case FaultKind.REFUSE:
            connection_of(scope).transport.abort()
            await _gone(receive)
            return
        case FaultKind.EMPTY:
            response = Response(status_code=number)
        case FaultKind.LIMIT:
            limit = {"key": "local.fault", "seconds": number}
            body = {"error": "Too many requests", "ratelimit": limit}
            response = JSONResponse(body, 429, {"Retry-After": str(number)})
        case _:
            response = HTMLResponse(f"<html><body><h1>{number}</h1></body></html>", number)
    await response(scope, receive, send)


class _Asker:
    """Whoever makes a request: looked up once, when somebody wants to know."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._id: str | None = None

    def id(self) -> str:
        """The user's id; empty for nobody known."""
        if self._id is None:
            caller = find_caller(Request(self._scope))
            self._id = "" if caller is None else caller.user.id
        return self._id


class Answer:
    """What the application sends for one request, line by line if it is a stream."""

    def __init__(self, scope: Scope, send: Send, who: Callable[[], str], faults: Faults, site: Site) -> None:
        self._scope = scope
        self._path: str = scope["path"]
        self._who = who
        self._send = send
        self._faults = faults
        self._timekeeper = site.timekeeper
        self._stream: OpenStream | None = None
        self._break: Strike | None = None
        self._lines_left = 0
        self._broken: FaultKind | None = None
        self.delay: Strike | None = None

    async def send(self, message: Message) -> None:
        """Pass a message on, as the faults will have it."""
        if message["type"] == "http.response.start":
            if self.delay is not None:
                await pause(self._timekeeper, self.delay.number)
            self._begin(message)
            await self._send(message)
        elif self._broken is not None:
            return
        elif self._stream is None or not message.get("body"):
            await self._send(message)
        else:
            await self._send_line(message)

    async def linger(self, receive: Receive) -> None:
        """Keep a frozen connection open until the client leaves it, and any broken one until it is gone."""
        if self._broken is not None:
            await _gone(receive)

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
        self._break = self._faults.take(self._path, self._who, *BREAKS)
        self._lines_left = 0 if self._break is None else self._break.number

    async def _send_line(self, message: Message) -> None:
        if self._break is None and not self._faults.of_lines:
            await self._send(message)
            return
        types = types_of(message["body"])
        copies = await self._copies(types)
        # A line may have been waited for so long that the stream was broken off meanwhile.
        if self._broken is not None:
            return
        counted = self._break is not None and KEEP_ALIVE_LINE not in types
        if self._break is not None and counted and self._lines_left == 0:
            if self._break.kind is FaultKind.TEAR:
                body = message["body"]
                await self._send({**message, "body": body[: len(body) // 2]})
            self._break_off(self._break.kind)
            return
        for _ in range(copies):
            await self._send(message)
        if self._break is not None and counted:
            self._lines_left = max(self._lines_left - copies, 0)
            if self._lines_left == 0 and self._break.kind is not FaultKind.TEAR:
                self._break_off(self._break.kind)

    async def _copies(self, types: tuple[str, ...]) -> int:
        """How often a line is sent; waits first if it is to be late."""
        path, who, faults = self._path, self._who, self._faults
        if faults.take(path, who, FaultKind.SWALLOW, line_types=types):
            return 0
        if late := faults.take(path, who, FaultKind.LATE, line_types=types):
            await pause(self._timekeeper, late.number)
        return 2 if faults.take(path, who, FaultKind.DUPLICATE, line_types=types) else 1

    def _break_off(self, kind: FaultKind) -> None:
        self._broken = kind
        if self._stream is not None:
            self._stream.whole = False
        transport = connection_of(self._scope).transport
        if kind is FaultKind.END:
            # The last chunk of a chunked body; uvicorn then finds the connection closed.
            transport.write(b"0\r\n\r\n")
            transport.close()
        elif kind is not FaultKind.FREEZE:
            # Closed, not aborted, where half a line has still to be sent.
            (transport.close if kind is FaultKind.TEAR else transport.abort)()


async def _gone(receive: Receive) -> None:
    """Wait until the connection is closed: an answer that breaks off before is taken for an error of the server."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _nowhere(message: Message) -> None:
    """Swallow a message."""
