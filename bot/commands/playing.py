"""What `run` and `local` have in common: an account, a daemon, and the signals that stop it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from bot import wire
from bot.commands import FAILED, OK, CommandFailed
from bot.config import Config
from bot.daemon import Daemon, DaemonStopped
from bot.lichess import Lichess
from bot.records.database import Records
from bot.transport import LichessError, Unauthorized


def play(config: Config, lichess: Lichess, folder: Path, source: str) -> int:
    """Play until a signal comes."""
    account = _playable_account(lichess)
    with Records(folder) as records:
        daemon = Daemon(config, lichess, records, account, source=source)
        try:
            with _signals_to(daemon.stop):
                daemon.run()
        except Unauthorized as error:
            raise CommandFailed(f"{lichess.url} no longer accepts the token: {error}") from None
        except DaemonStopped as error:
            raise CommandFailed(str(error)) from None
    return OK


def _playable_account(lichess: Lichess) -> wire.Account:
    """The account, if it may play by the Bot API."""
    try:
        account = lichess.account()
    except Unauthorized as error:
        raise CommandFailed(f"{lichess.url} does not accept the token: {error}") from None
    except (LichessError, wire.MalformedMessage) as error:
        raise CommandFailed(f"{lichess.url} cannot be used: {error}") from None
    if account.disabled or account.tos_violation:
        raise CommandFailed(f"the account {account.username} is closed or marked by {lichess.url}")
    if account.title != "BOT":
        played = f"; it has played {account.count.all} games, so it never can be" if account.count.all else ""
        raise CommandFailed(f"{account.username} is not a bot account on {lichess.url}{played}")
    return account


@contextmanager
def _signals_to(stop: Callable[[], None]) -> Iterator[None]:
    """While the context lasts, SIGINT and SIGTERM call `stop`; the second one ends the process at once."""
    seen: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        if len(seen) > 1:
            os._exit(FAILED)
        stop()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)
