"""The bot at work: the event stream, what comes of it, and an orderly end.

    Exception
    └── DaemonStopped       it cannot go on, and says why
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final

from bot import announcement, wire
from bot.arenas import Arenas
from bot.backoff import Allowance, Backoff, Clock
from bot.config import Config, ConfigError
from bot.cores import Cores
from bot.endings import Finished
from bot.games import Games
from bot.lichess import Lichess
from bot.list_keeper import ListKeeper
from bot.matchmaker import Matchmaker
from bot.meters import Meters
from bot.minds import Mind
from bot.office import Failure, Office
from bot.places import NEVER
from bot.reception import Reception
from bot.records.acquaintances import Acquaintances
from bot.records.database import Records
from bot.records.game import NO_START, OpenGame
from bot.records.pages import Pages
from bot.status import AccountStatus, State
from bot.streams import Died, Ended, Line, Opened, Report, StreamReader
from bot.surroundings import Crowd, Surroundings
from bot.transport import LichessError, Unauthorized

logger = logging.getLogger(__name__)

KICKS_MOST: Final = 2
LEAVE_WITHIN_S: Final = 2.0
UNWRITABLE: Final = "the database cannot be written, so no new games are begun"


class DaemonStopped(Exception):
    """The daemon cannot go on."""


@dataclass(frozen=True)
class Task:
    """Something to be done in the daemon's thread."""

    run: Callable[[], None]


Message = Report | Task


class Daemon:
    """Plays an account's games until `stop`.

    `run` is for one thread, `status` and `use` for what is done by `post`; the other calls are for any thread, signal
    handlers included.
    """

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
        new_mind: Callable[[int], Mind] | None = None,
        meters: Meters | None = None,
        cores: Cores | None = None,
    ) -> None:
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._clock = clock
        self._chance = chance or random.Random()
        self._office = Office(
            config=config, lichess=lichess, account=account, players=Acquaintances(records, source, account.id),
            clock=clock, now=lambda: datetime.now(UTC), chance=self._chance, post=self.post, meters=meters or Meters(),
        )  # fmt: skip
        around = Surroundings.open(
            config, lichess, records, account.id, clock=clock, now=self._office.now, chance=self._chance,
            new_mind=new_mind, crowd=self._crowd, look=self._look_soon, meters=self._office.meters, cores=cores,
        )  # fmt: skip
        self._games = Games(
            self._office, records, source, around,
            on_begin=self._game_begins, on_over=self._game_over, look_again_in=self._look_again_in,
        )  # fmt: skip
        self._reception = Reception(self._office)
        lichess.observe(partial(self._office.meters.request, account.id))
        self._lists = ListKeeper(self._office, Pages(records))
        self.arenas = Arenas(self._office)
        self.matchmaker = Matchmaker(self._office, lambda: [entry.speed for entry in self._games.entries])
        self._kicks = 0
        self._awaiting_news, self._listed_at = set[str](), float("-inf")
        self._trouble_told = self._fetching = False
        self._leave_at: float | None = None
        self._reconcile_at, self._started_at = 0.0, clock()
        self._events = self._event_reader()

    def run(self) -> None:
        """Play until told to stop. Raises DaemonStopped, and Unauthorized when the token is no longer good."""
        logger.info("playing as %s on %s", self._office.account.username, self._office.lichess.url)
        for line in announcement.lines(self._config):
            logger.info("%s", line)
        self._office.players.forget(self._office.now_s())
        try:
            self._lists.load()
            self._games.resume()
            self._events.start()
            self._reconcile_at = self._clock() + self._config.network.reconcile_every_s
            while not self._finished():
                self._step()
        finally:
            self._leave_everything()

    def meet_family(self, accounts: Iterable[str]) -> None:
        """Know the other accounts of the same operator: nobody plays rated games against itself."""
        ids = frozenset(account.lower() for account in accounts) - {self._office.account.id.lower()}
        self._office.family = ids

    def stop(self) -> None:
        """Take no more games, let the running ones end for a while, and return from `run`."""
        self.post(lambda: self._begin_to_stop(self._config.shutdown.finish_games_s))

    def finish(self) -> None:
        """Take no more games, and return from `run` when the running ones have ended."""
        self.post(lambda: self._begin_to_stop(NEVER))

    def pause(self) -> None:
        """Take no more games for now."""
        self.post(lambda: self._close(True))

    def resume(self) -> None:
        """Take games again."""
        self.post(lambda: self._close(False))

    def use(self, config: Config) -> tuple[str, ...]:
        """Go by that configuration from now on, but for running games; what stands against it if it cannot be used."""
        try:
            self._games.around = self._games.around.reloaded(config)
        except ConfigError as error:
            return error.problems
        self._office.config = config
        self._lists.refresh()
        self.arenas.look()
        self._reception.serve()
        return ()

    def status(self) -> AccountStatus:
        """How the account fares."""
        office, now = self._office, self._clock()
        state = State.PAUSED if office.closing else State.PLAYING
        return AccountStatus(
            account=office.account.id,
            site=office.lichess.url,
            state=State.FINISHING if office.stopping.is_set() else state,
            problem=None if office.players.lasting else UNWRITABLE,
            heard_s=now - (self._events.heard_at or self._started_at),
            limited_s=office.lichess.limited_s,
            places=len(office.places),
            most_games=self._config.accept.max_games,
            waiting=self._reception.waiting,
            games=self._games.statuses(now),
        )

    def post(self, run: Callable[[], None]) -> None:
        """Have something done in the daemon's thread; from any thread."""
        self._inbox.put(Task(run))

    @property
    def _config(self) -> Config:
        return self._office.config

    def _event_reader(self) -> StreamReader:
        network = self._config.network
        return StreamReader(
            "event stream",
            self._office.lichess.events,
            self._inbox.put,
            pauses=Backoff(network.reopen_first_s, network.reopen_most_s, self._chance),
            steady_s=network.kick_window_s,
            clock=self._clock,
            allowance=Allowance(network.event_opens, network.event_opens_period_s),
        )

    def _step(self) -> None:
        due = self._due()
        with suppress(Empty):
            self._react(self._inbox.get(timeout=max(0.0, due - self._clock())))
        # also under a steady rain of messages
        if self._clock() >= due:
            self._tick()

    def _due(self) -> float:
        return min(
            self._reconcile_at,
            self._office.places.next_deadline(),
            self._reception.next_deadline(),
            self._lists.next_deadline(),
            self.arenas.next_deadline(),
            self.matchmaker.next_deadline(),
            self._leave_at or float("inf"),
        )

    def _tick(self) -> None:
        now = self._clock()
        for challenge_id in self._office.places.take_overdue(now):
            logger.warning("challenge %s: accepted, but no game has started", challenge_id)
            self._reconcile_at = now
        self._reception.serve()
        self._lists.tick()
        self.arenas.tick()
        self.matchmaker.tick()
        if now >= self._reconcile_at:
            self._reconcile_at = now + self._config.network.reconcile_every_s
            self._fetch_running()

    def _react(self, message: Message) -> None:
        match message:
            case Opened():
                if self._trouble_told:
                    logger.info("event stream: open again")
                self._trouble_told = False
                self._office.meters.opened(self._office.account.id, "events")
                self._fetch_running()
            case Line(text):
                self._read(text)
            case Ended(error, lived_s):
                self._events_ended(error, lived_s)
            case Died():
                raise DaemonStopped("the event stream is no longer read")
            case Task(run):
                run()

    def _read(self, text: str) -> None:
        try:
            event = wire.read_event(text)
        except wire.MalformedMessage as error:
            logger.error("event stream: %s", error)
            return
        match event:
            case wire.GameStart(game=game):
                self._games.begin(game)
            case wire.GameFinish(game=game):
                self._games.told_over(game.game_id)
            case wire.ChallengeMade(challenge=challenge, compat=compat):
                self._reception.receive(challenge, compat)
            case wire.ChallengeCanceled(challenge=challenge):
                self.matchmaker.canceled(challenge.id)
                self._reception.forget(challenge.id)
            case wire.ChallengeDeclined(challenge=challenge):
                self.matchmaker.declined(challenge)
            case wire.Unknown(type=kind):
                logger.info("event stream: ignored an event of type %r", kind)

    def _close(self, closing: bool) -> None:
        if self._office.closing != closing:
            logger.info("%s: %s", self._office.account.username, "no more games for now" if closing else "playing on")
        self._office.closing = closing
        self.arenas.look()
        self._reception.serve()

    def _game_begins(self, game: wire.OngoingGame) -> None:
        self.arenas.expect(game)
        self.matchmaker.expect(game)

    def _game_over(self, entry: OpenGame, finished: Finished) -> None:
        record = finished.record
        self.arenas.game_over(record.game_id, started=record.status != NO_START)
        self.matchmaker.game_over(record.game_id, counts=record.counts)
        self._reception.serve()
        if finished.full is not None:
            self.matchmaker.offer_rematch(record, finished.full, entry.rules.split())

    def _fetch_running(self) -> None:
        def told(outcome: wire.Playing | Failure) -> None:
            self._fetching = False
            awaiting, self._awaiting_news = self._awaiting_news, set()
            if isinstance(outcome, wire.Playing):
                self._games.compare(outcome.now_playing)
            else:
                # while the event stream is down as well, that has been told already
                level = logging.DEBUG if self._trouble_told else logging.INFO
                logger.log(level, "running games: not told: %s", outcome)
                for game_id in awaiting:
                    self._games.check(game_id)

        # while the site wants no requests, one that waits is enough
        if not self._fetching:
            self._fetching, self._listed_at = True, self._clock()
            self._office.ask(self._office.lichess.playing, told)

    def _crowd(self) -> Crowd:
        return Crowd(len(self._games), self._config.accept.max_games, self._reception.waiting)

    def _look_soon(self, game_id: str) -> None:
        self.post(partial(self._look_for_news, game_id))

    def _look_for_news(self, game_id: str) -> None:
        """See whether the move that a game waits for was made: on the list, and where that does not come, itself."""
        if game_id in self._awaiting_news:
            self._games.check(game_id)
            return
        self._awaiting_news.add(game_id)
        # many games may be waiting: one list for all of them, and not one after the other
        self._look_again_in(max(0.0, self._listed_at + self._config.network.news_least_s - self._clock()))

    def _look_again_in(self, seconds: float) -> None:
        self._reconcile_at = min(self._reconcile_at, self._clock() + seconds)

    def _events_ended(self, error: LichessError | None, lived_s: float) -> None:
        if isinstance(error, Unauthorized):
            raise error
        kicked = error is None and lived_s < self._config.network.kick_window_s
        self._kicks = self._kicks + 1 if kicked else 0
        if self._kicks >= KICKS_MOST:
            name = self._office.account.username
            raise DaemonStopped(f"another program reads the event stream of {name}: stop one of them")
        level = logging.DEBUG if self._trouble_told else logging.WARNING
        logger.log(level, "event stream: ended: %s", error or "in order")
        self._trouble_told = True

    def _begin_to_stop(self, grace_s: float) -> None:
        self._office.stopping.set()
        self.arenas.look()
        # whoever asks last decides how long
        self._leave_at = self._clock() + grace_s
        if self._games and grace_s:
            patience = "all the time they need" if grace_s == NEVER else f"{grace_s:g} s to end"
            logger.info("stopping: %d running games get %s", len(self._games), patience)
        self._reception.serve()

    def _finished(self) -> bool:
        if self._leave_at is None:
            return False
        return not self._games or self._clock() >= self._leave_at

    def _leave_everything(self) -> None:
        self._office.stopping.set()
        self.arenas.leave_all(LEAVE_WITHIN_S)
        self._games.leave()
        self._events.stop()
        self._office.lichess.close()
        self._games.join(LEAVE_WITHIN_S)
        self._events.join(LEAVE_WITHIN_S)
        self._games.around.close()
        logger.info("stopped")
