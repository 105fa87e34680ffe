"""Challenges of ours: to other bots when there is nothing else to do, rematches, and those that somebody asks for."""

from __future__ import annotations

import itertools
import logging
import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot import matchmaking, rematching, wire
from bot.backoff import Backoff
from bot.directory import OpenChallenge
from bot.matchmaking import Candidate, Proposal
from bot.office import Failure, Office
from bot.places import NEVER, Guest
from bot.records.game import GameRecord
from bot.records.met import DAY_S, REMEMBERED_S
from bot.time_controls import PerDays, Unlimited
from bot.transport import Limited, Refused
from rules.move import Color

logger = logging.getLogger(__name__)

STATUSES_MOST: Final = 100
LONGEST_LIMIT_S: Final = 600.0
OWN_RATINGS_S: Final = 600.0

Told = Callable[[str], None]
"""Takes a sentence about what has become of a challenge."""


@dataclass(frozen=True)
class Pending:
    """A challenge of ours that waits for an answer, until when by our clock; `told` hears of it."""

    proposal: Proposal
    until: float
    told: Told


@dataclass(frozen=True)
class Market:
    """Who could be asked just now, and how we stand ourselves."""

    candidates: tuple[Candidate, ...]
    own: wire.Account


@dataclass(frozen=True)
class Wanted:
    """Whom to look for: everybody but `avoided` and `family`, or `only` this one; shuffled by `chance`."""

    avoided: Collection[str]
    only: str | None
    chance: random.Random
    own: wire.Account | None
    family: Collection[str]


class Matchmaker:
    """For the daemon's thread alone; `running_speeds` are those of the games that are attended to."""

    def __init__(self, office: Office, running_speeds: Callable[[], Iterable[str]]) -> None:
        self._office = office
        self._running_speeds = running_speeds
        self._requested: dict[str, Proposal] = {}
        self._early: dict[str, wire.Challenge] = {}
        self._pending: dict[str, Pending] = {}
        self._begun: dict[str, Proposal] = {}
        self._second_leg: Proposal | None = None
        self._tickets = itertools.count(1)
        self._own: tuple[wire.Account, float] | None = None
        self._limits = Backoff(office.config.network.limited_pause_s, LONGEST_LIMIT_S, office.chance)
        self._next_at = office.clock() + office.config.matchmaking.pause_s
        self._looking = False

    @property
    def pending(self) -> int:
        """How many challenges of ours wait for an answer."""
        return len(self._pending) + len(self._requested)

    def next_deadline(self) -> float:
        """When there is something to do."""
        due = min((each.until for each in self._pending.values()), default=NEVER)
        return min(due, self._next_at) if self._office.config.matchmaking.allow else due

    def tick(self) -> None:
        """Take back what has not been answered, and look for an opponent if it is time."""
        now = self._office.clock()
        for challenge_id, pending in list(self._pending.items()):
            if pending.until <= now:
                self._give_up(challenge_id, pending)
        if now >= self._next_at and self._office.config.matchmaking.allow:
            self._pause()
            if self._may_ask():
                self._look_around()

    def challenge(self, proposal: Proposal, told: Told, within_s: float) -> None:
        """Ask somebody for a game, and take it back when it is not answered in time."""
        office = self._office
        # a place before the site has told the challenge's id
        key = f"request {next(self._tickets)}"
        self._requested[key] = proposal
        office.places.reserve(key, _guest(proposal))
        office.players.note_approach(proposal.opponent, office.now_s())
        office.ask(
            partial(office.lichess.challenge, proposal.opponent, proposal.fields),
            partial(self._asked, key, told, within_s),
        )

    def open(self, proposal: Proposal, told: Told) -> None:
        """Make a challenge for anybody who is given its address, and sit down at our side of the board."""
        office = self._office

        def make() -> OpenChallenge:
            made = office.lichess.open_challenge(proposal.fields)
            office.lichess.accept(made.id, proposal.color)
            return made

        def told_made(outcome: OpenChallenge | Failure) -> None:
            if isinstance(outcome, OpenChallenge):
                ours_is_white = proposal.color == Color.WHITE.wire
                told(f"open to anybody: {outcome.url_black if ours_is_white else outcome.url_white}")
            else:
                told(f"not possible: {outcome}")

        office.ask(make, told_made)

    def expect(self, game: wire.OngoingGame) -> None:
        """A game begins, by whose challenge ever: if by ours, the place that is held for it is its own."""
        opponent = (game.opponent.id or "").lower()
        for key, proposal in self._requested.items():
            # the game was quicker than the answer to our request
            if proposal.opponent == opponent and proposal.variant == game.variant.key:
                self._office.places.cancel(key)
                self._office.places.reserve(game.game_id, _guest(proposal))
        pending = self._pending.pop(game.game_id, None)
        if pending is not None:
            self._begun[game.game_id] = pending.proposal
            pending.told(f"accepted: {game.game_id}")
        for challenge_id, other in list(self._pending.items()):
            if other.proposal.opponent == opponent:
                # it has asked us meanwhile
                self._take_back(challenge_id)

    def declined(self, challenge: wire.Challenge) -> None:
        """A challenge was declined."""
        pending = self._pending.pop(challenge.id, None)
        if pending is not None:
            self._failed(challenge, pending)
        elif self._requested:
            self._early[challenge.id] = challenge

    def canceled(self, challenge_id: str) -> None:
        """A challenge was taken back, by us or in some other way."""
        if self._pending.pop(challenge_id, None) is not None:
            self._office.places.cancel(challenge_id)

    def game_over(self, game_id: str, *, counts: bool) -> None:
        """A game has ended, with a result if it `counts`."""
        self._pause()
        proposal = self._begun.pop(game_id, None)
        if proposal is not None and proposal.second_leg and counts:
            self._second_leg = proposal.swapped()

    def offer_rematch(self, record: GameRecord, full: wire.GameFull, rules: Sequence[str]) -> None:
        """A game is over, and we may want another one."""
        office = self._office
        wanted = rematching.challenge_back(record, full, rules, office.account.id)
        if wanted is None:
            return
        settings, known = office.config.rematches, office.known(wanted)
        proposal = rematching.rematch(wanted, record, full, settings, office.config.accept, office.load, known)
        if proposal is not None:
            self.challenge(proposal, _to_nobody, settings.answer_within_s)

    def _asked(self, key: str, told: Told, within_s: float, outcome: wire.Challenge | Failure) -> None:
        office, proposal = self._office, self._requested.pop(key)
        office.places.cancel(key)
        if not isinstance(outcome, wire.Challenge):
            logger.info("challenge not made: %s: %s", proposal, outcome)
            told(f"not possible: {outcome}")
            self._refused(proposal, outcome)
            return
        self._limits.reset()
        mode = "" if outcome.rated == proposal.rated else ", but the site makes it casual"
        logger.info("challenge %s: made: %s%s", outcome.id, proposal, mode)
        told(f"challenged: {outcome.id}{mode}")
        until = office.clock() + within_s
        if outcome.id in self._early:
            self._failed(self._early[outcome.id], Pending(proposal, until, told))
        elif office.places.runs(outcome.id):
            self._begun[outcome.id] = proposal
            told(f"accepted: {outcome.id}")
        else:
            bot = outcome.dest_user is not None and outcome.dest_user.is_bot
            guest = replace(_guest(proposal), bot=bot)
            office.places.reserve(outcome.id, guest, until + office.config.network.start_within_s)
            self._pending[outcome.id] = Pending(proposal, until, told)
        if not self._requested:
            self._early.clear()

    def _refused(self, proposal: Proposal, failure: Failure) -> None:
        office, now = self._office, self._office.now_s()
        if office.note_limit(failure, proposal.opponent):
            return
        if isinstance(failure, Limited):
            pause_s = max(failure.seconds, self._limits.next_s())
            self._next_at = max(self._next_at, office.clock() + pause_s)
        elif isinstance(failure, Refused):
            # it cannot be challenged: unknown, blocked, friends only ...
            office.players.shun(matchmaking.lessons(proposal, "generic", office.config.matchmaking.rest_hours, now))

    def _give_up(self, challenge_id: str, pending: Pending) -> None:
        office = self._office
        logger.info("challenge %s: not answered: %s", challenge_id, pending.proposal)
        pending.told("not answered")
        rests = office.config.matchmaking.rest_hours
        office.players.shun(matchmaking.lessons(pending.proposal, None, rests, office.now_s()))
        self._take_back(challenge_id)

    def _take_back(self, challenge_id: str) -> None:
        del self._pending[challenge_id]
        office = self._office

        def told(outcome: None | Failure) -> None:
            if outcome is None:
                office.places.cancel(challenge_id)
            else:
                # gone, or accepted after all: then its game starts in time, or the place lapses
                logger.info("challenge %s: not taken back: %s", challenge_id, outcome)

        # if it is accepted at this moment, that game is aborted by us
        office.unwanted.append(challenge_id)
        office.ask(partial(office.lichess.cancel, challenge_id), told)

    def _failed(self, challenge: wire.Challenge, pending: Pending) -> None:
        office, reason = self._office, challenge.decline_reason_key or "generic"
        logger.info("challenge %s: declined as %s: %s", challenge.id, reason, pending.proposal)
        pending.told(f"declined: {challenge.decline_reason or reason}")
        office.places.cancel(challenge.id)
        rests = office.config.matchmaking.rest_hours
        office.players.shun(matchmaking.lessons(pending.proposal, reason, rests, office.now_s()))

    def _pause(self) -> None:
        self._next_at = max(self._next_at, self._office.clock() + self._office.config.matchmaking.pause_s)

    def _may_ask(self) -> bool:
        office, load = self._office, self._office.load
        if load.closing or load.bot_games_left <= 0 or self.pending or self._looking:
            return False
        if office.players.approach_count(office.now_s() - DAY_S) >= office.config.matchmaking.challenges_a_day:
            return False
        accept = office.config.accept
        free = min(accept.max_games - load.live, accept.max_games - accept.reserved_for_humans - load.bots)
        return matchmaking.may_ask(office.config.matchmaking, self._running_speeds(), free)

    def _look_around(self) -> None:
        self._looking = True
        office, leg = self._office, self._second_leg
        own, told_at = self._own or (None, 0.0)
        wanted = Wanted(
            frozenset(
                shun.opponent
                for shun in office.players.shunned(office.now_s())
                if shun.aspect in matchmaking.EVERY_GAME
            ),
            None if leg is None else leg.opponent,
            random.Random(office.chance.random()),
            own if office.clock() < told_at + OWN_RATINGS_S else None,
            office.family,
        )
        office.ask(partial(self._market, wanted), self._looked)

    def _market(self, wanted: Wanted) -> Market:
        """Who is there and not busy; from any thread."""
        lichess, lists = self._office.lichess, self._office.lists
        own = wanted.own or lichess.account()
        bots = [
            bot
            for bot in lichess.online_bots().bots
            if bot.id not in (own.id, *wanted.avoided, *wanted.family)
            and wanted.only in (None, bot.id)
            and not (bot.disabled or bot.tos_violation or lists.refusal(bot.id))
        ]
        wanted.chance.shuffle(bots)
        asked = [bot.id for bot in bots[:STATUSES_MOST]]
        free = {user.id for user in lichess.statuses(asked).users if user.online and not user.playing} if asked else ()
        return Market(tuple(Candidate(bot.id, bot.username, bot.perfs) for bot in bots if bot.id in free), own)

    def _looked(self, outcome: Market | Failure) -> None:
        self._looking = False
        if not isinstance(outcome, Market):
            logger.info("no opponent found: %s", outcome)
            return
        if self._own is None or self._own[0] is not outcome.own:
            self._own = (outcome.own, self._office.clock())
        proposal, leg = None, self._second_leg
        self._second_leg = None
        if leg is not None and any(each.id == leg.opponent for each in outcome.candidates):
            proposal = leg
        elif leg is None:
            proposal = self._proposal(outcome)
        if proposal is None:
            logger.debug("nobody to be asked among %d free bots", len(outcome.candidates))
        elif self._may_ask():
            self.challenge(proposal, _to_nobody, self._office.config.matchmaking.answer_within_s)

    def _proposal(self, market: Market) -> Proposal | None:
        office = self._office
        now = office.now_s()
        return matchmaking.propose(
            market.candidates,
            office.config.matchmaking,
            market.own.perfs,
            office.players.shunned(now),
            office.players.approaches(now - REMEMBERED_S),
            office.chance,
        )


def _guest(proposal: Proposal) -> Guest:
    slow = isinstance(proposal.control, PerDays | Unlimited)
    return Guest(proposal.opponent, slow=slow, rematch_of=proposal.rematch_of)


def _to_nobody(sentence: str) -> None:
    """Nobody has asked; the log says it all."""
