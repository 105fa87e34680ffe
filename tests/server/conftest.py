from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from tests.server.players import Player


@pytest.fixture
def lichess() -> Iterator[LocalLichess]:
    """A server whose time stands still until a test moves it, and whose answers do not wait for it to move."""
    settings = ServerSettings(port=0, claim_answer_ms=0, ai_game_move_ms=0)
    server = LocalLichess(settings, timekeeper=ManualTime(), chance=random.Random(2026))
    yield server
    # Not waited for: that would be a fifth of a second for every test.
    server.begin_stop()


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
