"""Our side of Lichess's API, impatient enough for tests."""

from __future__ import annotations

from typing import Any

from bot.config import Network
from bot.lichess import Lichess
from tests.bot.loopback import Loopback

TOKEN = "lip_forOneHostOnly"
QUICK = Network(
    connect_timeout_s=1, request_timeout_s=0.3, move_timeout_s=0.2, stall_timeout_s=0.3, limited_pause_s=0.2
)


def client(server: Loopback, **options: Any) -> Lichess:
    return Lichess(server.url, TOKEN, QUICK, **options)
