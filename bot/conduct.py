"""Manners at the board: draws, takebacks, resigning, aborting and claiming, decided without side effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.config import Conduct, Draws, Resignation, Takebacks

PLIES_BETWEEN_OFFERS: Final = 40
CLEARLY_WORSE_CP: Final = -150
LEAST_PLIES: Final = 2
EARLY_PLIES: Final = 60


@dataclass(frozen=True)
class Standing:
    """How a game stands from our side: `scores_cp` of our thoughts so far, the latest last.

    `certain` is whether the latest is what a table knows; `rules` are those of the challenge.
    """

    scores_cp: tuple[int, ...]
    move_number: int
    can_win: bool
    opponent_can_win: bool
    plies_since_offer: int | None = None
    plies: int = 0
    men: int = 0
    opponent_rating: int | None = None
    certain: bool = False
    rules: frozenset[str] = frozenset()


def accepts_draw(standing: Standing, settings: Draws) -> bool:
    """Whether to take the draw that the opponent offers."""
    if not settings.accept:
        return False
    if not standing.can_win or _is_known_draw(standing):
        return True
    if _is_rated_below(standing, settings.least_rating):
        return False
    worse = standing.scores_cp[-2:]
    if len(worse) == 2 and max(worse) <= CLEARLY_WORSE_CP:
        return True
    return _is_dead_level(standing, settings)


def offers_draw(standing: Standing, settings: Draws) -> bool:
    """Whether to offer a draw with our move: never when better, nor to a side that cannot win."""
    if not settings.offer or not standing.opponent_can_win:
        # an offer to a side that cannot win ends the game at once
        return False
    if standing.plies < _earliest_offer_plies(standing.rules) or _is_rated_below(standing, settings.least_rating):
        return False
    if settings.most_men is not None and standing.men > settings.most_men:
        return False
    if standing.plies_since_offer is not None and standing.plies_since_offer < PLIES_BETWEEN_OFFERS:
        return False
    return _is_known_draw(standing) or (_is_dead_level(standing, settings) and standing.scores_cp[-1] <= 0)


def resigns(standing: Standing, settings: Resignation) -> bool:
    """Whether the game is hopeless, and has been for long enough."""
    last = standing.scores_cp[-settings.moves :]
    return (
        settings.allow
        and not _is_rated_below(standing, settings.least_rating)
        and standing.opponent_can_win
        and len(last) == settings.moves
        and max(last) <= -settings.score_cp
    )


def grants_takeback(settings: Takebacks, *, opponent_is_machine: bool, rated: bool, granted: int) -> bool:
    """Whether the opponent may take a move back, having been granted so many in this game."""
    return granted < takebacks_most(settings, opponent_is_machine=opponent_is_machine, rated=rated)


def takebacks_most(settings: Takebacks, *, opponent_is_machine: bool, rated: bool) -> int:
    """How many takebacks the opponent is granted in a game."""
    if rated and not settings.rated:
        return 0
    return settings.bots if opponent_is_machine else settings.humans


def abort_after_s(settings: Conduct, *, opponent_is_machine: bool) -> float:
    """How long the opponent may take over the first move."""
    return settings.abort_after.bots_s if opponent_is_machine else settings.abort_after.humans_s


def may_abort(rules: frozenset[str]) -> bool:
    """Whether the challenge's rules leave us the right to abort."""
    return "noAbort" not in rules


def may_claim(rules: frozenset[str]) -> bool:
    """Whether the challenge's rules leave us the right to claim when the opponent has gone."""
    return "noClaimWin" not in rules


def _earliest_offer_plies(rules: frozenset[str]) -> int:
    return EARLY_PLIES if "noEarlyDraw" in rules else LEAST_PLIES


def _is_rated_below(standing: Standing, least_rating: int | None) -> bool:
    return least_rating is not None and standing.opponent_rating is not None and standing.opponent_rating < least_rating


def _is_known_draw(standing: Standing) -> bool:
    """Whether a table knows that it is a draw."""
    return standing.certain and standing.scores_cp[-1:] == (0,)


def _is_dead_level(standing: Standing, settings: Draws) -> bool:
    last = standing.scores_cp[-settings.moves :]
    return (
        standing.move_number >= settings.from_move
        and len(last) == settings.moves
        and all(abs(score) <= settings.score_cp for score in last)
    )
