"""Waiting for compiled code, which hears of no signal before it has come to its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def interruptibly(call: Callable[[], T]) -> T:
    """What a call comes to that runs without the interpreter; a signal ends the waiting, and with it the process."""
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # raised again where it was asked for
            failed.append(error)

    thread = threading.Thread(target=run, name="counting", daemon=True)
    thread.start()
    thread.join()
    for error in failed:
        raise error
    return found[0]
