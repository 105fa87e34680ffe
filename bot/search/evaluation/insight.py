"""What a network has learnt, in numbers and pictures that a person can read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rules import fen, problems
from rules.move import Role
from rules.position import Position

if TYPE_CHECKING:
    from bot.search.evaluation.network import Network
    from rules.variant import Variant

# From faint to strong, as shades.
_SHADES: Final = " .:-=+*#%@"


def man_values(network: Network, variant: Variant) -> dict[Role, int]:
    """What a man of each role is worth in centipawns: by how much its removal from the start changes the score.

    The mean over both sides' men; roles whose men cannot go without breaking the rules of the game are left out.
    """
    setup = fen.read(variant.start_fen, variant)
    (whole,) = network.judge([Position.from_setup(variant, setup)])
    losses: dict[Role, list[int]] = {}
    for square, piece in setup.pieces.items():
        pieces = {where: other for where, other in setup.pieces.items() if where != square}
        without = replace(setup, pieces=pieces, castling=setup.castling - {square}, ep=None)
        if any(problem.is_error for problem in problems.examine(without, variant)):
            continue
        (left,) = network.judge([Position.from_setup(variant, without)])
        losses.setdefault(piece.role, []).append(whole - left if piece.color == setup.turn else left - whole)
    return {role: round(sum(losses[role]) / len(losses[role])) for role in Role if role in losses}


def picture(network: Network, pairs: int) -> list[str]:
    """Boards of how much a side looks at each man on each square, its own above, the other side's below.

    The darker, the larger the weights; the side plays upwards.  Where its king is mirrored to the files a to d, it has
    none on the others.
    """
    weights = {
        (side, role): [network.weight_of((side * pairs + role) * 64 + square) for square in range(64)]
        for side in range(2)
        for role in Role
    }
    most = max(max(board) for board in weights.values()) or 1
    lines = []
    for side, whose in enumerate(("own", "theirs")):
        lines.append("   ".join(f"{whose + ' ' + role.name.lower():16}" for role in Role).rstrip())
        for rank in range(7, -1, -1):
            rows = (weights[side, role][8 * rank : 8 * rank + 8] for role in Role)
            lines.append("   ".join("".join(2 * _shade(one, most) for one in row) for row in rows).rstrip())
        lines.append("")
    return lines[:-1]


def _shade(weight: int, most: int) -> str:
    return _SHADES[min(len(_SHADES) * weight // (most + 1), len(_SHADES) - 1)]
