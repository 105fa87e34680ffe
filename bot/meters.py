"""What is counted while the bot plays, in the form that Prometheus reads."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

QUICK_S: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Meters:
    """The counters of one process, in a registry of their own; any thread may count."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        account = ("account",)
        self._challenges = Counter(
            "centella_challenges", "Challenges answered.", (*account, "answer"), registry=self.registry
        )
        self._games = Counter(
            "centella_games", "Games ended.", (*account, "variant", "result", "status"), registry=self.registry
        )
        self._breaks = Counter(
            "centella_game_breaks", "Games broken off by an error of ours.", account, registry=self.registry
        )
        self._openings = Counter(
            "centella_stream_openings", "Streams opened.", (*account, "stream"), registry=self.registry
        )
        self._requests = Counter(
            "centella_requests", "Requests by how they went.", (*account, "kind", "outcome"), registry=self.registry
        )
        self._round_trips = Histogram(
            "centella_request_seconds", "How long answers took.", (*account, "kind"),
            buckets=QUICK_S, registry=self.registry,
        )  # fmt: skip
        self._overhead = Histogram(
            "centella_move_overhead_seconds",
            "From the news that we are to move until the move is sent, less the thinking.",
            account, buckets=QUICK_S, registry=self.registry,
        )  # fmt: skip

    def challenge(self, account: str, answer: str) -> None:
        """A challenge was answered: `accepted`, or the reason it was declined for."""
        self._challenges.labels(account, answer).inc()

    def over(self, account: str, variant: str, result: str, status: str) -> None:
        """A game has ended: `won`, `drawn`, `lost`, or `-` for no result."""
        self._games.labels(account, variant, result, status).inc()

    def broken(self, account: str) -> None:
        """A game was broken off by an error of ours."""
        self._breaks.labels(account).inc()

    def opened(self, account: str, stream: str) -> None:
        """A stream was opened: `events` or `game`."""
        self._openings.labels(account, stream).inc()

    def request(self, account: str, kind: str, outcome: str, took_s: float) -> None:
        """A request was answered, or was not."""
        self._requests.labels(account, kind, outcome).inc()
        self._round_trips.labels(account, kind).observe(took_s)

    def moved(self, account: str, overhead_s: float) -> None:
        """A move was sent, so long after we were told that it was our turn, the thinking not counted."""
        self._overhead.labels(account).observe(overhead_s)
