"""Challenges to us: each answered at once, or kept waiting for a place for a few seconds."""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

from bot import admission, wire
from bot.backoff import Backoff
from bot.office import Failure, Office, guest_of
from bot.places import NEVER
from bot.queueing import Waiting, in_order
from bot.transport import LichessError, Refused, ServerTrouble, Unreachable

logger = logging.getLogger(__name__)

ACCEPT_TRIES: Final = 3
NOT_POSSIBLE: Final = 400


class Reception:
    """For the daemon's thread alone."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._waiting: dict[str, Waiting] = {}

    @property
    def waiting(self) -> int:
        """How many challenges wait for a place."""
        return len(self._waiting)

    def receive(self, challenge: wire.Challenge, compat: wire.Compat) -> None:
        """A challenge has come, or is told again."""
        if challenge.id in self._office.places or challenge.id in self._waiting:
            return
        now = self._office.clock()
        self._decide(Waiting(challenge, compat, now, now + self._office.config.accept.queue.wait_s))

    def forget(self, challenge_id: str) -> None:
        """A challenge has been taken back."""
        self._waiting.pop(challenge_id, None)
        if challenge_id in self._office.places:
            self._office.places.cancel(challenge_id)
            self.serve()

    def serve(self) -> None:
        """See who of those waiting can be answered now."""
        for waiting in in_order(self._waiting.values(), self._office.config.accept.queue):
            del self._waiting[waiting.challenge.id]
            self._decide(waiting)

    def next_deadline(self) -> float:
        """When somebody has waited long enough."""
        return min((each.until for each in self._waiting.values()), default=NEVER)

    def _decide(self, waiting: Waiting) -> None:
        challenge, office = waiting.challenge, self._office
        answer = admission.answer(
            challenge, waiting.compat, office.config.accept, office.load, office.account.id, office.known(challenge)
        )
        if isinstance(answer, admission.Wait) and office.clock() >= waiting.until:
            answer = admission.Decline("later", answer.why)
        terms = f"{_in_words(challenge)} to {office.account.username}"
        match answer:
            case admission.Accept():
                logger.info("challenge %s: accepted: %s", challenge.id, terms)
                office.meters.challenge(office.account.id, "accepted")
                self._accept(challenge)
            case admission.Wait(why):
                logger.debug("challenge %s: waits (%s): %s", challenge.id, why, terms)
                self._waiting[challenge.id] = waiting
            case admission.Decline(reason, why):
                logger.info("challenge %s: declined as %s (%s): %s", challenge.id, reason, why, terms)
                office.meters.challenge(office.account.id, reason)
                self._decline(challenge.id, reason)
            case admission.Ignore(why):
                logger.debug("challenge %s: ignored: %s", challenge.id, why)

    def _accept(self, challenge: wire.Challenge) -> None:
        office = self._office
        until = office.clock() + office.config.network.start_within_s
        office.places.reserve(challenge.id, guest_of(challenge, challenge.challenger), until)
        office.ask(partial(self._accept_patiently, challenge.id), partial(self._accepted, challenge))

    def _accept_patiently(self, challenge_id: str) -> None:
        """Try until there is an answer; without one the game may start all the same. Raises LichessError."""
        network = self._office.config.network
        pauses = Backoff(network.move_retry_first_s, network.move_retry_most_s, self._office.chance)
        for _ in range(ACCEPT_TRIES):
            try:
                self._office.lichess.accept(challenge_id)
                return
            except (Unreachable, ServerTrouble) as error:
                logger.info("challenge %s: no answer to our accept: %s", challenge_id, error)
            if self._office.stopping.wait(pauses.next_s()):
                return

    def _accepted(self, challenge: wire.Challenge, outcome: None | Failure) -> None:
        if outcome is None:
            return
        # taken back meanwhile, or not possible after all
        logger.info("challenge %s: not to be had: %s", challenge.id, outcome)
        opponent = "" if challenge.challenger is None else challenge.challenger.id
        limited = self._office.note_limit(outcome, opponent)
        if limited or (isinstance(outcome, Refused) and outcome.status == NOT_POSSIBLE):
            # nobody shall wait for an answer that does not come
            self._decline(challenge.id, "later" if limited else "generic")
        self._office.places.cancel(challenge.id)
        self.serve()

    def _decline(self, challenge_id: str, reason: str) -> None:
        def told(outcome: None | Failure) -> None:
            if isinstance(outcome, LichessError):
                logger.info("challenge %s: could not be declined: %s", challenge_id, outcome)

        self._office.ask(lambda: self._office.lichess.decline(challenge_id, reason), told)


def _in_words(challenge: wire.Challenge) -> str:
    sender = challenge.challenger.name if challenge.challenger else "an anonymous player"
    mode = "rated" if challenge.rated else "casual"
    return f"{challenge.variant.key} {challenge.time_control.show or challenge.speed}, {mode}, from {sender}"
