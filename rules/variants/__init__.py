"""The games: the only place that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import UnknownVariant
from rules.variants.antichess import Antichess
from rules.variants.atomic import Atomic
from rules.variants.chess960 import Chess960
from rules.variants.crazyhouse import Crazyhouse
from rules.variants.from_position import FromPosition
from rules.variants.horde import Horde
from rules.variants.king_of_the_hill import KingOfTheHill
from rules.variants.parlour import Parlour
from rules.variants.racing_kings import RacingKings
from rules.variants.spark import Spark
from rules.variants.standard import Standard
from rules.variants.three_check import ThreeCheck

if TYPE_CHECKING:
    from rules.variant import Variant

STANDARD = Standard()
CHESS960 = Chess960()
FROM_POSITION = FromPosition()
ANTICHESS = Antichess()
ATOMIC = Atomic()
CRAZYHOUSE = Crazyhouse()
HORDE = Horde()
KING_OF_THE_HILL = KingOfTheHill()
RACING_KINGS = RacingKings()
THREE_CHECK = ThreeCheck()
SPARK = Spark()
PARLOUR = Parlour()

ALL: tuple[Variant, ...] = (
    STANDARD,
    CHESS960,
    FROM_POSITION,
    ANTICHESS,
    ATOMIC,
    CRAZYHOUSE,
    HORDE,
    KING_OF_THE_HILL,
    RACING_KINGS,
    THREE_CHECK,
    SPARK,
    PARLOUR,
)


def by_key(key: str) -> Variant:
    """The game of this key.

    Raises: UnknownVariant.
    """
    for variant in ALL:
        if variant.key == key:
            return variant
    raise UnknownVariant(key, [variant.key for variant in ALL])


def by_uci_name(name: str, chess960: bool = False) -> Variant:
    """The game of a UCI_Variant value, told apart by UCI_Chess960 where two games share one.

    Raises: UnknownVariant.
    """
    named = [variant for variant in ALL if variant.uci_name == name and not variant.needs_fen]
    if not named:
        raise UnknownVariant(name, sorted({variant.uci_name for variant in ALL}))
    return next((variant for variant in named if variant.chess960 == chess960), named[0])
