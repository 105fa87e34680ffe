"""Files of known answers, and what our rules say to each row.

A perft file has one position a line: a FEN, then ` ;Dn count` for each depth.  A verdict file (`.jsonl`) has one object
a line, whose keys tell its kind: `status` (how a game stands after some moves), `written` (a move in both notations),
`why` (a FEN to be refused).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from bot.messages import explain
from rules import draws, san, uci, variants
from rules.errors import RulesError
from rules.game import judge
from rules.move import Color
from rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.draws import DrawPolicy
    from rules.variant import Variant


class BadRow(ValueError):
    """A row of a file that does not say what its kind of row must say."""


@dataclass(frozen=True, slots=True)
class PerftRow:
    """A position and the known numbers of move sequences, by depth."""

    line: int
    fen: str
    counts: dict[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one row: `remark` says what is wrong, or why a position that must be refused is refused."""

    line: int
    agrees: bool
    remark: str = ""


class _Row(BaseModel):
    """A row of a verdict file; keys that are not named here are not compared."""

    fen: str
    variant: str | None = None
    policy: str | None = None
    moves: list[str] = []
    status: str | None = None
    winner: str | None = None
    reason: str | None = None
    insufficient: dict[str, bool | None] = {}
    uci: str | None = None
    written: str | None = None
    why: str | None = None


def read_perft(lines: Iterable[str]) -> Iterator[PerftRow]:
    """The rows of a perft file; comments and blank lines are skipped.

    Raises: BadRow.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fen, *fields = (part.strip() for part in line.split(";"))
        counts = {}
        for field in fields:
            match = re.fullmatch(r"D([1-9]\d?)\s+(\d+)", field)
            if match is None:
                raise BadRow(f"line {number}: {field!r} is not a depth and a count, such as D3 8902")
            counts[int(match.group(1))] = int(match.group(2))
        yield PerftRow(number, fen, counts)


def verify(lines: Iterable[str], only: Variant | None) -> Iterator[Verdict]:
    """What our rules say to the rows of a verdict file.

    With `only`, rows that name another game are skipped and rows that name none are of this game.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = _Row.model_validate_json(line)
            if only is not None and row.variant not in (None, only.key):
                continue
            agrees, remark = _check(row, only)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            agrees, remark = False, f"{place}: {first['msg']}" if place else first["msg"]
        except RulesError as error:
            agrees, remark = False, explain(error)
        except BadRow as error:
            agrees, remark = False, str(error)
        yield Verdict(number, agrees, remark)


def _check(row: _Row, only: Variant | None) -> tuple[bool, str]:
    """Whether a row agrees with us, and the remark."""
    variant = only
    if variant is None:
        if row.variant is None:
            raise BadRow("the row names no variant: give one with --variant")
        variant = variants.by_key(row.variant)
    if row.why is not None:
        return _check_refusal(row, variant)
    if row.written is not None:
        differences = list(_check_notation(row, variant))
    elif row.status is not None:
        differences = list(_check_outcome(row, variant))
    else:
        raise BadRow("the row has none of the keys status, written and why")
    return not differences, "; ".join(differences)


def _check_refusal(row: _Row, variant: Variant) -> tuple[bool, str]:
    try:
        Position.from_fen(variant, row.fen)
    except RulesError as error:
        return True, f"refused: {explain(error)} ({row.why})"
    return False, f"not refused: {row.why}"


def _check_notation(row: _Row, variant: Variant) -> Iterator[str]:
    if row.uci is None:
        raise BadRow("the row has a written move, but no key uci")
    position = Position.from_fen(variant, row.fen)
    move = uci.read(position, row.uci)
    if row.uci not in (uci.write(position, move, False), uci.write(position, move, True)):
        yield f"{row.uci} is written back as {uci.write(position, move, variant.chess960)}"
    if san.write(position, move) != row.written:
        yield f"{row.uci} is written {san.write(position, move)}, expected {row.written}"
    found = san.read(position, row.written or "")
    if found != move:
        yield f"{row.written} is read as {uci.write(position, found, variant.chess960)}, expected {row.uci}"


def _check_outcome(row: _Row, variant: Variant) -> Iterator[str]:
    policy = _policy(row.policy, variant)
    positions = [Position.from_fen(variant, row.fen)]
    for text in row.moves:
        positions.append(positions[-1].play(uci.read(positions[-1], text)))
    outcome = judge(positions, policy)
    found: dict[str, str | None] = {"status": "ongoing", "winner": None, "reason": None}
    if outcome is not None:
        winner = None if outcome.winner is None else outcome.winner.wire
        found = {"status": outcome.status.value, "winner": winner, "reason": outcome.reason.value}
    for key, expected in (("status", row.status), ("winner", row.winner), ("reason", row.reason)):
        if expected is not None and found[key] != expected:
            yield f"{key} {found[key]}, expected {expected}"
    for color in Color:
        insufficient = row.insufficient.get(color.wire)
        if insufficient is not None and positions[-1].can_win(color) is insufficient:
            yield f"{color.wire} {'can win' if insufficient else 'cannot win'}, expected the contrary"


def _policy(name: str | None, variant: Variant) -> DrawPolicy:
    """The policy of that name; without one, and for Lichess's, that of a game in which a bot plays."""
    if name is None:
        return draws.for_game(variant, with_bot=True)
    if name == draws.LICHESS.name:
        return draws.LICHESS_WITH_BOT
    known: list[DrawPolicy | None] = [draws.ENGINE, *(game.own_policy for game in variants.ALL)]
    for policy in known:
        if policy is not None and policy.name == name:
            return policy
    raise BadRow(f"unknown draw policy {name!r}")
