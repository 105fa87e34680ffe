"""Solving positions against time: whether the right move is found, when, and how deep the search then was."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import chess.engine

from bot.search.epd import Puzzle
from bot.search.players import PlayerFailed, is_own, own_thinker
from bot.search.programs import GRACE_S, PATIENCE_S, Program
from bot.search.thinker import Limits, Thought
from bot.search.wireboard import wire_board
from rules import draws, uci
from rules.errors import IllegalMove
from rules.game import Game
from rules.move import Move

HASH_MB: Final = 64


@dataclass(frozen=True, slots=True)
class Belief:
    """The move held best from some moment on."""

    move: Move
    time_ms: int
    depth: int | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one puzzle: the final move, and since when it was held best if it is right."""

    puzzle: Puzzle
    move: Move
    depth: int | None
    found: Belief | None

    @property
    def is_solved(self) -> bool:
        """Whether the final move is right."""
        return self.found is not None


class Solver(Protocol):
    """Looks for the best move of positions."""

    def beliefs(self, game: Game) -> Iterator[Belief]:
        """What is held best, each time that an iteration ends; the last is the answer.

        Raises: PlayerFailed.
        """

    def close(self) -> None:
        """Leave."""


def attempt(solver: Solver, puzzle: Puzzle) -> Attempt:
    """One puzzle; it counts as found from when on no belief was wrong.

    Raises: PlayerFailed.
    """
    game = Game(puzzle.position, draws.for_game(puzzle.position.variant, with_bot=True))
    found = last = None
    for last in solver.beliefs(game):
        if not puzzle.is_solved_by(last.move):
            found = None
        elif found is None:
            found = last
    if last is None:
        raise PlayerFailed(f"{puzzle.name}: no answer")
    return Attempt(puzzle, last.move, last.depth, found)


class OwnSolver:
    """Our search; a fresh one for each position.

    Raises: ValueError for a setting that is none.
    """

    def __init__(self, text: str, limits: Limits, threads: int) -> None:
        self._thinker = own_thinker(text, HASH_MB, threads)
        self._limits = limits

    def beliefs(self, game: Game) -> Iterator[Belief]:
        """What the search holds best."""
        told: list[Thought] = []
        self._thinker.clear()
        final = self._thinker.think(game, self._limits, on_progress=told.append)
        for thought in (*told, final):
            yield Belief(thought.move, thought.time_ms, thought.depth)

    def close(self) -> None:
        """Nothing to leave."""


class ProgramSolver:
    """Another program that speaks UCI.

    Raises: PlayerFailed, ValueError when the text names no program.
    """

    def __init__(self, text: str, limits: Limits, threads: int) -> None:
        self._text = text
        time_s = None if limits.time_ms is None else limits.time_ms / 1000
        self._limit = chess.engine.Limit(time=time_s, nodes=limits.nodes)
        self._patience_s = PATIENCE_S if time_s is None else time_s + GRACE_S
        self._engine = Program.read(text).start({"Threads": threads, "Hash": HASH_MB})

    def beliefs(self, game: Game) -> Iterator[Belief]:
        """What the program holds best, by the first move of its lines."""
        board = wire_board(game.variant, game.initial.fen(), (), game.turn)
        timer = threading.Timer(self._patience_s, self._engine.close)
        timer.start()
        began = time.perf_counter()
        depth = None
        try:
            with self._engine.analysis(board, self._limit, game=object()) as analysis:
                for told in analysis:
                    if told.get("pv") and "lowerbound" not in told and "upperbound" not in told:
                        depth = told.get("depth")
                        yield Belief(self._move(game, told["pv"][0]), round(1000 * told.get("time", 0)), depth)
                answer = analysis.wait().move
            if answer is None:
                raise PlayerFailed(f"{self._text}: no move")
            yield Belief(self._move(game, answer), round(1000 * (time.perf_counter() - began)), depth)
        except (chess.engine.EngineError, TimeoutError) as error:
            raise PlayerFailed(f"{self._text}: {error or type(error).__name__}") from error
        finally:
            timer.cancel()

    def _move(self, game: Game, move: chess.Move) -> Move:
        try:
            return uci.read(game.position, move.uci())
        except IllegalMove as error:
            raise PlayerFailed(f"{self._text}: {error}") from None

    def close(self) -> None:
        """End the program."""
        self._engine.close()


def solver(text: str, limits: Limits, threads: int) -> Solver:
    """The solver that a text names, as a player of a match is named.

    Raises: PlayerFailed, ValueError.
    """
    return (OwnSolver if is_own(text) else ProgramSolver)(text, limits, threads)
