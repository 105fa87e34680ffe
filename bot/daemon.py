"""The bot at work: the event stream, the places for games, and an orderly end.

    Exception
    └── DaemonStopped       it cannot go on, and says why
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Final

from bot import admission, wire
from bot.backoff import Allowance, Backoff, Clock
from bot.config import Config
from bot.lichess import Lichess
from bot.places import Places
from bot.records.database import Records
from bot.records.game import OpenGame
from bot.records.settling import utc_text
from bot.search.thinker import Thinker
from bot.session import Broken, Ending, GameSession, LockedOut
from bot.streams import Died, Ended, Line, Opened, Report, StreamReader
from bot.surroundings import Mind, Surroundings
from bot.transport import LichessError, Limited, Refused, ServerTrouble, Unauthorized, Unreachable

logger = logging.getLogger(__name__)

KICKS_MOST: Final = 2
ACCEPT_TRIES: Final = 3
RESTARTS_MOST: Final = 3
LEAVE_WITHIN_S: Final = 2.0


class DaemonStopped(Exception):
    """The daemon cannot go on."""


@dataclass(frozen=True)
class Answered:
    """Our accept was taken, or not; when unknown, the game may start all the same."""

    challenge_id: str
    taken: bool


@dataclass(frozen=True)
class Running:
    """What the site holds to be running."""

    games: tuple[wire.OngoingGame, ...]


@dataclass(frozen=True)
class SessionOver:
    """A session has ended."""

    entry: OpenGame
    ending: Ending


class Request(Enum):
    """What is asked of the daemon."""

    STOP = "finish and stop"


Message = Report | Answered | Running | SessionOver | Request


class Daemon:
    """Plays an account's games until `stop`; `run` is for one thread, `stop` for any, signal handlers included."""

    def __init__(
        self,
        config: Config,
        lichess: Lichess,
        records: Records,
        account: wire.Account,
        *,
        source: str,
        clock: Clock = time.monotonic,
        chance: random.Random | None = None,
        new_mind: Callable[[int], Mind] = Thinker,
    ) -> None:
        self._config = config
        self._lichess = lichess
        self._records = records
        self._account = account
        self._source = source
        self._clock = clock
        self._chance = chance or random.Random()
        self._around = Surroundings(
            lichess, records, config, account.id, clock, lambda: datetime.now(UTC), self._chance, new_mind
        )
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._places = Places(config.network.start_within_s)
        self._sessions: dict[str, GameSession] = {}
        self._breaks: Counter[str] = Counter()
        self._kicks = 0
        self._trouble_told = False
        self._leave_at: float | None = None
        self._reconcile_at = 0.0
        self._stopping = threading.Event()
        self._events = self._event_reader()

    def run(self) -> None:
        """Play until told to stop. Raises DaemonStopped, and Unauthorized when the token is no longer good."""
        logger.info("playing as %s on %s", self._account.username, self._lichess.url)
        logger.info("accepting %s", in_words(self._config))
        try:
            for entry in self._records.open_games(self._source, self._account.id):
                logger.info("game %s: resumed", entry.game_id)
                self._start_session(entry)
            self._events.start()
            self._reconcile_at = self._clock() + self._config.network.reconcile_every_s
            while not self._finished():
                self._step()
        finally:
            self._leave_everything()

    def _event_reader(self) -> StreamReader:
        network = self._config.network
        return StreamReader(
            "event stream",
            self._lichess.events,
            self._inbox.put,
            pauses=Backoff(network.reopen_first_s, network.reopen_most_s, self._chance),
            steady_s=network.kick_window_s,
            clock=self._clock,
            allowance=Allowance(network.event_opens, network.event_opens_period_s),
        )

    def stop(self) -> None:
        """Take no more games, let the running ones end for a while, and return from `run`."""
        self._inbox.put(Request.STOP)

    def _step(self) -> None:
        now = self._clock()
        due = min(self._reconcile_at, self._places.next_deadline(), self._leave_at or float("inf"))
        try:
            message = self._inbox.get(timeout=max(0.0, due - now))
        except Empty:
            self._tick()
        else:
            self._react(message)

    def _tick(self) -> None:
        now = self._clock()
        for challenge_id in self._places.take_overdue(now):
            logger.warning("challenge %s: accepted, but no game has started", challenge_id)
            self._reconcile_at = now
        if now >= self._reconcile_at:
            self._reconcile_at = now + self._config.network.reconcile_every_s
            self._fetch_running()

    def _react(self, message: Message) -> None:
        match message:
            case Opened():
                self._trouble_told = False
                self._fetch_running()
            case Line(text):
                self._read(text)
            case Ended(error, lived_s):
                self._events_ended(error, lived_s)
            case Died():
                raise DaemonStopped("the event stream is no longer read")
            case Answered(challenge_id, taken):
                if not taken:
                    self._places.cancel(challenge_id)
            case Running(games):
                self._compare(games)
            case SessionOver(entry, ending):
                self._session_over(entry, ending)
            case Request.STOP:
                self._begin_to_stop()

    def _read(self, text: str) -> None:
        try:
            event = wire.read_event(text)
        except wire.MalformedMessage as error:
            logger.error("event stream: %s", error)
            return
        match event:
            case wire.GameStart(game=game):
                self._game_started(game)
            case wire.GameFinish(game=game):
                if game.game_id in self._sessions:
                    self._sessions[game.game_id].check()
                self._places.cancel(game.game_id)
            case wire.ChallengeMade(challenge=challenge, compat=compat):
                self._answer(challenge, compat)
            case wire.ChallengeCanceled(challenge=challenge):
                self._places.cancel(challenge.id)
            case wire.ChallengeDeclined(challenge=challenge):
                logger.info("challenge %s: declined: %s", challenge.id, challenge.decline_reason_key)
            case wire.Unknown(type=kind):
                logger.info("event stream: ignored an event of type %r", kind)

    def _answer(self, challenge: wire.Challenge, compat: wire.Compat) -> None:
        if challenge.id in self._places:
            return
        load = admission.Load(places=len(self._places), closing=self._stopping.is_set())
        sender = challenge.challenger.name if challenge.challenger else "an anonymous player"
        terms = f"{challenge.variant.key} {challenge.time_control.show or challenge.speed} from {sender}"
        match admission.answer(challenge, compat, self._config.accept, load, self._account.id):
            case admission.Accept():
                logger.info("challenge %s: accepted: %s", challenge.id, terms)
                self._places.reserve(challenge.id, self._clock())
                self._in_thread(lambda: self._accept(challenge.id))
            case admission.Decline(reason, why):
                logger.info("challenge %s: declined as %s (%s): %s", challenge.id, reason, why, terms)
                self._in_thread(lambda: self._decline(challenge.id, reason))
            case admission.Ignore(why):
                logger.debug("challenge %s: ignored: %s", challenge.id, why)

    def _accept(self, challenge_id: str) -> None:
        pauses = Backoff(self._config.network.move_retry_first_s, self._config.network.move_retry_most_s, self._chance)
        for _ in range(ACCEPT_TRIES):
            try:
                self._lichess.accept(challenge_id)
                return
            except (Refused, Limited, Unauthorized) as error:
                # cancelled meanwhile, or not possible after all
                logger.info("challenge %s: not to be had: %s", challenge_id, error)
                self._inbox.put(Answered(challenge_id, taken=False))
                return
            except (Unreachable, ServerTrouble) as error:
                logger.info("challenge %s: no answer to our accept: %s", challenge_id, error)
            if self._stopping.wait(pauses.next_s()):
                return

    def _decline(self, challenge_id: str, reason: str) -> None:
        try:
            self._lichess.decline(challenge_id, reason)
        except LichessError as error:
            logger.info("challenge %s: could not be declined: %s", challenge_id, error)

    def _game_started(self, game: wire.OngoingGame) -> None:
        if self._stopping.is_set() or game.game_id in self._sessions or game.status not in ("created", "started"):
            return
        ended = self._records.has_ended(game.game_id, self._source, self._account.id)
        if ended or self._breaks[game.game_id] >= RESTARTS_MOST:
            return
        if not game.compat.bot:
            logger.info("game %s: not playable by bots", game.game_id)
            return
        if game.game_id not in self._places and len(self._places) >= self._config.accept.max_games:
            logger.warning("game %s: beyond the %d places, played all the same", game.game_id, len(self._places))
        entry = OpenGame(
            game_id=game.game_id,
            source=self._source,
            account=self._account.id,
            url=f"{self._lichess.url}/{game.game_id}",
            variant=game.variant.key,
            rated=game.rated,
            speed=game.speed,
            color=game.color,
            opponent=game.opponent.id or game.opponent.username or "Anonymous",
            started_at=utc_text(self._around.now()),
        )
        self._records.open_game(entry)
        self._start_session(entry)

    def _start_session(self, entry: OpenGame) -> None:
        session = GameSession(
            entry, self._around, lambda entry, ending: self._inbox.put(SessionOver(entry, ending))
        )
        self._sessions[entry.game_id] = session
        self._places.take(entry.game_id)
        session.start()

    def _session_over(self, entry: OpenGame, ending: Ending) -> None:
        self._sessions.pop(entry.game_id, None)
        self._places.free(entry.game_id)
        match ending:
            case LockedOut(error):
                raise error
            case Broken():
                self._breaks[entry.game_id] += 1
                if self._breaks[entry.game_id] < RESTARTS_MOST:
                    pause_s = self._config.network.reopen_first_s * self._breaks[entry.game_id]
                    self._reconcile_at = min(self._reconcile_at, self._clock() + pause_s)
                else:
                    logger.error("game %s: given up", entry.game_id)
                    self._in_thread(lambda: self._resign(entry.game_id))

    def _resign(self, game_id: str) -> None:
        # the opponent shall not have to wait for our flag
        try:
            self._lichess.resign(game_id)
        except LichessError as error:
            logger.info("game %s: could not resign: %s", game_id, error)

    def _fetch_running(self) -> None:
        def fetch() -> None:
            try:
                self._inbox.put(Running(self._lichess.playing().now_playing))
            except (LichessError, wire.MalformedMessage) as error:
                logger.info("running games: not told: %s", error)

        self._in_thread(fetch)

    def _compare(self, games: tuple[wire.OngoingGame, ...]) -> None:
        """Pick up what the event stream has lost: games that nobody plays, moves that nobody thinks about."""
        for game in games:
            if game.game_id not in self._sessions:
                self._game_started(game)
            elif game.is_my_turn:
                self._sessions[game.game_id].check()
        listed = {game.game_id for game in games}
        if len(games) < wire.PLAYING_MOST:
            for game_id, session in self._sessions.items():
                if game_id not in listed:
                    session.check()

    def _events_ended(self, error: LichessError | None, lived_s: float) -> None:
        if isinstance(error, Unauthorized):
            raise error
        kicked = error is None and lived_s < self._config.network.kick_window_s
        self._kicks = self._kicks + 1 if kicked else 0
        if self._kicks >= KICKS_MOST:
            raise DaemonStopped(f"another program reads the event stream of {self._account.username}: stop one of them")
        level = logging.DEBUG if self._trouble_told else logging.WARNING
        logger.log(level, "event stream: ended: %s", error or "in order")
        self._trouble_told = True

    def _begin_to_stop(self) -> None:
        if self._stopping.is_set():
            return
        self._stopping.set()
        grace_s = self._config.shutdown.finish_games_s
        self._leave_at = self._clock() + grace_s
        if self._sessions and grace_s:
            logger.info("stopping: %d running games get %g s to end", len(self._sessions), grace_s)

    def _finished(self) -> bool:
        if self._leave_at is None:
            return False
        return not self._sessions or self._clock() >= self._leave_at

    def _leave_everything(self) -> None:
        self._stopping.set()
        for session in self._sessions.values():
            logger.info("game %s: left to be resumed", session.entry.game_id)
            session.leave()
        self._events.stop()
        self._lichess.close()
        for session in self._sessions.values():
            session.join(LEAVE_WITHIN_S)
        self._events.join(LEAVE_WITHIN_S)
        logger.info("stopped")

    def _in_thread(self, errand: Callable[[], None]) -> None:
        threading.Thread(target=errand, name="errand", daemon=True).start()


def in_words(config: Config) -> str:
    """What is accepted, for the log."""
    accept = config.accept
    parts = [f"at most {accept.max_games} games at once"]
    for name, audience in (("people", accept.humans), ("bots", accept.bots)):
        if audience.allow:
            casual, rated = ", ".join(audience.casual) or "nothing", ", ".join(audience.rated) or "nothing"
            parts.append(f"from {name}: casual {casual}; rated {rated}; at {', '.join(audience.speeds)}")
        else:
            parts.append(f"nothing from {name}")
    return " | ".join(parts)
