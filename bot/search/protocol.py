"""The words of the UCI protocol: reading `go` and `position`, writing what was found.

In `go`, what is not understood is left out, and complained of: the other program waits for a move all the same.

    ValueError
    └── BadCommand      a command that cannot be followed, in one line
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.search import wdl
from bot.search.clock import share
from bot.search.thinker import Limits, Thought
from bot.search.wdl import Spread
from rules import draws, uci
from rules.draws import DrawPolicy
from rules.errors import IllegalMove, RulesError
from rules.move import Move
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
class Pace:
    """How the engine is set to share its time out: what a move costs beside thinking, and whether it may ponder."""

    overhead_ms: int = 0
    ponders: bool = False


@dataclass(frozen=True)
class Go:
    """What `go` asks for; the limits of time hold from `ponderhit` on where it is `pondering`."""

    limits: Limits
    until_stopped: bool
    pondering: bool = False

    @property
    def ends(self) -> bool:
        """Whether the search comes to an end by itself, once its limits of time hold."""
        limits = self.limits
        return not self.until_stopped and any((limits.time_ms, limits.depth, limits.nodes))


_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
_LEAST_ONE = ("movestogo", "movetime", "depth", "nodes", "mate")
# Milliseconds or nodes: more than any search can use, and what the search can count.
_MOST = 10**15
_FLAGS = ("infinite", "ponder", "searchmoves")


def read_go(words: Sequence[str], position: Position, lines: int, pace: Pace) -> tuple[Go, list[str]]:
    """The limits of a search of this position, and complaints about what could not be understood."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    moves: list[Move] = []
    complaints: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        try:
            if word in _NUMBERS:
                numbers[word] = _number(word, rest.pop(0) if rest else "")
            elif word in _FLAGS:
                flags.add(word)
            elif "searchmoves" in flags:
                moves.append(_move(word, position))
            else:
                raise BadCommand(f"go: {word!r} is not understood")
        except BadCommand as error:
            complaints.append(str(error))
    limits = _limits(numbers, position, pace)
    limits = replace(limits, lines=lines, moves=tuple(moves) if "searchmoves" in flags else None)
    return Go(limits, "infinite" in flags or not numbers, "ponder" in flags), complaints


def _limits(numbers: dict[str, int], position: Position, pace: Pace) -> Limits:
    plain = Limits(depth=numbers.get("depth"), nodes=numbers.get("nodes"), mate=numbers.get("mate"))
    if "movetime" in numbers:
        return replace(plain, time_ms=numbers["movetime"])
    letter = position.turn.letter
    left_ms = numbers.get(f"{letter}time")
    if left_ms is None:
        return plain
    increment_ms, moves_to_go = numbers.get(f"{letter}inc", 0), numbers.get("movestogo")
    clock = share(left_ms, increment_ms, moves_to_go, pace.overhead_ms, position.fullmove - 1, ponders=pace.ponders)
    return replace(plain, time_ms=clock.time_ms, soft_ms=clock.soft_ms)


def _number(word: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise BadCommand(f"go {word}: {text!r} is not a number") from None
    return min(max(value, 1 if word in _LEAST_ONE else 0), _MOST)


def _move(text: str, position: Position) -> Move:
    try:
        return uci.read(position, text)
    except RulesError as error:
        raise BadCommand(f"go searchmoves: {error}") from None


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


def write_progress(
    line: Line, thought: Thought, rook_castling: bool, fullness_permille: int, spread: Spread | None = None
) -> Iterator[str]:
    """The `info` lines, best first; with the chances of win, draw and loss where a spread is given."""
    rate = thought.nodes * 1000 // max(thought.time_ms, 1)
    for number, one in enumerate((thought, *thought.others), start=1):
        moves = " ".join(_written(line.positions[-1], one.pv, rook_castling))
        yield (
            f"info depth {one.depth} seldepth {one.selective_depth} multipv {number} score {_score(one, spread)} "
            f"nodes {one.nodes} nps {rate} hashfull {fullness_permille} time {one.time_ms} pv {moves}"
        )


def _score(thought: Thought, spread: Spread | None) -> str:
    score = f"cp {thought.score_cp}" if thought.win_in is None else f"mate {thought.win_in}"
    if spread is None:
        return score
    chances = wdl.chances(thought.score_cp, spread)
    win, loss = round(1000 * chances.win), round(1000 * chances.loss)
    return f"{score} wdl {win} {1000 - win - loss} {loss}"


def _written(position: Position, moves: Sequence[Move], rook_castling: bool) -> Iterator[str]:
    for move in moves:
        yield uci.write(position, move, rook_castling)
        position = position.play(move)


def write_best(line: Line, thought: Thought, rook_castling: bool) -> str:
    """The `bestmove` line."""
    position = line.positions[-1]
    text = f"bestmove {uci.write(position, thought.move, rook_castling)}"
    if thought.ponder is None:
        return text
    return f"{text} ponder {uci.write(position.play(thought.move), thought.ponder, rook_castling)}"
