"""The words of the UCI protocol: reading `go` and `position`, writing what was found.

    ValueError
    └── BadCommand      a command that cannot be followed, in one line
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.search.clock import share
from bot.search.thinker import Limits, Thought
from rules import draws, uci
from rules.draws import DrawPolicy
from rules.errors import IllegalMove, RulesError
from rules.position import Position
from rules.variant import Variant


class BadCommand(ValueError):
    """A command of the other program that cannot be followed."""


@dataclass(frozen=True)
class Line:
    """A position with what led to it, for the search; unlike a game it may run on after a draw that nobody claimed."""

    variant: Variant
    policy: DrawPolicy
    positions: list[Position]


@dataclass(frozen=True)
class Go:
    """What `go` asks for."""

    limits: Limits
    until_stopped: bool


_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes")
_LEAST_ONE = ("movestogo", "movetime", "depth", "nodes")


def read_go(words: Sequence[str], position: Position, overhead_ms: int) -> Go:
    """The limits of a search of this position.

    Raises: BadCommand.
    """
    numbers: dict[str, int] = {}
    infinite = False
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "infinite":
            infinite = True
        elif word in _NUMBERS:
            numbers[word] = _number(word, words[index] if index < len(words) else "")
            index += 1
        else:
            raise BadCommand(f"go: {word!r} is not understood")
    return Go(_limits(numbers, position, overhead_ms), infinite or not numbers)


def _limits(numbers: dict[str, int], position: Position, overhead_ms: int) -> Limits:
    depth, nodes = numbers.get("depth"), numbers.get("nodes")
    if "movetime" in numbers:
        return Limits(time_ms=numbers["movetime"], depth=depth, nodes=nodes)
    letter = position.turn.letter
    left_ms = numbers.get(f"{letter}time")
    if left_ms is None:
        return Limits(depth=depth, nodes=nodes)
    increment_ms, moves_to_go = numbers.get(f"{letter}inc", 0), numbers.get("movestogo")
    clock = share(left_ms, increment_ms, moves_to_go, overhead_ms, position.fullmove - 1)
    return Limits(time_ms=clock.time_ms, soft_ms=clock.soft_ms, depth=depth, nodes=nodes)


def _number(word: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise BadCommand(f"go {word}: {text!r} is not a number") from None
    return max(value, 1 if word in _LEAST_ONE else 0)


def read_position(words: Sequence[str], variant: Variant) -> Line:
    """The position that `startpos|fen ... [moves ...]` describes.

    Raises: BadCommand.
    """
    cut = list(words).index("moves") if "moves" in words else len(words)
    setup, moves = list(words[:cut]), words[cut + 1 :]
    try:
        if setup == ["startpos"]:
            positions = [Position.start(variant)]
        elif setup[:1] == ["fen"]:
            positions = [Position.from_fen(variant, " ".join(setup[1:]))]
        else:
            raise BadCommand("position: expected startpos or fen")
        for ply, text in enumerate(moves, start=1):
            positions.append(_after(positions[-1], text, ply))
    except RulesError as error:
        raise BadCommand(f"position: {error}") from None
    return Line(variant, draws.for_game(variant, with_bot=True), positions)


def _after(position: Position, text: str, ply: int) -> Position:
    try:
        return position.play(uci.read(position, text))
    except IllegalMove as error:
        raise error.at_ply(ply) from None


def write_progress(line: Line, thought: Thought, rook_castling: bool, fullness_permille: int) -> str:
    """An `info` line."""
    score = f"cp {thought.score_cp}" if thought.win_in is None else f"mate {thought.win_in}"
    rate = thought.nodes * 1000 // max(thought.time_ms, 1)
    moves = []
    position = line.positions[-1]
    for move in thought.pv:
        moves.append(uci.write(position, move, rook_castling))
        position = position.play(move)
    return (
        f"info depth {thought.depth} seldepth {thought.selective_depth} score {score} nodes {thought.nodes} nps {rate} "
        f"hashfull {fullness_permille} time {thought.time_ms} pv {' '.join(moves)}"
    )


def write_best(line: Line, thought: Thought, rook_castling: bool) -> str:
    """The `bestmove` line."""
    position = line.positions[-1]
    text = f"bestmove {uci.write(position, thought.move, rook_castling)}"
    if thought.ponder is None:
        return text
    return f"{text} ponder {uci.write(position.play(thought.move), thought.ponder, rook_castling)}"
