"""Says lines in games: one after the other, never faster than is polite, and never in the way of a move."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot import chat
from bot.transport import LichessError

logger = logging.getLogger(__name__)

WAITING_MOST: Final = 20
WAITING_OF_A_GAME_MOST: Final = 3


@dataclass(frozen=True)
class _Line:
    game_id: str
    room: str
    text: str


class Speaker:
    """Speaks for an account in a thread that lives while there are lines; what comes too thick is dropped."""

    def __init__(self, send: Callable[[str, str, str], None], pause_s: float) -> None:
        self._send = send
        self._pause_s = pause_s
        self._lock = threading.Lock()
        self._lines: deque[_Line] = deque()
        self._speaking = False
        self._stopped = threading.Event()

    def say(self, game_id: str, room: str, text: str) -> None:
        """Say it when it is its turn."""
        line = _Line(game_id, room, chat.fit(text))
        with self._lock:
            of_game = sum(waiting.game_id == game_id for waiting in self._lines)
            if not line.text or len(self._lines) >= WAITING_MOST or of_game >= WAITING_OF_A_GAME_MOST:
                return
            self._lines.append(line)
            if self._speaking or self._stopped.is_set():
                return
            self._speaking = True
        threading.Thread(target=self._speak, name="chat", daemon=True).start()

    def stop(self) -> None:
        """Say nothing any more."""
        self._stopped.set()

    def _speak(self) -> None:
        while True:
            with self._lock:
                if not self._lines or self._stopped.is_set():
                    self._speaking = False
                    return
                line = self._lines.popleft()
            try:
                self._send(line.game_id, line.room, line.text)
            except LichessError as error:
                logger.info("game %s: not said: %s", line.game_id, error)
            self._stopped.wait(self._pause_s)
