"""Reading a request: who makes it, and the fields of its body."""
from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from bot.server.errors import FormError
from bot.server.replies import Denied
from bot.server.site import Site
from bot.server.users import PERSON_SCOPES, User

SESSION_COOKIE = "centella_session"
_YES = ("yes", "true", "1")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request, what they may do, and whether by a browser's cookie."""

    user: User
    scopes: frozenset[str]
    by_cookie: bool


def site_of(request: Request) -> Site:
    """The site that a request is for."""
    return cast(Site, request.app.state.site)


def caller_of(request: Request, *scopes: str) -> Caller:
    """Who makes the request; any one of the scopes will do, and none needs none.

    Raises: Denied.
    """
    caller = find_caller(request)
    if caller is None:
        raise Denied(401, "No such token" if "authorization" in request.headers else "Missing authorization header")
    if scopes and caller.scopes.isdisjoint(scopes):
        headers = {"X-OAuth-Scopes": ", ".join(sorted(caller.scopes)), "X-Accepted-OAuth-Scopes": ", ".join(scopes)}
        raise Denied(403, "Missing scope", headers)
    return caller


def find_caller(request: Request) -> Caller | None:
    """Who makes the request, by a token if one comes with it, else by a browser's cookie; None for nobody known."""
    users = site_of(request).users
    caller = None
    if "authorization" not in request.headers:
        user = users.user_of_session(request.cookies.get(SESSION_COOKIE, ""))
        caller = None if user is None else Caller(user, PERSON_SCOPES, by_cookie=True)
    elif (grant := users.grant_of(bearer_of(request))) is not None:
        caller = Caller(users.get(grant.user_id), grant.scopes, by_cookie=False)
    if caller is not None:
        site_of(request).addresses[caller.user.id] = address_of(request)
    return caller


def standing_of(request: Request) -> Callable[[], bool]:
    """Whether that by which the caller proves itself still holds: to be asked while the answer lasts."""
    site, token, secret = site_of(request), bearer_of(request), request.cookies.get(SESSION_COOKIE, "")
    by_token = "authorization" in request.headers

    def holds() -> bool:
        site.refresh()
        return (site.users.grant_of(token) if by_token else site.users.user_of_session(secret)) is not None

    return holds


def bearer_of(request: Request) -> str:
    """The token that comes with a request; empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def caller_or_nobody(request: Request) -> Caller | None:
    """Who makes the request, if it says so.

    Raises: Denied for a token that nobody has.
    """
    return caller_of(request) if "authorization" in request.headers else find_caller(request)


def address_of(request: Request) -> str:
    """Where the request comes from."""
    return "" if request.client is None else request.client.host


def is_yes(word: str) -> bool:
    """Whether a word of a path or query means yes; anything unknown means no."""
    return word.lower() in _YES


async def body_of(request: Request) -> bytes:
    """The body of a request.

    Raises: HTTPException 413 when it is too long, at once if it is announced so; 400 when the client leaves before
    its end.
    """
    limit = site_of(request).settings.body_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise HTTPException(413, "Request body too large")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise HTTPException(413, "Request body too large")
    except ClientDisconnect:
        raise HTTPException(400, "The body breaks off") from None
    return bytes(body)


async def fields_of(request: Request, *, told_once: bool = False) -> dict[str, str]:
    """The fields of a form, sent as a form or as JSON; nulls are as good as absent.

    Raises: FormError when the body is neither.
    """
    body = await body_of(request)
    if not body.strip():
        return {}
    try:
        if "json" in request.headers.get("content-type", ""):
            return _json_fields(json.loads(body))
        return dict(parse_qsl(body.decode(), keep_blank_values=False, strict_parsing=False))
    except (ValueError, RecursionError):
        problem = {"global": "The body is neither a form nor a JSON object"}
        raise FormError(problem, told_once=told_once) from None


def _json_fields(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return {name: _as_text(field) for name, field in value.items() if field is not None}


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(map(_as_text, value))
    # JSON can hold half of a surrogate pair, which is no character.
    return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
