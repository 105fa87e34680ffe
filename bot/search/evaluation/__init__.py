"""The evaluation and the search options of every game: the only place of the search that knows games by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bot.search.evaluation import networks
from bot.search.evaluation.atomic import Atomic
from bot.search.evaluation.base import Evaluation
from bot.search.evaluation.crazyhouse import Crazyhouse
from bot.search.evaluation.horde import Horde
from bot.search.evaluation.king_of_the_hill import KingOfTheHill
from bot.search.evaluation.mobile import Mobile
from bot.search.evaluation.orthodox import Orthodox
from bot.search.evaluation.racing_kings import RacingKings
from bot.search.evaluation.spark import Spark
from bot.search.evaluation.three_check import ThreeCheck
from bot.search.evaluation.weights import (
    antichess,
    atomic,
    crazyhouse,
    horde,
    king_of_the_hill,
    racing_kings,
    rivals,
    spark,
    standard,
    three_check,
)
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
    rivals: Mapping[str, Any] = field(default_factory=dict)  # simpler evaluations, to measure it by

    def with_rival(self, name: str) -> Profile:
        """The same with another evaluation.

        Raises: ValueError for a name that the game has none of.
        """
        if name not in self.rivals:
            known = ", ".join(self.rivals) or "none but its own"
            raise ValueError(f"no evaluation {name!r} of this game; there is {known}")
        return replace(self, evaluation=self.rivals[name])


# Fitted to games of our own at 2,000 nodes a move.
_SPREAD = Spread(100.0, 160.0)
_STANDARD = Profile(Orthodox(standard.WEIGHTS), DEFAULTS, _SPREAD)
_PLAIN_WEIGHTS = {name: standard.WEIGHTS[name] for name, _, _ in Mobile.LAYOUT}
_PLAIN = Profile(Mobile(_PLAIN_WEIGHTS), DEFAULTS, _SPREAD)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "standard": _STANDARD,
        "chess960": _STANDARD,
        "fromPosition": _STANDARD,
        # A king that stays a step from its goal presses at every ply: to answer that without end would explode.
        "kingOfTheHill": Profile(KingOfTheHill(king_of_the_hill.WEIGHTS), {**DEFAULTS, "evasion_plies": 6}, _SPREAD),
        "threeCheck": Profile(ThreeCheck(three_check.WEIGHTS), DEFAULTS, _SPREAD),
        "parlour": Profile(_STANDARD.evaluation, {**DEFAULTS, "fade_percent": 100}, _SPREAD),
        "atomic": Profile(Atomic(atomic.WEIGHTS), DEFAULTS, Spread(140.0, 260.0)),
        "crazyhouse": Profile(Crazyhouse(crazyhouse.WEIGHTS), DEFAULTS, _SPREAD),
        "horde": Profile(Horde(horde.WEIGHTS), DEFAULTS, _SPREAD),
        "spark": Profile(
            Spark(spark.WEIGHTS),
            {**DEFAULTS, "null_move": 0, "check_extension": 0, "evasion_plies": 1, "forced_plies": 11},
            Spread(80.0, 280.0),
            {"material": Evaluation(rivals.MATERIAL), "untuned": Spark(rivals.UNTUNED)},
        ),
        # Compulsory captures follow each other so often here that to look deeper for each, or to play all of them out,
        # might never end.
        "antichess": Profile(
            Mobile({**_PLAIN_WEIGHTS, **antichess.WEIGHTS}),
            {**DEFAULTS, "probe_cut_cp": 0, "check_extension": 0, "evasion_plies": 8},
            _SPREAD,
        ),
        "racingKings": Profile(
            RacingKings({**_PLAIN_WEIGHTS, **racing_kings.WEIGHTS}), {**DEFAULTS, "evasion_plies": 4}, _SPREAD
        ),
    }
)


def for_game(variant: Variant, network: str = networks.NONE) -> Profile:
    """The profile of a game, with the evaluation that `network` means: `auto`, `none`, a file or a folder of files.

    Without a network, the evaluation made by hand; that is material, squares and mobility where a game has no other.

    Raises: NetworkError.
    """
    by_hand = PROFILES.get(variant.key, _PLAIN)
    path = networks.chosen(variant, network)
    if path is None:
        return by_hand
    return replace(by_hand, evaluation=networks.load(path, variant, hand=by_hand.evaluation))
