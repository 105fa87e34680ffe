from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from tests.server.players import Player

Serve = Callable[..., LocalLichess]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers whose time stands still until a test moves it, and whose answers do not wait for it to move.

    Their settings may be changed by name, and `chance` may be given.
    """
    servers = []

    def start(*, chance: random.Random | None = None, **changes: Any) -> LocalLichess:
        settings = ServerSettings(**({"port": 0, "claim_answer_ms": 0, "ai_game_move_ms": 0} | changes))
        servers.append(LocalLichess(settings, timekeeper=ManualTime(), chance=chance or random.Random(2026)))
        return servers[-1]

    yield start
    for server in servers:
        # Not waited for: that would be a fifth of a second for every test.
        server.begin_stop()


@pytest.fixture
def lichess(serve: Serve) -> LocalLichess:
    """One of these servers with the usual settings."""
    return serve()


@pytest.fixture
def housebot(lichess: LocalLichess) -> Player:
    return Player(lichess, "housebot")


@pytest.fixture
def fusebox(lichess: LocalLichess) -> Player:
    return Player(lichess, "fusebox")


@pytest.fixture
def rival(lichess: LocalLichess) -> Player:
    """A person."""
    return Player(lichess, "Rival", bot=False)
