"""One game, played from its stream to its record, in a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Final

from bot import conduct, timing, wire
from bot.alarms import Alarm, Alarms
from bot.backoff import Allowance, Backoff
from bot.directory import ExportedGame
from bot.endings import Broken, Ending, Fatal, Finished, Left, Resting, StillRunning, StreamLost
from bot.errands import Errands
from bot.following import FollowedGame
from bot.moving import Found, MoveMaker, Sent
from bot.records.database import RecordsError
from bot.records.game import GameRecord, OpenGame
from bot.records.settling import record_of_export, record_of_state
from bot.status import GameStatus, game_status
from bot.streams import Died, Ended, Line, Opened, Report, StreamReader
from bot.surroundings import Surroundings
from bot.talking import Talk
from bot.timing import DayClock, NoClock, RunningClock
from bot.transport import LichessError, Refused, Unauthorized

logger = logging.getLogger(__name__)

NOT_FOUND: Final = 404
HEADLESS_MOST: Final = 3


@dataclass(frozen=True)
class Exported:
    """The game as the site has filed it, None when it has not."""

    game: ExportedGame | None


class Request(Enum):
    """What others ask of a session."""

    CHECK = "see whether anything was missed"
    REST = "make room for another game"
    LEAVE = "leave the game to be resumed"


Message = Report | Found | Sent | Exported | Request


class GameSession:
    """Plays one game; `on_end` is told once, from the session's thread, how that ended.

    An `unwanted` game is aborted if that is still possible, and played if it is not.
    """

    def __init__(
        self,
        entry: OpenGame,
        surroundings: Surroundings,
        on_end: Callable[[OpenGame, Ending], None],
        *,
        unwanted: bool = False,
    ) -> None:
        self.entry = entry
        self._unwanted = unwanted
        self._around = surroundings
        # those of a configuration that is replaced before the game's first line comes are this game's all the same
        surroundings.sources.hold()
        self._on_end = on_end
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._alarms = Alarms(surroundings.clock)
        self._game: FollowedGame | None = None
        self._mover: MoveMaker | None = None
        self._told_at = 0.0
        self._began_at = surroundings.clock()
        self._talk: Talk | None = None
        self._takebacks_granted = 0
        self._trouble_told = False
        self._headless = 0
        self._over = threading.Event()
        self._ending: Ending | None = None
        network = surroundings.config.network
        self._errands = Errands(entry.game_id, network, surroundings.chance, self._over)
        self._rules = frozenset(entry.rules.split())
        self._reader = StreamReader(
            f"stream of {entry.game_id}",
            lambda: surroundings.lichess.game(entry.game_id),
            self._inbox.put,
            pauses=Backoff(network.game_reopen_first_s, network.game_reopen_most_s, surroundings.chance),
            steady_s=network.stall_timeout_s,
            clock=surroundings.clock,
            allowance=Allowance(network.event_opens, network.stall_timeout_s),
        )
        self._thread = threading.Thread(target=self._run, name=f"game {entry.game_id}", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def status(self, now: float) -> GameStatus:
        """How the game stands; for any thread."""
        return game_status(self.entry, self._game, now - (self._reader.heard_at or self._began_at))

    def check(self) -> None:
        """See whether anything was missed: unless a move is being made, read the game anew."""
        self._inbox.put(Request.CHECK)

    def rest(self) -> None:
        """Stop playing if there is nothing to do in a slow game; it can be resumed from its journal row."""
        self._inbox.put(Request.REST)

    def leave(self) -> None:
        """Stop playing; the game can be resumed from its journal row."""
        self._inbox.put(Request.LEAVE)

    def join(self, timeout_s: float) -> None:
        """Wait for the end of the session."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        try:
            self._reader.start()
            while self._ending is None:
                self._step()
            ending = self._ending
        except (Unauthorized, RecordsError) as error:
            ending = Fatal(error)
        except Exception as error:  # the one broad one: a broken game must not take the others with it
            logger.exception("game %s: broken off", self.entry.game_id)
            ending = Broken(error)
        self._over.set()
        if self._mover is not None:
            self._mover.abandon()
        self._reader.stop()
        self._around.sources.let_go()
        self._on_end(self.entry, ending)

    def _step(self) -> None:
        try:
            message = self._inbox.get(timeout=self._alarms.wait_s())
        except Empty:
            for alarm in self._alarms.take_due():
                self._ring(alarm)
        else:
            self._react(message)

    def _react(self, message: Message) -> None:
        match message:
            case Opened():
                self._trouble_told = False
                self._around.meters.opened(self._around.account_id, "game")
                if self._game is None:
                    self._alarms.set(Alarm.BEGIN, self._around.config.network.request_timeout_s)
            case Line(text, at):
                self._read(text, at)
            case Ended(error):
                self._stream_ended(error)
            case Died():
                raise StreamLost(self.entry.game_id)
            case Found():
                if self._mover is not None and self._mover.take_choice(message, self._told_at):
                    self._errands.run("resign", lambda: self._around.lichess.resign(self.entry.game_id))
            case Sent():
                if self._mover is not None:
                    self._mover.take_delivery(message)
            case Exported(game):
                self._settle(game)
            case Request.CHECK:
                if self._mover is None or not self._mover.busy:
                    self._reader.reopen()
            case Request.REST:
                self._rest()
            case Request.LEAVE:
                self._ending = Left()

    def _ring(self, alarm: Alarm) -> None:
        game, mover = self._game, self._mover
        if game is None or mover is None:
            self._reader.reopen()  # the first line, all that is waited for so far, is lost
            return
        match alarm:
            case Alarm.SETTLE:
                if not mover.play_on():
                    self._reader.reopen()
            case Alarm.HOLD | Alarm.PACE:
                mover.release()
            case Alarm.OVERDUE:
                mover.give_up_search()
            case Alarm.ABORT:
                logger.info("game %s: the opponent does not start", self.entry.game_id)
                self._errands.run("abort", lambda: self._around.lichess.abort(self.entry.game_id))
                self._await_opponent(game)
            case Alarm.NEWS:
                self._around.look(self.entry.game_id)
                self._expect_news(game)
            case Alarm.CLAIM:
                self._claim(game, mover)
            case Alarm.REST:
                self._rest()

    def _read(self, text: str, at: float) -> None:
        match wire.read_game_line(text):
            case wire.GameFull() as full:
                first = self._game is None
                if first:
                    self._begin(full)
                self._take_in(full.state, at, anew=True)
                if first and self._unwanted:
                    self._turn_away(full)
            case wire.GameState() as state:
                self._take_in(state, at, anew=False)
            case wire.OpponentGone() as absence:
                self._opponent_gone(absence)
            case wire.ChatLine() as line:
                self._hear(line)
            case wire.Unknown(type=kind):
                logger.info("game %s: ignored a line of type %r", self.entry.game_id, kind)

    def _begin(self, full: wire.GameFull) -> None:
        game = FollowedGame(full, self._around.account_id)
        self._game = game
        self._mover = MoveMaker(game, self._rules, self._around, self._alarms, self._inbox.put)
        self._talk = Talk(game, self._around)
        logger.info(
            "game %s: %s, %s, %s, %s as %s against %s",
            full.id, game.variant.name, full.speed, "rated" if full.rated else "casual",
            self._around.account_id, game.color.wire, game.opponent.shown_name,
        )  # fmt: skip
        self._talk.greet(len(full.state.move_list))

    def _take_in(self, state: wire.GameState, at: float, *, anew: bool) -> None:
        """React to where the game stands; `anew` when this is the first word of a new stream."""
        game, mover = self._game, self._mover
        if game is None or mover is None:
            self._headless += 1
            if self._headless > HEADLESS_MOST:
                raise wire.MalformedMessage("game stream", "it does not begin with gameFull")
            # the line was lost on its way: everything is told again on a new stream
            self._reader.reopen()
            return
        change = game.update(state)
        self._told_at = at
        if state.is_over:
            self._finish(game, state)
            return
        if change.moved:
            self._alarms.cancel(Alarm.ABORT, Alarm.CLAIM)
            mover.moves_changed()
        if change.takeback_asked:
            self._answer_takeback(game, mover)
        if change.draw_offered and conduct.accepts_draw(mover.standing, self._around.config.conduct.draws):
            self._errands.run("accept the draw", lambda: self._around.lichess.answer_draw(game.full.id, accept=True))
        self._await_opponent(game)
        self._expect_news(game)
        self._expect_rest(game)
        if anew:
            mover.insist()
        mover.begin(at)

    def _answer_takeback(self, game: FollowedGame, mover: MoveMaker) -> None:
        granted = conduct.grants_takeback(
            self._around.config.conduct.takebacks,
            opponent_is_machine=game.opponent.is_machine,
            rated=game.full.rated,
            granted=self._takebacks_granted,
        )
        if granted:
            self._takebacks_granted += 1
            # a move sent now would refuse what we have just granted
            mover.hold()
        logger.info("game %s: takeback %s", game.full.id, "granted" if granted else "refused")
        lichess, game_id = self._around.lichess, game.full.id
        self._errands.run("answer the takeback", lambda: lichess.answer_takeback(game_id, accept=granted))

    def _hear(self, line: wire.ChatLine) -> None:
        game, mover, settings = self._game, self._mover, self._around.config.conduct.takebacks
        if game is None or mover is None or self._talk is None:
            return
        machine, rated = game.opponent.is_machine, game.full.rated
        most = conduct.takebacks_most(settings, opponent_is_machine=machine, rated=rated)
        level = self._talk.hear(line, mover.last_score_cp, max(0, most - self._takebacks_granted))
        if level is not None:
            logger.info("game %s: plays at level %s", self.entry.game_id, level)
            mover.set_level(self._around.config.strength.levels[level])

    def _expect_news(self, game: FollowedGame) -> None:
        """In a fast game there is no time to wait for the next comparison with the site's list."""
        network = self._around.config.network
        silence_s = timing.tolerable_silence_s(game.clock, network.news_least_s, network.reconcile_every_s)
        if game.our_turn or silence_s is None:
            self._alarms.cancel(Alarm.NEWS)
        else:
            self._alarms.set(Alarm.NEWS, silence_s)

    def _await_opponent(self, game: FollowedGame) -> None:
        """Keep an eye on an opponent who has yet to make the first move; but for tournaments, no server does."""
        waiting = game.plies < 2 and not game.our_turn and isinstance(game.clock, RunningClock)
        waiting = waiting and game.full.tournament_id is None and conduct.may_abort(self._rules)
        if not waiting:
            self._alarms.cancel(Alarm.ABORT)
        elif Alarm.ABORT not in self._alarms:
            machine = game.opponent.is_machine
            self._alarms.set(
                Alarm.ABORT, conduct.abort_after_s(self._around.config.conduct, opponent_is_machine=machine)
            )

    def _expect_rest(self, game: FollowedGame) -> None:
        if game.our_turn or not isinstance(game.clock, DayClock | NoClock):
            self._alarms.cancel(Alarm.REST)
        elif Alarm.REST not in self._alarms:
            self._alarms.set(Alarm.REST, self._around.config.accept.slow.rest_after_s)

    def _rest(self) -> None:
        game, mover = self._game, self._mover
        if game is None or mover is None or game.our_turn or not isinstance(game.clock, DayClock | NoClock):
            return
        if mover.busy:
            self._expect_rest(game)
        else:
            self._ending = Resting()

    def _turn_away(self, full: wire.GameFull) -> None:
        """Abort a game for which there is no place, if its opponent has not waited for moves of ours yet."""
        if self._mover is not None and len(full.state.move_list) < 2:
            logger.info("game %s: there is no place for it", full.id)
            self._mover.hold()
            self._errands.run("abort", lambda: self._around.lichess.abort(full.id))

    def _opponent_gone(self, absence: wire.OpponentGone) -> None:
        if not absence.gone or absence.claim_win_in_seconds is None:
            self._alarms.cancel(Alarm.CLAIM)
        elif self._around.config.conduct.claim_when_gone and conduct.may_claim(self._rules):
            self._alarms.set(Alarm.CLAIM, absence.claim_win_in_seconds)

    def _claim(self, game: FollowedGame, mover: MoveMaker) -> None:
        if game.our_turn:
            return  # only on the opponent's turn; as long as it is away, the site says so again
        lichess, game_id = self._around.lichess, game.full.id
        if mover.standing.can_win:
            self._errands.run("claim the win", lambda: lichess.claim_victory(game_id))
        else:
            self._errands.run("claim the draw", lambda: lichess.claim_draw(game_id))

    def _stream_ended(self, error: LichessError | None) -> None:
        match error:
            case Unauthorized():
                raise error
            case Refused():
                logger.info("game %s: no stream: %s", self.entry.game_id, error)
                self._fetch_export()
            case _:
                # told once for each spell of trouble, however long it lasts
                level = logging.DEBUG if self._trouble_told else logging.INFO
                logger.log(level, "game %s: stream ended: %s", self.entry.game_id, error or "in order")
                self._trouble_told = True

    def _fetch_export(self) -> None:
        def fetch() -> None:
            try:
                self._inbox.put(Exported(self._around.lichess.exported(self.entry.game_id)))
            except Refused as error:
                if error.status == NOT_FOUND:
                    self._inbox.put(Exported(None))
            except (LichessError, wire.MalformedMessage) as error:
                # the stream is tried again, and so is this
                logger.info("game %s: not exported: %s", self.entry.game_id, error)

        threading.Thread(target=fetch, name=f"export of {self.entry.game_id}", daemon=True).start()

    def _settle(self, exported: ExportedGame | None) -> None:
        if exported is not None and exported.status in ("created", "started"):
            raise StillRunning(self.entry.game_id)
        self._keep(record_of_export(self.entry, exported, self._around.now()))

    def _finish(self, game: FollowedGame, state: wire.GameState) -> None:
        outcome = game.game.outcome
        reason = None if outcome is None else outcome.reason.value
        record = record_of_state(self.entry, game.full, state, game.color.wire, reason, self._around.now())
        if self._talk is not None and record.counts:
            self._talk.take_leave()
        self._keep(record, game.full)

    def _keep(self, record: GameRecord, full: wire.GameFull | None = None) -> None:
        new = self._around.records.close_game(record)
        logger.info(
            "game %s: over, %s (%s)%s", record.game_id, record.result, record.reason or record.status,
            "" if new else "; it had a record already",
        )  # fmt: skip
        self._ending = Finished(record, full)
