"""The pytest fixture `local_lichess`: a Lichess on this machine for one test, so that bots can be tried against it.

This module is imported by every pytest run where Centella is installed, whatever it tests.  So it stands by itself, and
imports nothing but pytest before a test asks for the fixture.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bot.server.app import LocalLichess

_MARK = "local_lichess(manual_time=False, seed=None, faults=(), **settings): how the fixture `local_lichess` is set up"


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", _MARK)


@pytest.fixture
def local_lichess(request: pytest.FixtureRequest) -> Iterator[LocalLichess]:
    """A server of its own for this test, at `.url`; `.mint(name)` makes a bot account and gives its token.

    The mark `local_lichess` sets it up: with `manual_time` time passes by `.advance(ms)` only, `seed` repeats chance,
    `faults` are switched on, everything else goes to ServerSettings.
    """
    server = _started(request.node.get_closest_marker("local_lichess"))
    yield server
    server.stop()


def _started(mark: pytest.Mark | None) -> LocalLichess:
    try:
        from bot.server.app import LocalLichess
        from bot.server.settings import ServerSettings
        from bot.server.timekeeper import ManualTime
    except ModuleNotFoundError as error:
        raise RuntimeError(f"Centella's package `bot` is missing, or another of that name hides it: {error}") from None
    options: dict[str, Any] = {"port": 0} | (dict(mark.kwargs) if mark else {})
    manual, seed, faults = options.pop("manual_time", False), options.pop("seed", None), options.pop("faults", ())
    server = LocalLichess(
        ServerSettings(fault_seed=seed or 0, **options),
        timekeeper=ManualTime() if manual else None,
        chance=None if seed is None else random.Random(seed),
    )
    for fault in faults:
        server.fault(fault)
    return server
