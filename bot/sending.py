"""How a move gets to the server: sent again and again, until it is answered or no longer wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from bot.backoff import Backoff, Clock
from bot.transport import Limited, Refused, ServerTrouble, Unauthorized, Unreachable


@dataclass(frozen=True)
class Delivered:
    """The server took it, `round_trip_ms` after it was last sent."""

    round_trip_ms: float


@dataclass(frozen=True)
class Rejected:
    """The server will not have it; it may have been played by an earlier try whose answer was lost."""

    text: str


@dataclass(frozen=True)
class Withdrawn:
    """It was no longer wanted."""


@dataclass(frozen=True)
class Forbidden:
    """The token does not allow it."""

    error: Unauthorized


Delivery = Delivered | Rejected | Withdrawn | Forbidden


def deliver(
    send: Callable[[], None], withdrawn: threading.Event, *, pauses: Backoff, limited_retry_s: float, clock: Clock
) -> Delivery:
    """Send until there is an answer; `withdrawn` ends it, also in the middle of a pause."""
    while not withdrawn.is_set():
        began = clock()
        try:
            send()
            return Delivered((clock() - began) * 1000)
        except Refused as error:
            return Rejected(str(error))
        except Unauthorized as error:
            return Forbidden(error)
        except Limited:
            pause_s = limited_retry_s
        except (Unreachable, ServerTrouble):
            pause_s = pauses.next_s()
        withdrawn.wait(pause_s)
    return Withdrawn()
