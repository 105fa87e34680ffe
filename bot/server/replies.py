"""Answers in the shapes of Lichess, and the errors that become one."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from bot.server.connection import connection_of
from bot.server.errors import FormError, Missing, Refused
from bot.server.quotas import Limited
from bot.server.store.database import StoreError
from bot.server.streams import Stream

NDJSON = "application/x-ndjson"
_OPENING = "centella.opening"
_END: Message = {"type": "http.response.body", "body": b"", "more_body": False}


class Denied(Exception):
    """A request by someone who may not make it: 401 without a valid token, 403 without the scope."""

    def __init__(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        self.status = status
        self.headers = headers
        super().__init__(text)


class LinesResponse(StreamingResponse):
    """A stream, open from the moment its first byte is sent until the reader leaves, it ends, or may not go on.

    This sends the head only; `send_lines`, called where nothing waits for its end but the connection, does the rest.
    """

    def __init__(self, stream: AbstractContextManager[Stream], may_go_on: Callable[[], bool]) -> None:
        super().__init__((), media_type=NDJSON)
        self._opening = stream
        self._may_go_on = may_go_on

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send(_END)
        else:
            scope[_OPENING] = self._opening, self._may_go_on


async def send_lines(scope: Scope, send: Send) -> None:
    """Send the lines of a stream as they come, if the answer to this request is one."""
    found: tuple[AbstractContextManager[Stream], Callable[[], bool]] | None = scope.pop(_OPENING, None)
    if found is None:
        return
    opening, may_go_on = found
    with opening as stream, connection_of(scope).telling_loss(stream.abandon):
        # Asked for keep-alives as well: nobody reads on for long with a token that has been revoked.
        while (line := await stream.next_line()) is not None and may_go_on():
            await send({"type": "http.response.body", "body": line, "more_body": True})
    await send(_END)


def ok() -> Response:
    """A command was carried out."""
    return JSONResponse({"ok": True})


def error(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    """An ordinary error."""
    return JSONResponse({"error": text}, status, headers)


async def on_denied(_: Request, denied: Exception) -> Response:
    """401 or 403."""
    assert isinstance(denied, Denied)
    return error(denied.status, str(denied), denied.headers)


async def on_refused(_: Request, refused: Exception) -> Response:
    """400."""
    return error(400, str(refused))


async def on_missing(_: Request, missing: Exception) -> Response:
    """404."""
    return error(404, str(missing))


async def on_form_error(_: Request, form_error: Exception) -> Response:
    """400; the fields stand in `error`, and for most forms beside it as well."""
    assert isinstance(form_error, FormError)
    beside = {} if form_error.told_once else form_error.fields
    return JSONResponse({**beside, "error": form_error.fields}, 400)


async def on_limited(_: Request, limited: Exception) -> Response:
    """429, 503 when the server itself can do no more, or 400 when it is the opponent who cannot."""
    assert isinstance(limited, Limited)
    body: dict[str, Any] = {"error": str(limited)}
    if limited.key is not None:
        body["ratelimit"] = {"key": limited.key, "seconds": limited.seconds}
    headers = {"Retry-After": str(limited.seconds)} if limited.status != 400 else None
    return JSONResponse(body, limited.status, headers)


async def on_store_error(_: Request, __: Exception) -> Response:
    """503: nothing can be kept, so nothing has happened; whoever runs the server is told why."""
    return error(503, "The server cannot keep its records")


async def on_http_exception(_: Request, exception: Exception) -> Response:
    """What Starlette itself refuses, as JSON."""
    assert isinstance(exception, HTTPException)
    text = "Not found" if exception.status_code == 404 else exception.detail
    return error(exception.status_code, text, exception.headers)


ON_ERROR = {
    Denied: on_denied,
    Refused: on_refused,
    Missing: on_missing,
    FormError: on_form_error,
    StoreError: on_store_error,
    Limited: on_limited,
    HTTPException: on_http_exception,
}
