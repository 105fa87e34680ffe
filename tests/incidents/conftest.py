"""What every incident happens in."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from bot.server.app import LocalLichess
from tests.incidents.house import BUSY_HOUSE
from tests.server.players import Player


@pytest.fixture
def lichess() -> Iterator[LocalLichess]:
    """A local Lichess with frequent keep-alives."""
    with LocalLichess(BUSY_HOUSE) as server:
        yield server


@pytest.fixture
def rival(lichess: LocalLichess) -> Player:
    """A person."""
    return Player(lichess, "rival", bot=False)


@pytest.fixture(autouse=True)
def no_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever happens, the bot logs nothing as an error; a test in which something must be takes it out itself."""
    caplog.set_level(logging.DEBUG, "bot")
    yield
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in errors if record.name.startswith("bot.")] == []
