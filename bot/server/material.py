"""How much the men on the board are worth, as far as the server asks: is a player far behind?"""
from __future__ import annotations

from rules.move import Color, Role
from rules.position import Position
from rules.variant import Variant

_WORTH = {Role.PAWN: 1, Role.KNIGHT: 3, Role.BISHOP: 3, Role.ROOK: 5, Role.QUEEN: 9, Role.KING: 0}
_FAR_BEHIND = 4


def far_behind(position: Position, color: Color) -> bool:
    """Whether `color` has much less than the opponent; never where material does not tell who is winning."""
    if not _tells_who_wins(position.variant):
        return False
    balance = sum(_WORTH[man.role] * (1 if man.color is color else -1) for man in position.pieces().values())
    return balance <= -_FAR_BEHIND


def _tells_who_wins(variant: Variant) -> bool:
    """Not where captured men come back, nor where a side has no king or any number of them."""
    return not variant.has_pocket and all(most == 1 for _, most in variant.kings)
