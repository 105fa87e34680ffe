"""Keeps out foreign web pages that use a person's browser to reach the server, and whoever asks too often.

A name that leads here only since an attacker's DNS says so is refused by its Host header; a page of another origin
cannot change anything with the person's cookie.
"""
from __future__ import annotations

import ipaddress

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.server.intake import address_of
from bot.server.quotas import Limited
from bot.server.replies import error, on_limited
from bot.server.site import Site

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class OriginGuard:
    """Refuses requests with a foreign Host, and changes asked for by a foreign Origin."""

    def __init__(self, app: ASGIApp, host_names: tuple[str, ...]) -> None:
        self._app = app
        self._host_names = host_names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through what is in order."""
        if scope["type"] == "http":
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            host, origin = headers.get("host", ""), headers.get("origin")
            if not self._is_ours(_name_of(host)):
                await error(403, "Unknown host name")(scope, receive, send)
                return
            foreign = origin is not None and origin.partition("://")[2] != host
            if foreign and scope["method"] not in _SAFE_METHODS:
                await error(403, "Foreign origin")(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_ours(self, name: str) -> bool:
        """An address or a name without a dot cannot be an attacker's domain."""
        if name in self._host_names or (name and "." not in name and ":" not in name):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class RequestLimiter:
    """Refuses requests beyond what one address may ask."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through what is not too much."""
        if scope["type"] == "http":
            request = Request(scope)
            try:
                self._site.allowances.take_request(address_of(request), self._site.now_ms())
            except Limited as limited:
                await (await on_limited(request, limited))(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _name_of(host: str) -> str:
    """The Host header without its port, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
