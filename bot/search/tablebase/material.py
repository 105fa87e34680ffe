"""Which endings have a table, and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

from rules.move import Role

STRONGEST_FIRST: Final = (Role.QUEEN, Role.ROOK, Role.BISHOP, Role.KNIGHT, Role.PAWN)
FEWEST_MEN: Final = 3
MOST_MEN: Final = 4


@dataclass(frozen=True, slots=True)
class Material:
    """The men of an ending besides the kings, strongest first; the table is made with `white` as White's."""

    white: tuple[Role, ...] = ()
    black: tuple[Role, ...] = ()

    @property
    def name(self) -> str:
        """As in KQvKR."""
        return "v".join("K" + "".join(role.letter.upper() for role in side) for side in (self.white, self.black))

    @property
    def types(self) -> tuple[int, ...]:
        """The men as the compiled modules number them."""
        own = [STRONGEST_FIRST.index(role) for role in self.white]
        return (*own, *(STRONGEST_FIRST.index(role) + len(STRONGEST_FIRST) for role in self.black))


def all_materials(men: int) -> tuple[Material, ...]:
    """The endings with up to so many men: with three, pawns included; with four, pieces only.

    Whatever a capture or a promotion leads to stands before the ending that it is played in.
    """
    pieces = STRONGEST_FIRST[:-1]
    found = [Material(), *(Material((role,)) for role in STRONGEST_FIRST)]
    if men >= MOST_MEN:
        pairs = list(combinations_with_replacement(pieces, 2))
        found += [Material(pair) for pair in pairs]
        found += [Material((first,), (second,)) for first, second in pairs]
    return tuple(found)
