"""The evaluation and the search options of every game: the only place of the search that knows games by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bot.search.evaluation.atomic import Atomic
from bot.search.evaluation.mobile import Mobile
from bot.search.evaluation.orthodox import Orthodox
from bot.search.evaluation.spark import Spark
from bot.search.evaluation.weights import atomic, spark, standard
from bot.search.options import DEFAULTS
from bot.search.wdl import Spread

if TYPE_CHECKING:
    from rules.variant import Variant


@dataclass(frozen=True, eq=False)
class Profile:
    """How a game is judged and searched."""

    evaluation: Any  # an Evaluation, compiled
    options: Mapping[str, int]
    spread: Spread


_SPREAD = Spread(220.0, 80.0)
_STANDARD = Profile(Orthodox(standard.WEIGHTS), DEFAULTS, _SPREAD)
_PLAIN = Profile(Mobile({name: standard.WEIGHTS[name] for name, _, _ in Mobile.LAYOUT}), DEFAULTS, _SPREAD)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "standard": _STANDARD,
        "chess960": _STANDARD,
        "fromPosition": _STANDARD,
        "parlour": Profile(_STANDARD.evaluation, {**DEFAULTS, "fade_percent": 100}, _SPREAD),
        "atomic": Profile(Atomic(atomic.WEIGHTS), DEFAULTS, _SPREAD),
        "spark": Profile(
            Spark(spark.WEIGHTS),
            {**DEFAULTS, "null_move": 0, "check_extension": 0, "evasion_plies": 1, "threat_plies": 1},
            _SPREAD,
        ),
    }
)


def for_game(variant: Variant) -> Profile:
    """The profile of a game; material, squares and mobility where it has none of its own."""
    return PROFILES.get(variant.key, _PLAIN)
