"""Whom to ask for which game, and what to make of the answer: pure decisions."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot import time_controls
from bot.config import Matchmaking, MatchType, Rests
from bot.records.met import REMEMBERED_S, Shun
from bot.time_controls import TimeControl
from bot.wire import BOT_GAMES, Perf
from rules import variants
from rules.move import Color

HOUR_S: Final = 3600.0
EVERYTHING: Final = ""
EVERY_GAME: Final = (EVERYTHING, BOT_GAMES)
"""The aspects in which every game with a bot falls."""

# with a preference, one of the best few is drawn: always the same one would soon be tired of us
CHOICE: Final = 5
FOR_GOOD: Final = ("nobot",)
OF_THE_TIME: Final = ("toofast", "tooslow", "timecontrol")
OF_THE_GAME: Final = ("variant", "standard")


@dataclass(frozen=True)
class Candidate:
    """A bot that could be asked; its ratings are by the site's names of the kinds of games."""

    id: str
    name: str
    perfs: Mapping[str, Perf]


@dataclass(frozen=True)
class Proposal:
    """A game that we want to play; `color` is ours, `second_leg` says that another one with the other color follows.

    rematch_of: the game after which we ask for another one.
    """

    opponent: str
    variant: str
    control: TimeControl
    rated: bool
    color: str
    fen: str | None = None
    second_leg: bool = False
    rematch_of: str | None = None

    @property
    def fields(self) -> dict[str, int | str | bool | None]:
        """The fields of the challenge."""
        return {
            "variant": self.variant,
            "rated": self.rated,
            "color": self.color,
            "fen": self.fen,
            **time_controls.fields(self.control),
        }

    @property
    def aspects(self) -> frozenset[str]:
        """For what an opponent may be left alone."""
        mode = "rated" if self.rated else "casual"
        return frozenset({*EVERY_GAME, mode, f"variant:{self.variant}", f"time:{self.control}"})

    def swapped(self) -> Proposal:
        """The same game with the other color, which is the last of the two."""
        return replace(self, color=other_color(self.color), second_leg=False)

    def __str__(self) -> str:
        return f"{self.variant} {self.control}, {'rated' if self.rated else 'casual'}, to {self.opponent}"


def other_color(color: str) -> str:
    """The color of the other side."""
    return Color.BLACK.wire if color == Color.WHITE.wire else Color.WHITE.wire


def perf_of(variant_key: str, control: TimeControl) -> str:
    """The site's name of the kind of game: ordinary chess is rated by speed, other games by themselves."""
    perf_key: str = variants.by_key(variant_key).perf_key
    return time_controls.speed(control) if perf_key == variants.ALL[0].perf_key else perf_key


def may_ask(settings: Matchmaking, running_speeds: Iterable[str], free_places: int) -> bool:
    """Whether there is nothing better to do: a place is free, and only games run beside which others may begin."""
    return settings.allow and free_places > 0 and all(speed in settings.beside for speed in running_speeds)


def propose(
    candidates: Sequence[Candidate],
    settings: Matchmaking,
    own: Mapping[str, Perf],
    shunned: Collection[Shun],
    approached: Mapping[str, float],
    chance: random.Random,
) -> Proposal | None:
    """A game to ask for: its type drawn by weight, its opponent among those who have not been asked the longest.

    own: our ratings. approached: when each opponent was asked last.
    """
    types = dict(settings.types)
    while types:
        names = list(types)
        (name,) = chance.choices(names, [types[each].weight for each in names])
        kind = types.pop(name)
        terms = [(key, time_controls.read(text)) for key in kind.variants for text in kind.time_controls]
        for variant, control in chance.sample(terms, len(terms)):
            proposal = Proposal("", variant, control, kind.rated, chance.choice([color.wire for color in Color]))
            fitting = [each for each in candidates if _fits(each, proposal, kind, own, shunned)]
            if fitting:
                chosen = _chosen(fitting, perf_of(variant, control), kind, own, approached, chance)
                return replace(proposal, opponent=chosen.id, second_leg=kind.color_pairs)
    return None


def lessons(proposal: Proposal, reason: str | None, rests: Rests, now: float) -> Shun:
    """Whom to leave alone, in which respect and until when, after a refusal; None is no answer at all."""
    said = None if reason is None else reason.lower()
    opponent, declined = proposal.opponent, now + rests.declined * HOUR_S
    if said is None:
        return Shun(opponent, EVERYTHING, now + rests.unanswered * HOUR_S)
    if said == "later":
        return Shun(opponent, EVERYTHING, now + rests.later * HOUR_S)
    if said in FOR_GOOD:
        return Shun(opponent, EVERYTHING, now + REMEMBERED_S)
    if said in OF_THE_TIME:
        return Shun(opponent, f"time:{proposal.control}", declined)
    if said in OF_THE_GAME:
        return Shun(opponent, f"variant:{proposal.variant}", declined)
    # "rated" means: send me rated instead
    refused_mode = {"rated": "casual", "casual": "rated"}.get(said, EVERYTHING)
    return Shun(opponent, refused_mode, declined)


def _fits(
    candidate: Candidate, proposal: Proposal, kind: MatchType, own: Mapping[str, Perf], shunned: Collection[Shun]
) -> bool:
    if any(shun.opponent == candidate.id and shun.aspect in proposal.aspects for shun in shunned):
        return False
    perf = perf_of(proposal.variant, proposal.control)
    theirs, ours = candidate.perfs.get(perf), own.get(perf)
    if theirs is None or theirs.prov:
        # nobody knows how strong it is: a rating without games is a beginner's 1500
        return kind.provisional
    within = ours is None or kind.rating_difference.holds(theirs.rating - ours.rating)
    return within and kind.rating.holds(theirs.rating)


def _chosen(
    fitting: Sequence[Candidate],
    perf: str,
    kind: MatchType,
    own: Mapping[str, Perf],
    approached: Mapping[str, float],
    chance: random.Random,
) -> Candidate:
    longest_ago = min(approached.get(each.id, 0.0) for each in fitting)
    fresh = [each for each in fitting if approached.get(each.id, 0.0) == longest_ago]
    if kind.prefer == "any":
        return chance.choice(fresh)

    def rating(each: Candidate) -> int:
        return each.perfs[perf].rating if perf in each.perfs else 0

    ours = own[perf].rating if perf in own else 1500
    rank = {"nearest": lambda each: abs(rating(each) - ours), "weaker": rating, "stronger": lambda each: -rating(each)}
    return chance.choice(sorted(fresh, key=rank[kind.prefer])[:CHOICE])
