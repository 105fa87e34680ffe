"""Who plays a match: our own search within this process, or another program that speaks UCI.

Exception
└── PlayerFailed      a player cannot be started, or has broken down
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from bot.search import wdl
from bot.search.clock import share
from bot.search.evaluation.networks import AUTO
from bot.search.settings import MOST_HASH_MB, MOST_THREADS
from bot.search.thinker import Limits, StopFlag, Thinker
from rules import uci
from rules.game import Game

OVERHEAD_MS = 10
HASH_MB = 16
# Far beyond any margin or switch of the search, and well within what it can hold.
MOST_OPTION: Final = 10**6


class PlayerFailed(Exception):
    """A player cannot be started, or has broken down."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the players may think: one of time for a move, nodes for a move, or a clock for the game."""

    movetime_ms: int | None = None
    nodes: int | None = None
    base_ms: int | None = None
    increment_ms: int = 0

    def __str__(self) -> str:
        if self.base_ms is not None:
            return f"{self.base_ms / 1000:g}+{self.increment_ms / 1000:g}"
        return f"{self.nodes} nodes a move" if self.movetime_ms is None else f"{self.movetime_ms} ms a move"


@dataclass(frozen=True, slots=True)
class Clocks:
    """What is left to White and Black when the game is played by the clock."""

    white_ms: int
    black_ms: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A move in protocol form, which may be illegal, and what its player thinks of the position.

    The score is of the search's scale (see `wdl`), from the mover's side, None from a program that tells none.
    """

    move: str
    score: int | None = None
    depth: int | None = None


class Player(Protocol):
    """Chooses moves."""

    name: str

    def begin(self, game: Game) -> None:
        """Get ready for a new game.

        Raises: PlayerFailed.
        """

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> Choice:
        """A move.

        Raises: PlayerFailed.
        """

    def close(self) -> None:
        """Leave, at once: a choice under way is cut short."""


class OwnPlayer:
    """The search of this process."""

    def __init__(self, name: str, thinker: Thinker) -> None:
        self.name = name
        self._thinker = thinker
        self._stop = StopFlag()

    def begin(self, game: Game) -> None:
        """Forget the last game."""
        self._thinker.clear()

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> Choice:
        """The move that the search finds."""
        limits = Limits(time_ms=pace.movetime_ms, nodes=pace.nodes)
        if clocks is not None:
            left_ms = clocks.white_ms if game.turn == 0 else clocks.black_ms
            own = share(left_ms, pace.increment_ms, None, OVERHEAD_MS, len(game.moves) // 2)
            limits = Limits(time_ms=own.time_ms, soft_ms=own.soft_ms)
        thought = self._thinker.think(game, limits, self._stop)
        move = uci.write(game.position, thought.move, game.variant.chess960)
        return Choice(move, thought.score_cp, thought.depth)

    def close(self) -> None:
        """End a search under way."""
        self._stop.set()


def is_own(text: str) -> bool:
    """Whether a text names our own search."""
    return text.partition(":")[0] == "centella"


def own_thinker(text: str, hash_mb: int = HASH_MB, threads: int = 1) -> Thinker:
    """Our search with the settings that a text names: `centella[:key=value,...]`.

    Beside the search's options these are `hash`, `threads`, `network` (`auto`, `none`, a file or a folder of files),
    `evaluation` (the name of one that the game keeps to be measured by) and `tables` (a folder of end-game tables).

    Raises: ValueError for a setting that is none.
    """
    settings, texts = {}, {"network": AUTO}
    for pair in text.partition(":")[2].split(","):
        key, _, value = pair.partition("=")
        if key in ("network", "evaluation", "tables"):
            texts[key] = value
        elif pair:
            try:
                settings[key] = int(value)
            except ValueError:
                raise ValueError(f"{text}: {pair!r} is not KEY=NUMBER") from None
    hash_mb, threads = settings.pop("hash", hash_mb), settings.pop("threads", threads)
    _see_that(text, "hash", hash_mb, 1, MOST_HASH_MB)
    _see_that(text, "threads", threads, 1, MOST_THREADS)
    for key, number in settings.items():
        _see_that(text, key, number, -MOST_OPTION, MOST_OPTION)
    try:
        return Thinker(hash_mb, settings, threads, texts["network"], texts.get("evaluation"), texts.get("tables"))
    except (ValueError, MemoryError) as error:
        raise ValueError(f"{text}: {error}") from None


def _see_that(text: str, key: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise ValueError(f"{text}: {key} is {number}, not between {least} and {most}")


def score_of_mate(moves: int) -> int:
    """The search's score for a mate in so many moves, negative when it is the other's; 0 is having been mated."""
    plies = 2 * moves - 1 if moves > 0 else -2 * moves
    return wdl.WIN - plies if moves > 0 else plies - wdl.WIN
