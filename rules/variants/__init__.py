"""The games: the only place that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import UnknownVariant
from rules.variants.atomic import Atomic
from rules.variants.chess960 import Chess960
from rules.variants.from_position import FromPosition
from rules.variants.parlour import Parlour
from rules.variants.spark import Spark
from rules.variants.standard import Standard

if TYPE_CHECKING:
    from rules.variant import Variant

STANDARD = Standard()
CHESS960 = Chess960()
FROM_POSITION = FromPosition()
ATOMIC = Atomic()
SPARK = Spark()
PARLOUR = Parlour()

ALL: tuple[Variant, ...] = (STANDARD, CHESS960, FROM_POSITION, ATOMIC, SPARK, PARLOUR)


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
