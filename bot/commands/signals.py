"""What signals do while the bot plays."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Self

from bot.commands import FAILED
from bot.operation.fleet import Fleet


class Signals:
    """While the context lasts, SIGINT and SIGTERM stop the fleet; SIGHUP has it read its configuration anew.

    The second one to stop ends the process at once, as failed: running games are left to be resumed.
    """

    def __init__(self) -> None:
        self._fleet: Fleet | None = None
        self._seen = 0
        self._before: dict[int, object] = {}

    def obeyed_by(self, fleet: Fleet) -> bool:
        """From now on it is this one that is stopped. False when a signal to stop has come already."""
        self._fleet = fleet
        return self._seen == 0

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._on_stop)
        self._before[signal.SIGHUP] = signal.signal(signal.SIGHUP, self._on_reload)
        return self

    def __exit__(self, *_: object) -> None:
        for number, action in self._before.items():
            signal.signal(number, action)  # type: ignore[arg-type]

    def _on_stop(self, number: int, frame: FrameType | None) -> None:
        self._seen += 1
        if self._seen > 1:
            os._exit(FAILED)
        if self._fleet is not None:
            self._fleet.stop()

    def _on_reload(self, number: int, frame: FrameType | None) -> None:
        if self._fleet is not None:
            self._fleet.ask_to_reload()
