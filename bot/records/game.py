"""The values that are kept: a game that is running, and a game that has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNFINISHED: Final = "*"
DRAWN: Final = "1/2-1/2"
WHITE_WON: Final = "1-0"
BLACK_WON: Final = "0-1"

ABORTED: Final = "aborted"
NO_START: Final = "noStart"
VANISHED: Final = "unknownFinish"
"""The status of a game that the site does not know any more."""


@dataclass(frozen=True)
class OpenGame:
    """A journal row: a game that is ours to play to its end; `source` and `account` say where and for whom.

    `rules` are the special rules that its challenge named, such as noClaimWin, separated by spaces.
    """

    game_id: str
    source: str
    account: str
    url: str
    variant: str
    rated: bool
    speed: str
    color: str
    opponent: str
    started_at: str
    rules: str = ""


@dataclass(frozen=True)
class GameRecord:
    """A game that ended. `result` is as in PGN; the times are ISO 8601 in UTC; `moves` are UCI, or SAN if exported.

    `account` is "" in records of versions that did not keep it.
    """

    game_id: str
    url: str
    source: str
    account: str
    variant: str
    rated: bool
    speed: str
    color: str
    opponent: str
    result: str
    status: str
    reason: str | None
    plies: int
    started_at: str
    ended_at: str
    initial_fen: str | None = None
    moves: str = ""

    @property
    def counts(self) -> bool:
        """Whether the game has a result at all."""
        return self.result != UNFINISHED


def result_of(status: str, winner: str | None) -> str:
    """The result in PGN's form for a final status and the winner's color."""
    if winner is not None:
        return WHITE_WON if winner == "white" else BLACK_WON
    return UNFINISHED if status in (ABORTED, VANISHED) else DRAWN
