"""HTTP to one site: every call times out, waits its turn, and gives every failure a type.

    Exception
    └── LichessError
        ├── Unreachable     no answer: network trouble, a time-out, a stream that fell silent
        ├── ServerTrouble   5xx, or an answer that is not what was asked for (a proxy's page)
        ├── Limited         429: `seconds` to wait, `key` names the limit if the site does
        ├── Unauthorized    401 or 403: the token is unknown, revoked, or lacks a scope
        └── Refused         any other refusal: `status`, the text, and `limit` if one was hit (the opponent's, say)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection
from queue import Empty, LifoQueue
from typing import Any, Final, cast
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter

from bot.config import Network
from bot.gate import Closed, Gate, Urgency
from bot.refusals import ErrorBody, RateLimit, read_error

EVENT_STREAM: Final = "/api/stream/event"
OF_A_DAY: Final = ".day"
"""How the key of a limit ends that counts what may be done in a day, not requests: other calls go on."""


Observer = Callable[[str, str, float], None]
"""Is told of every request: its kind, how it went (`ok`, or the name of an error), and the seconds it took."""


class LichessError(Exception):
    """Lichess did not do what was asked."""


class Unreachable(LichessError):
    """No answer came."""


class ServerTrouble(LichessError):
    """The server answered, but not as itself."""


class Limited(LichessError):
    """Too many requests; not again before `seconds` are over."""

    def __init__(self, text: str, seconds: float, key: str = "") -> None:
        self.seconds = seconds
        self.key = key
        super().__init__(text)


class Unauthorized(LichessError):
    """The token does not open this."""


class Refused(LichessError):
    """Not possible, as things stand on the server."""

    def __init__(self, status: int, text: str, limit: RateLimit | None = None) -> None:
        self.status = status
        self.limit = limit
        super().__init__(text)


class LineStream:
    """An open stream: its lines, "" for a keep-alive, until the server ends it or `close` is called from anywhere."""

    def __init__(self, response: requests.Response) -> None:
        self._response = response
        self._closed = False

    def __iter__(self) -> Iterator[str]:
        pending = b""
        try:
            for chunk in self._response.iter_content(chunk_size=None):
                # only \n ends a line: other separators may stand inside a text
                *whole, pending = (pending + chunk).split(b"\n")
                for line in whole:
                    yield line.strip().decode("utf-8", errors="replace")
        except (requests.RequestException, OSError, ValueError, AttributeError) as error:
            # closing under a blocked read surfaces as any of these
            if not self._closed:
                raise Unreachable(_network_text(error)) from None
        finally:
            self._response.close()

    def close(self) -> None:
        """End the stream, also under a thread that is blocked in reading it."""
        self._closed = True
        try:
            self._response.raw.shutdown()
        except (ValueError, RuntimeError, OSError):
            return  # it had ended by itself


class LichessSession(requests.Session):
    """Every request to one site: with a time-out, in its turn, and with the token only where it belongs.

    The token is sent to exactly this scheme, host and port; redirects are not followed, so it cannot be carried
    across one. An answer that is not a success raises a LichessError; so does one that is not JSON if `json_only`.
    """

    def __init__(
        self, url: str, token: str | None, user_agent: str, network: Network, gate: Gate, *, json_only: bool = True
    ) -> None:
        super().__init__()
        self._json_only = json_only
        self._origin = origin(url)
        self._token = token
        self._network = network
        self._gate = gate
        self.observer: Observer = _look_away
        # a .netrc would replace our header, and a proxy has no way to this machine itself
        self.trust_env = urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1")
        self.headers["User-Agent"] = user_agent
        adapter = HTTPAdapter(pool_connections=2, pool_maxsize=64)
        self.mount("https://", adapter)
        self.mount("http://", adapter)

    def request(  # type: ignore[override]
        self, method: str, url: str | bytes, **options: Any
    ) -> requests.Response:
        """The answer, if it is a success. Raises LichessError."""
        address = str(url)
        stream = bool(options.get("stream"))
        path = urlsplit(address).path
        urgency = _urgency(path)
        options["allow_redirects"] = False
        options["data"] = _form(options.get("data"))
        options["auth"] = self._authorize
        options["timeout"] = (self._network.connect_timeout_s, self._read_timeout_s(urgency, stream))
        try:
            with self._turn(method, path, urgency, stream):
                began, outcome = self._gate.clock(), "ok"
                try:
                    return self._answer(method, address, urgency, options)
                except LichessError as error:
                    outcome = type(error).__name__
                    raise
                finally:
                    kind = "stream" if stream else urgency.name.lower()
                    self.observer(kind, outcome, self._gate.clock() - began)
        except Closed:
            raise Unreachable("shutting down") from None

    @property
    def limited_s(self) -> float:
        """For how much longer the site wants nothing but moves."""
        return self._gate.paused_s

    def drop_idle(self) -> None:
        """Close the connections that nothing uses at the moment; requests that begin meanwhile make their own."""
        for adapter in self.adapters.values():
            pools = cast(HTTPAdapter, adapter).poolmanager.pools
            for host in pools.keys():  # noqa: SIM118 - the container refuses to be iterated over
                if (pool := pools.get(host)) is not None:
                    _drain(pool.pool)

    def leave(self) -> None:
        """Let no request through any more; moves under way are not waited for."""
        self._gate.leave(self)
        self.close()

    def _answer(self, method: str, address: str, urgency: Urgency, options: dict[str, Any]) -> requests.Response:
        try:
            response = super().request(method, address, **options)
            failure = self._failure(response)
        except requests.RequestException as error:
            raise Unreachable(_network_text(error)) from None
        if urgency is not Urgency.MOVE and not isinstance(failure, Limited):
            self._gate.served()
        if failure is None:
            return response
        response.close()
        raise failure

    def _turn(self, method: str, path: str, urgency: Urgency, stream: bool) -> AbstractContextManager[None]:
        if method != "GET" or not stream:
            return self._gate.turn(urgency, self)
        # a stream is no request in flight, and without its own no game goes on
        if path == EVENT_STREAM:
            self._gate.wait_out_pause(self)
        return nullcontext()

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token is not None and origin(str(request.url)) == self._origin:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request

    def _read_timeout_s(self, urgency: Urgency, stream: bool) -> float:
        if stream:
            return self._network.stall_timeout_s
        return self._network.move_timeout_s if urgency is Urgency.MOVE else self._network.request_timeout_s

    def _failure(self, response: requests.Response) -> LichessError | None:
        status = response.status_code
        kind = response.headers.get("Content-Type", "")
        if status < 300:
            if self._json_only and "json" not in kind:
                return ServerTrouble(f"an answer of type {kind or 'unknown'} where JSON was expected")
            return None
        body = read_error(response.content.decode("utf-8", errors="replace"))
        text = f"{status} {body.text or response.reason or ''}".strip()
        if status == 429:
            return self._limited(text, body, response.headers)
        if status in (401, 403):
            return Unauthorized(text)
        if status >= 500 or status < 400:
            return ServerTrouble(text)
        return Refused(status, text, body.ratelimit)

    def _limited(self, text: str, body: ErrorBody, headers: Mapping[str, str]) -> Limited:
        key = body.ratelimit.key if body.ratelimit else ""
        seconds = _limit_s(body, headers)
        if key.endswith(OF_A_DAY):
            return Limited(text, self._network.limited_pause_s if seconds is None else seconds, key)
        return Limited(text, self._gate.limit(seconds, self._network.limited_pause_s), key)


def _drain(idle: LifoQueue[HTTPConnection | None] | None) -> None:
    # closing the pool itself would fail a request that has the pool already and no connection yet
    while idle is not None:
        try:
            connection = idle.get(block=False)
        except Empty:
            return
        if connection is not None:
            connection.close()


def _form(data: Any) -> Any:
    """What is sent of a form; one without any field is no body: requests would send it in chunks, of which not one."""
    if not isinstance(data, dict):
        return data
    return {name: value for name, value in data.items() if value is not None} or None


def _look_away(kind: str, outcome: str, took_s: float) -> None:
    """Nobody wants to know."""


def _urgency(path: str) -> Urgency:
    if path.startswith("/api/bot/game/"):
        return Urgency.MOVE if "/move/" in path else Urgency.OTHER if path.endswith("/chat") else Urgency.ANSWER
    if path.startswith("/api/challenge/"):
        return Urgency.ACCEPT if path.endswith("/accept") else Urgency.ANSWER
    return Urgency.OTHER


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _limit_s(body: ErrorBody, headers: Mapping[str, str]) -> float | None:
    """How long the site says that a limit holds, None when it does not say."""
    if body.ratelimit is not None:
        return max(0.0, body.ratelimit.seconds)
    value = headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _network_text(error: Exception) -> str:
    """What went wrong with the network, without the address and the object dumps of the libraries."""
    if isinstance(error, requests.ConnectTimeout | requests.ReadTimeout) or "Read timed out" in str(error):
        return "no answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "the secure connection failed"
    text = str(error)
    for known in ("Connection refused", "Name or service not known", "Network is unreachable", "Connection reset"):
        if known.lower() in text.lower():
            return known.lower()
    return "connection broken"
