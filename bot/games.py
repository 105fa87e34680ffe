"""The games of an account: who plays each, which ones rest, and what becomes of them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from bot import time_controls, wire
from bot.endings import Broken, Ending, Fatal, Finished, Left, Resting
from bot.office import Failure, Office, guest_at
from bot.places import Guest
from bot.records.database import Records
from bot.records.game import ABORTED, OpenGame
from bot.records.met import Encounter
from bot.records.report import verdict
from bot.records.settling import utc_text
from bot.session import GameSession
from bot.slow_games import SlowGames
from bot.status import GameStatus
from bot.surroundings import Surroundings
from bot.transport import LichessError

logger = logging.getLogger(__name__)

RESTARTS_MOST: Final = 3


class Games:
    """For the daemon's thread alone.

    around: what every session plays with; those that run keep what they began with.
    on_begin: told of every new game before it has a place.
    on_over: told of every game that has ended and been recorded.
    look_again_in: has the running games compared with the site's list after so many seconds.
    """

    def __init__(
        self,
        office: Office,
        records: Records,
        source: str,
        around: Surroundings,
        *,
        on_begin: Callable[[wire.OngoingGame], None],
        on_over: Callable[[OpenGame, Finished], None],
        look_again_in: Callable[[float], None],
    ) -> None:
        self.around = around
        self._office = office
        self._records = records
        self._source = source
        self._on_begin = on_begin
        self._on_over = on_over
        self._look_again_in = look_again_in
        self._sessions: dict[str, GameSession] = {}
        self._slow = SlowGames()
        self._breaks: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._sessions)

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._sessions or game_id in self._slow

    @property
    def entries(self) -> Iterator[OpenGame]:
        """The games that are attended to now."""
        return (session.entry for session in self._sessions.values())

    def statuses(self, now: float) -> tuple[GameStatus, ...]:
        """How each of the games that are attended to stands."""
        return tuple(session.status(now) for session in self._sessions.values())

    def resume(self) -> None:
        """Take up the games of an earlier run; slow ones when the site says that there is something to do."""
        for entry in self._records.open_games(self._source, self._office.account.id):
            logger.info("game %s: resumed", entry.game_id)
            self._office.places.take(entry.game_id, self._guest_in(entry))
            if _is_slow(entry):
                self._slow.rest(entry)
            else:
                self._start(entry)

    def begin(self, game: wire.OngoingGame) -> None:
        """A game runs, as the site says: a new one, or one told again."""
        if game.game_id in self._slow:
            if game.is_my_turn:
                self._slow.call(game.game_id)
                self._waken()
            return
        if not self._is_new(game):
            return
        self._on_begin(game)
        places = self._office.places
        guest = places.guest(game.game_id)
        surplus = guest is None and self._is_surplus(game)
        guest = replace(guest_at(game), rematch_of=guest.rematch_of, rules=guest.rules) if guest else guest_at(game)
        entry = self._entry(game, guest)
        self._records.open_game(entry)
        places.take(game.game_id, guest)
        self._office.players.meet(
            Encounter(
                game.game_id, guest.opponent, guest.bot, game.rated, game.color, self._office.now_s(), guest.rematch_of
            )
        )
        self._start(entry, unwanted=surplus)

    def told_over(self, game_id: str) -> None:
        """The site says that a game has ended."""
        self.check(game_id)
        self._slow.call(game_id)
        self._waken()
        self._office.places.cancel(game_id)

    def check(self, game_id: str) -> None:
        """See whether anything was missed in a game, if it is attended to."""
        if game_id in self._sessions:
            self._sessions[game_id].check()

    def compare(self, listed: tuple[wire.OngoingGame, ...]) -> None:
        """Pick up what the event stream has lost: games that nobody plays, moves that nobody thinks about."""
        for game in listed:
            if game.game_id not in self._sessions:
                self.begin(game)
            elif game.is_my_turn:
                self._sessions[game.game_id].check()
        if len(listed) < wire.PLAYING_MOST:
            ids = {game.game_id for game in listed}
            for game_id, session in self._sessions.items():
                if game_id not in ids:
                    session.check()
            for game_id in self._slow.ids:
                if game_id not in ids:
                    self._slow.call(game_id)
        self._waken()

    def leave(self) -> None:
        """Stop playing; what still runs is resumed at the next start."""
        for session in self._sessions.values():
            logger.info("game %s: left to be resumed", session.entry.game_id)
            session.leave()

    def join(self, timeout_s: float) -> None:
        """Wait for the sessions to end."""
        for session in self._sessions.values():
            session.join(timeout_s)

    def _is_new(self, game: wire.OngoingGame) -> bool:
        if self._office.stopping.is_set() or game.game_id in self._sessions:
            return False
        if game.status not in ("created", "started") or self._breaks[game.game_id] >= RESTARTS_MOST:
            return False
        if not game.compat.bot:
            logger.info("game %s: not playable by bots", game.game_id)
            return False
        return not self._records.has_ended(game.game_id, self._source, self._office.account.id)

    def _is_surplus(self, game: wire.OngoingGame) -> bool:
        accept, places = self._office.config.accept, self._office.places
        if game.speed == time_controls.SLOWEST or game.tournament_id is not None or places.live < accept.max_games:
            return False
        logger.warning("game %s: beyond the %d places", game.game_id, accept.max_games)
        return accept.surplus == "abort" and not game.has_moved

    def _entry(self, game: wire.OngoingGame, guest: Guest) -> OpenGame:
        return OpenGame(
            game_id=game.game_id,
            source=self._source,
            account=self._office.account.id,
            url=f"{self._office.lichess.url}/{game.game_id}",
            variant=game.variant.key,
            rated=game.rated,
            speed=game.speed,
            color=game.color,
            opponent=game.opponent.id or game.opponent.username or "Anonymous",
            started_at=utc_text(self._office.now()),
            rules=" ".join(guest.rules),
        )

    def _guest_in(self, entry: OpenGame) -> Guest:
        met = self._office.players.encounter(entry.game_id)
        rules = tuple(entry.rules.split())
        return Guest(entry.opponent.lower(), met is not None and met.bot, _is_slow(entry), rules=rules)

    def _start(self, entry: OpenGame, *, unwanted: bool = False) -> None:
        if unwanted:
            self._office.unwanted.append(entry.game_id)
        session = GameSession(
            entry,
            self.around,
            lambda entry, ending: self._office.post(partial(self._session_over, entry, ending)),
            unwanted=unwanted,
        )
        self._sessions[entry.game_id] = session
        session.start()

    def _session_over(self, entry: OpenGame, ending: Ending) -> None:
        self._sessions.pop(entry.game_id, None)
        if not self._sessions:
            self._office.lichess.drop_idle()
        if isinstance(ending, Resting):
            self._slow.rest(entry)
            self._waken()
            return
        self._office.places.free(entry.game_id)
        match ending:
            case Fatal(error):
                raise error
            case Finished(record):
                self._office.meters.over(self._office.account.id, record.variant, verdict(record), record.status)
                if record.status == ABORTED and entry.game_id not in self._office.unwanted:
                    self._office.players.note_abort(entry.game_id)
                self._on_over(entry, ending)
            case Broken():
                self._session_broken(entry)
            case Left():
                return
        self._waken()

    def _session_broken(self, entry: OpenGame) -> None:
        self._office.meters.broken(self._office.account.id)
        self._breaks[entry.game_id] += 1
        if self._breaks[entry.game_id] < RESTARTS_MOST:
            self._look_again_in(self._office.config.network.reopen_first_s * self._breaks[entry.game_id])
            return
        logger.error("game %s: given up", entry.game_id)

        def told(outcome: None | Failure) -> None:
            if isinstance(outcome, LichessError):
                logger.info("game %s: could not resign: %s", entry.game_id, outcome)

        # the opponent shall not have to wait for our flag
        self._office.ask(partial(self._office.lichess.resign, entry.game_id), told)

    def _waken(self) -> None:
        """Attend to slow games that have been called, as many as may be at once; those with nothing to do make room."""
        awake = [session for session in self._sessions.values() if _is_slow(session.entry)]
        for entry in self._slow.take_called(self._office.config.accept.slow.at_once - len(awake)):
            self._start(entry)
        if self._slow.waiting:
            for session in awake:
                session.rest()


def _is_slow(entry: OpenGame) -> bool:
    return entry.speed == time_controls.SLOWEST
