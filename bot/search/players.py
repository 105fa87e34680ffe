"""Who plays a match: our own search within this process, or another program that speaks UCI.

    Exception
    └── PlayerFailed      a player cannot be started, or has broken down
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import Protocol

import chess.engine

from bot.search.clock import share
from bot.search.thinker import Limits, Thinker
from bot.search.wireboard import wire_board
from rules import uci
from rules.game import Game

OVERHEAD_MS = 10
START_TIMEOUT_S = 20.0


class PlayerFailed(Exception):
    """A player cannot be started, or has broken down."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the players may think: one of time for a move, nodes for a move, or a clock for the game."""

    movetime_ms: int | None = None
    nodes: int | None = None
    base_ms: int | None = None
    increment_ms: int = 0


@dataclass(frozen=True, slots=True)
class Clocks:
    """What is left to White and Black when the game is played by the clock."""

    white_ms: int
    black_ms: int


class Player(Protocol):
    """Chooses moves."""

    name: str

    def begin(self, game: Game) -> None:
        """Get ready for a new game."""

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> str:
        """A move in protocol form, which may be illegal.

        Raises: PlayerFailed.
        """

    def close(self) -> None:
        """Leave."""


class OwnPlayer:
    """The search of this process.

    Raises: ValueError for an unknown setting.
    """

    def __init__(self, name: str, settings: dict[str, int]) -> None:
        options = dict(settings)
        self.name = name
        self._thinker = Thinker(options.pop("hash", 16), options)

    def begin(self, game: Game) -> None:
        """Forget the last game."""
        self._thinker.clear()

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> str:
        """The move that the search finds."""
        limits = Limits(time_ms=pace.movetime_ms, nodes=pace.nodes)
        if clocks is not None:
            left_ms = clocks.white_ms if game.turn == 0 else clocks.black_ms
            own = share(left_ms, pace.increment_ms, None, OVERHEAD_MS, len(game.moves) // 2)
            limits = Limits(time_ms=own.time_ms, soft_ms=own.soft_ms)
        return uci.write(game.position, self._thinker.think(game, limits).move, game.variant.chess960)

    def close(self) -> None:
        """Nothing to leave."""


@dataclass
class UciPlayer:
    """Another program; its name is its command.

    Raises: PlayerFailed.
    """

    name: str
    _engine: chess.engine.SimpleEngine = field(init=False)
    _game: object = None

    def __post_init__(self) -> None:
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(shlex.split(self.name), timeout=START_TIMEOUT_S)
        except (OSError, ValueError, TimeoutError, chess.engine.EngineError) as error:
            raise PlayerFailed(f"{self.name}: {error or type(error).__name__}") from error

    def begin(self, game: Game) -> None:
        """Let the program know of a new game, with its next position."""
        self._game = object()

    def choose(self, game: Game, pace: Pace, clocks: Clocks | None) -> str:
        """The move that the program answers with."""
        moves = game.uci_moves(game.variant.chess960)
        board = wire_board(game.variant, game.initial.fen(), moves, game.turn)
        try:
            result = self._engine.play(board, _limit(pace, clocks), game=self._game)
        except (chess.engine.EngineError, TimeoutError) as error:
            raise PlayerFailed(f"{self.name}: {error or type(error).__name__}") from error
        return "0000" if result.move is None else result.move.uci()

    def close(self) -> None:
        """Quit the program."""
        self._engine.close()


def _limit(pace: Pace, clocks: Clocks | None) -> chess.engine.Limit:
    if clocks is not None:
        increment_s = pace.increment_ms / 1000
        return chess.engine.Limit(
            white_clock=clocks.white_ms / 1000,
            black_clock=clocks.black_ms / 1000,
            white_inc=increment_s,
            black_inc=increment_s,
        )
    return chess.engine.Limit(time=None if pace.movetime_ms is None else pace.movetime_ms / 1000, nodes=pace.nodes)


def player(text: str) -> Player:
    """The player that a text names: `centella[:key=value,...]`, or the command of a program.

    Raises: PlayerFailed, ValueError for a setting that is none.
    """
    if not text.strip():
        raise ValueError("a player is missing: the text is empty")
    name, _, settings = text.partition(":")
    if name != "centella":
        return UciPlayer(text)
    pairs = [pair.partition("=") for pair in settings.split(",") if pair]
    try:
        return OwnPlayer(text, {key: int(value) for key, _, value in pairs})
    except ValueError as error:
        raise ValueError(f"{text}: {error}") from None
