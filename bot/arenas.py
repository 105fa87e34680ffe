"""Arenas that are open to bots: joined as configured, with a place kept for each while it runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot import directory, wire
from bot.config import Arena
from bot.office import Failure, Office
from bot.places import NEVER, Guest
from bot.transport import LichessError, Refused, Unauthorized

logger = logging.getLogger(__name__)


@dataclass
class Part:
    """Our part in one arena: whether we are in, whether it runs or is about to, and whether it is given up."""

    terms: Arena
    joining: bool = False  # asked for, and not answered yet
    joined: bool = False
    near: bool = False
    over: bool = False
    playing: str | None = None

    @property
    def key(self) -> str:
        """What its place is held as while we wait for a game."""
        return f"arena {self.terms.id}"


class Arenas:
    """For the daemon's thread alone."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._parts: dict[str, Part] = {}
        self._asked: dict[str, Arena] = {}
        self._left: set[str] = set()
        self._next_at = office.clock()

    def next_deadline(self) -> float:
        """When to look again."""
        return self._next_at if self._wanted or self._parts else NEVER

    def tick(self) -> None:
        """See how the arenas stand, if it is time."""
        if self._office.clock() < self._next_at:
            return
        self._next_at = self._office.clock() + self._office.config.tournaments.check_every_s
        self.look()

    def look(self) -> None:
        """See how the arenas stand, and join or leave them as is wanted now."""
        wanted, closing = self._wanted, self._office.load.closing
        for arena_id, terms in wanted.items():
            part = self._parts.setdefault(arena_id, Part(terms))
            if not part.over and not closing:
                self._office.ask(partial(self._office.lichess.arena, arena_id), partial(self._told, part))
        for arena_id, part in list(self._parts.items()):
            if closing or arena_id not in wanted:
                self._withdraw(part)
            if arena_id not in wanted:
                del self._parts[arena_id]

    def join(self, terms: Arena) -> None:
        """Take part in an arena that is not in the configuration, or has been left."""
        self._left.discard(terms.id)
        self._asked[terms.id] = terms
        self._parts.pop(terms.id, None)
        self.look()

    def leave(self, arena_id: str) -> None:
        """Play no more in an arena."""
        self._asked.pop(arena_id, None)
        self._left.add(arena_id)
        self.look()

    def expect(self, game: wire.OngoingGame) -> None:
        """A game begins: if in an arena, the place that is held for that is its own."""
        part = self._parts.get(game.tournament_id or "")
        if part is not None:
            part.playing = game.game_id
            self._office.places.cancel(part.key)
            self._office.places.reserve(game.game_id, Guest())

    def game_over(self, game_id: str, *, started: bool) -> None:
        """A game has ended; who has not `started` one is thrown out, and comes back."""
        for part in self._parts.values():
            if part.playing == game_id:
                part.playing = None
                self._keep_place(part)
                if not started and not self._office.load.closing:
                    self._join(part)

    def leave_all(self, within_s: float) -> None:
        """Withdraw from everything, so that nobody is paired with us while we are away; waits for that."""
        errands = [
            threading.Thread(target=_withdrawing(self._office, part), name="errand", daemon=True)
            for part in self._parts.values()
            if (part.joining or part.joined) and not part.over  # or it is not known yet whether we are out
        ]
        for errand in errands:
            errand.start()
        for errand in errands:
            errand.join(within_s)

    @property
    def _wanted(self) -> dict[str, Arena]:
        listed = {terms.id: terms for terms in self._office.config.tournaments.join}
        return {arena_id: terms for arena_id, terms in {**listed, **self._asked}.items() if arena_id not in self._left}

    def _told(self, part: Part, outcome: directory.Arena | Failure) -> None:
        if part.terms.id not in self._parts or self._office.load.closing:
            return
        if isinstance(outcome, Refused):
            self._give_up(part, str(outcome))
        elif not isinstance(outcome, directory.Arena):
            logger.info("arena %s: not told how it stands: %s", part.terms.id, outcome)
        elif outcome.is_finished:
            self._give_up(part, "it is over")
        elif not outcome.bots_allowed:
            self._give_up(part, "it is not open to bots")
        else:
            before_s = self._office.config.tournaments.reserve_before_s
            part.near = outcome.seconds_to_start is None or outcome.seconds_to_start <= before_s
            if not part.joined:
                self._join(part)
            self._keep_place(part)

    def _join(self, part: Part) -> None:
        password = part.terms.password

        def told(outcome: None | Failure) -> None:
            part.joining = False
            if isinstance(outcome, Refused | Unauthorized):
                self._give_up(part, f"cannot be joined: {outcome}")
            elif outcome is not None:
                logger.info("arena %s: could not be joined: %s", part.terms.id, outcome)
            else:
                logger.info("arena %s: joined", part.terms.id)
                part.joined = True
                if part.terms.id not in self._wanted:
                    self._withdraw(part)  # left while the answer was on its way
                else:
                    self._keep_place(part)

        part.joining = True
        secret = None if password is None else password.get_secret_value()
        self._office.ask(partial(self._office.lichess.join_arena, part.terms.id, secret, part.terms.team), told)

    def _withdraw(self, part: Part) -> None:
        self._office.places.cancel(part.key)
        if not part.joined or part.over:
            return

        def told(outcome: None | Failure) -> None:
            part.joined = part.joined and outcome is not None
            logger.info("arena %s: %s", part.terms.id, "left" if outcome is None else f"could not be left: {outcome}")

        self._office.ask(partial(self._office.lichess.withdraw_arena, part.terms.id), told)

    def _keep_place(self, part: Part) -> None:
        if part.joined and part.near and not part.over and part.playing is None:
            self._office.places.reserve(part.key, Guest())

    def _give_up(self, part: Part, why: str) -> None:
        logger.warning("arena %s: %s", part.terms.id, why)
        part.over = True
        self._office.places.cancel(part.key)


def _withdrawing(office: Office, part: Part) -> Callable[[], None]:
    def run() -> None:
        try:
            office.lichess.withdraw_arena(part.terms.id)
        except LichessError as error:
            logger.info("arena %s: could not be left: %s", part.terms.id, error)

    return run
