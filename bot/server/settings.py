"""What can be set about the local Lichess; the defaults are the figures that Lichess uses."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot.server.quotas import UNLIMITED, Limits


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where the server listens, and its time-outs and limits.

    `data` is the folder of its database; without one it keeps everything in memory, and forgets it when it ends.
    `public_url` is the address that people use, where that is another one than this server's own, behind a proxy.
    `allowed_hosts` are names, beside that one, IP addresses and names without a dot, that a request's Host may carry.
    `trusted_proxies` are addresses that are believed when they say for whom they ask (X-Forwarded-For and -Proto).
    A connection is closed when a request takes longer than `request_ms` to arrive, and when a client leaves what it is
    sent lying for `stall_ms`; beyond so many `connections`, `streams` in all and `streams_each` for one user
    new ones are turned away.
    `unbegun_ms` is after how long a live game is aborted in which the player who is to make a first move is not there;
    Lichess does not do that.
    `rook_castling` writes castling as king-takes-rook in every game, not only where Lichess always does.
    `fault_seed` decides faults that happen by chance.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path | None = None
    public_url: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    event_keep_alive_ms: int = 6_000
    game_keep_alive_ms: int = 7_000
    challenge_keep_alive_ms: int = 50_000
    challenge_life_ms: int = 20_000
    stream_lines: int = 32
    body_bytes: int = 65_536
    request_ms: int = 15_000
    stall_ms: int = 60_000
    connections: int = 10_000
    streams: int = 5_000
    streams_each: int = 500
    rook_castling: bool = False
    game_limit_plies: int = 600
    unbegun_ms: int | None = None
    gone_after_ms: int = 1_000
    gone_notice_ms: int = 5_000
    gone_claim_ms: int = 40_000
    gone_claim_least_ms: int = 10_000
    claim_answer_ms: int = 500
    ai_game_move_ms: int = 500
    rematch_ms: int = 10_000
    arena_pairing_ms: int = 2_000
    limits: Limits = UNLIMITED
    kept_games: int = 1_000
    kept_challenges: int = 1_000
    fault_seed: int = 0

    @property
    def url(self) -> str:
        """The address that is written into challenges and exports; every address is shown as loopback."""
        if self.public_url is not None:
            return self.public_url.rstrip("/")
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}"

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names by which this server may be asked for, beside plain ones."""
        public = urlsplit(self.public_url or "").hostname
        return (*map(str.lower, self.allowed_hosts), *([public] if public else []))
