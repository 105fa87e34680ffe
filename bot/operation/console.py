"""Commands typed at the terminal, while the bot plays."""

from __future__ import annotations

import os
import select
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Final, Self

from bot.operation.reply import Reply

AT_ONCE: Final = 4096


class Console:
    """Reads lines of a file descriptor in a thread of its own, while the context lasts, and says what they bring.

    Nothing of Python's own standard input is used: a thread that is blocked in it cannot be ended.
    """

    def __init__(self, descriptor: int, answer: Callable[[Sequence[str]], Reply], say: Callable[[str], None]) -> None:
        self._descriptor = descriptor
        self._answer = answer
        self._say = say
        self._end, self._ending = os.pipe()
        self._thread = threading.Thread(target=self._run, name="console", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.write(self._ending, b"x")
        self._thread.join()
        os.close(self._end)
        os.close(self._ending)

    def _run(self) -> None:
        self._say("Type help for the commands.")
        for line in self._lines():
            try:
                words = shlex.split(line)
            except ValueError as error:
                self._say(f"not a command: {error}")
                continue
            if words:
                self._say(self._answer(words).text)

    def _lines(self) -> Iterator[str]:
        """The lines typed, until there will be no more."""
        pending = b""
        while True:
            ready, _, _ = select.select([self._descriptor, self._end], [], [])
            if self._end in ready:
                return
            read = os.read(self._descriptor, AT_ONCE)
            if not read:
                return
            *whole, pending = (pending + read).split(b"\n")
            for line in whole:
                yield line.decode("utf-8", errors="replace")
