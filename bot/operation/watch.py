"""A port on which others see how the bot fares: /health for containers, /status in JSON, /metrics for Prometheus."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Final, Self

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.config import Watch
from bot.operation import shown
from bot.status import AccountStatus, State, ailments

REQUEST_WITHIN_S: Final = 5.0
JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
GAUGES: Final = {
    "centella_games_running": "Games that are running.",
    "centella_places_taken": "Places for games that are taken.",
    "centella_places": "Places for games.",
    "centella_challenges_waiting": "Challenges that wait for a place.",
    "centella_playing": "1 while new games are begun.",
    "centella_event_stream_silence_seconds": "Since the last sign of life on the event stream.",
    "centella_limited_seconds": "For how long the site still wants nothing but moves.",
}

logger = logging.getLogger(__name__)
Statuses = Callable[[], Sequence[AccountStatus]]


class Watched:
    """What is to be seen, asked anew for every request."""

    def __init__(self, statuses: Statuses, dead_after_s: float, registry: CollectorRegistry) -> None:
        self._statuses = statuses
        self._dead_after_s = dead_after_s
        self._registry = registry
        registry.register(_Gauges(statuses, dead_after_s))
        ProcessCollector(registry=registry)

    def page(self, path: str) -> tuple[int, str, bytes]:
        """The status code, type and content of a page."""
        if path == "/metrics":
            return 200, CONTENT_TYPE_LATEST, generate_latest(self._registry)
        if path not in ("/health", "/status"):
            return 404, TEXT, b"/health, /status or /metrics\n"
        statuses = self._statuses()
        problems = ailments(statuses, self._dead_after_s)
        values = shown.as_values(statuses, problems)
        if path == "/health":
            return 503 if problems else 200, JSON, _json({name: values[name] for name in ("healthy", "problems")})
        return 200, JSON, _json(values)


class WatchPort:
    """Serves them while the context lasts. Raises OSError, in the constructor, when the address cannot be had."""

    def __init__(self, settings: Watch, port: int, watched: Watched) -> None:
        self._server = _Server((settings.host, port), watched)
        self._thread = threading.Thread(target=self._server.serve_forever, name="watch", daemon=True)

    @property
    def address(self) -> str:
        """Where it is served."""
        host, port = self._server.server_address[:2]
        return f"http://[{host!s}]:{port}" if ":" in str(host) else f"http://{host!s}:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        logger.info("health, status and metrics at %s", self.address)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], watched: Watched) -> None:
        self.watched = watched
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Exchange)

    def server_bind(self) -> None:
        # HTTPServer's own asks a name server for our name, which may take seconds
        TCPServer.server_bind(self)


class _Exchange(BaseHTTPRequestHandler):
    timeout = REQUEST_WITHIN_S
    server: _Server
    server_version = "centella"
    sys_version = ""

    def do_GET(self) -> None:
        status, kind, content = self.server.watched.page(self.path.partition("?")[0])
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, format: str, *arguments: Any) -> None:
        logger.debug("watch: " + format, *arguments)


class _Gauges(Collector):
    """What is measured at the moment it is asked for."""

    def __init__(self, statuses: Statuses, dead_after_s: float) -> None:
        self._statuses = statuses
        self._dead_after_s = dead_after_s

    def collect(self) -> Iterator[Metric]:
        statuses = self._statuses()
        families = {name: GaugeMetricFamily(name, text, labels=("account",)) for name, text in GAUGES.items()}
        for status in statuses:
            for name, value in _measured(status).items():
                families[name].add_metric((status.account,), value)
        yield from families.values()
        healthy = not ailments(statuses, self._dead_after_s)
        yield GaugeMetricFamily("centella_healthy", "1 while all is well.", value=float(healthy))

    def describe(self) -> Iterator[Metric]:
        # asked when registered, before there is anything to measure
        yield from ()


def _measured(status: AccountStatus) -> dict[str, float]:
    """The value of every one of GAUGES."""
    return {
        "centella_games_running": len(status.games),
        "centella_places_taken": status.places,
        "centella_places": status.most_games,
        "centella_challenges_waiting": status.waiting,
        "centella_playing": float(status.state is State.PLAYING),
        "centella_event_stream_silence_seconds": status.heard_s,
        "centella_limited_seconds": status.limited_s,
    }


def _json(values: object) -> bytes:
    return json.dumps(values, indent=1).encode() + b"\n"
