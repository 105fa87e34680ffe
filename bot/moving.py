"""Our moves in one game: the search for each, and its way to the server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from bot import conduct, timing
from bot.alarms import Alarm, Alarms
from bot.backoff import Backoff
from bot.conduct import Standing
from bot.config import SearchLimits
from bot.following import FollowedGame
from bot.sending import Delivered, Delivery, Forbidden, Rejected, deliver
from bot.sources.source import Setting
from bot.surroundings import Surroundings
from bot.thinking import Choice, Search, Thinking
from bot.timing import RunningClock, TurnClock
from rules.move import Move

logger = logging.getLogger(__name__)

REJECTIONS_MOST = 3
LIMITED_RETRY_LEAST_S = 0.1


class MoveRejected(Exception):
    """The server keeps rejecting a move that our rules hold legal."""


class OwnMove:
    """A move we have chosen, the moves it follows, and how far it has got.

    `sent` is our clock when it was first sent, and the milliseconds that we had used by then.
    """

    def __init__(self, tag: str, uci: str, offering_draw: bool, plies: int) -> None:
        self.tag = tag
        self.uci = uci
        self.offering_draw = offering_draw
        self.plies = plies
        self.sent: tuple[RunningClock, float] | None = None
        self.withdrawn = threading.Event()
        self.sending = False
        self.answered = False
        self.rejections = 0


@dataclass(frozen=True)
class Found:
    """A search has ended, at a time of our clock; None when it failed."""

    search: Search
    choice: Choice | None
    at: float


@dataclass(frozen=True)
class Sent:
    """What became of a move on its way."""

    move: OwnMove
    delivery: Delivery


class MoveMaker:
    """Thinks and moves whenever it is our turn, once for each list of moves.

    Used by the session's thread alone; searches and requests run in threads of their own and `report` to it.
    """

    def __init__(
        self,
        game: FollowedGame,
        rules: frozenset[str],
        surroundings: Surroundings,
        alarms: Alarms,
        report: Callable[[Found | Sent], None],
    ) -> None:
        self._game = game
        self._rules = rules
        self._around = surroundings
        self._alarms = alarms
        self._report = report
        setting = Setting(game.full.id, game.variant, game.color, game.full.speed, game.full.rated)
        self._thinking = Thinking(setting, game.full.fen, surroundings)
        self._told_at = 0.0
        self._grace_s = 0.0
        self._search: Search | None = None
        self._move: OwnMove | None = None
        self._overhead = timing.Overhead(surroundings.config.timing.overhead_ms)
        self._news_s = 0.0
        self._scores_cp: tuple[int, ...] = ()
        self._certain = False
        self._offered_at_ply: int | None = None
        # the moves after which a reply of the opponent is expected, and that reply
        self._expected: tuple[tuple[Move, ...], Move] | None = None

    @property
    def busy(self) -> bool:
        """Whether a move is being searched for, or is on its way."""
        return self._search is not None or (self._move is not None and not self._move.answered)

    @property
    def last_score_cp(self) -> int | None:
        """What we last thought of the game."""
        return self._scores_cp[-1] if self._scores_cp else None

    @property
    def standing(self) -> Standing:
        """How the game stands for us."""
        game, ply = self._game.game, self._game.plies
        since_offer = None if self._offered_at_ply is None else ply - self._offered_at_ply
        return Standing(
            scores_cp=self._scores_cp,
            move_number=game.position.fullmove,
            can_win=game.can_win(self._game.color),
            opponent_can_win=game.can_win(self._game.color.other),
            plies_since_offer=since_offer,
            plies=ply,
            men=len(game.position.pieces()),
            opponent_rating=self._game.opponent.rating,
            certain=self._certain,
            rules=self._rules,
        )

    def set_level(self, level: SearchLimits) -> None:
        """Think within these limits as well from the next move on."""
        usual = self._around.config.strength.limits_for(self._game.variant.key)
        self._thinking.limits = usual.model_copy(update=level.model_dump(exclude_none=True))
        # what was found by other limits does not count
        self._thinking.come_to(None)

    def moves_changed(self) -> None:
        """Drop what was for other moves than the present ones."""
        self._alarms.cancel(Alarm.HOLD, Alarm.SETTLE, Alarm.PACE)
        if self._move is not None and self._move.tag != self._game.tag:
            self._learn_cost(self._move)
            self._move.withdrawn.set()
            self._move = None
        if self._search is not None and self._search.tag != self._game.tag:
            self._search.drop()
        self._thinking.come_to(self._game.game)

    def abandon(self) -> None:
        """Stop everything."""
        if self._move is not None:
            self._move.withdrawn.set()
        if self._search is not None:
            self._search.drop()
        self._thinking.leave()

    def begin(self, told_at: float) -> None:
        """Search if a move of ours is awaited and none is under way; `told_at` is when the clock was told to us."""
        game = self._game
        if not game.our_turn:
            self._ponder()
            return
        if self._search is not None or self._move is not None:
            return
        if game.game.outcome is not None:
            # by our rules it is over, and the server's word on that is on its way
            self._alarms.set(Alarm.SETTLE, self._around.config.network.settle_s)
            return
        self._told_at = told_at
        settings, now = self._around.config.timing, self._around.clock()
        waited_ms = (now - told_at) * 1000
        budget = timing.budget(game.clock, waited_ms, self._overhead, settings)
        patience_ms = timing.patience_ms(game.clock, waited_ms, budget.hard_ms, self._overhead, settings)
        self._search = Search(game.tag, game.clock, budget, now)
        self._news_s = now - told_at
        clock, report = self._around.clock, self._report
        self._thinking.start(self._search, game.lend(), lambda search, choice: report(Found(search, choice, clock())))
        self._grace_s = patience_ms / 2000
        self._alarms.set(Alarm.OVERDUE, budget.hard_ms / 1000 + self._grace_s)

    def take_choice(self, found: Found, told_at: float) -> bool:
        """Play the move that a search has found. True when the game should rather be resigned."""
        search, choice = found.search, found.choice
        if search is not self._search:
            return False
        self._told_at = told_at
        self._end_search()
        if search.tag != self._game.tag or not self._game.our_turn:
            self.begin(told_at)
            return False
        if choice is None or not self._game.game.position.is_legal(choice.move):
            logger.error("game %s: no legal move from the search after %r", self._game.full.id, self._game.tag)
            self._play_any()
            return False
        if choice.score_cp is not None:
            self._scores_cp, self._certain = (*self._scores_cp, choice.score_cp), choice.certain
        score = "" if choice.score_cp is None else f"{choice.score_cp:+d} cp, "
        logger.debug("game %s: %s, %s%s", self._game.full.id, self._game.write(choice.move), score, choice.how)
        # before two plies, to resign is to abort
        resigning = self._game.plies >= 2 and conduct.resigns(self.standing, self._around.config.conduct.resign)
        if resigning:
            self._alarms.set(Alarm.HOLD, self._around.config.network.settle_s)
        around = self._around
        around.meters.moved(around.account_id, self._news_s + around.clock() - found.at)
        self._pause(search)
        self._choose(choice.move, offering_draw=self._offers_draw())
        self._expected = None if choice.reply is None else ((*self._game.game.moves, choice.move), choice.reply)
        return resigning

    def take_delivery(self, sent: Sent) -> None:
        """Learn what became of a move. Raises Unauthorized, and MoveRejected after several rejections."""
        move, delivery = sent.move, sent.delivery
        if isinstance(delivery, Forbidden):
            raise delivery.error
        if isinstance(delivery, Delivered) and move.sent is None:
            # while the clock stands, the round trip is all there is to go by
            self._overhead = self._overhead.with_cost(delivery.round_trip_ms)
        if move is not self._move:
            return
        move.sending = False
        move.answered = True
        if isinstance(delivery, Rejected):
            # perhaps an earlier try was played and its answer lost: only the stream can tell
            move.rejections += 1
            logger.info("game %s: %s was rejected: %s", self._game.full.id, move.uci, delivery.text)
            if move.rejections >= REJECTIONS_MOST:
                raise MoveRejected(f"{move.uci} after {move.tag!r}: {delivery.text}")
        self._alarms.set(Alarm.SETTLE, self._around.config.network.settle_s)

    def insist(self) -> None:
        """A new stream shows that an answered move was not played: send it again."""
        if self._move is not None and self._move.answered:
            self._send(self._move)

    def hold(self) -> None:
        """Send no move for the time that a granted takeback needs."""
        self._alarms.set(Alarm.HOLD, self._around.config.network.settle_s)

    def release(self) -> None:
        """Send the move that was held back, unless there is another reason to."""
        held = Alarm.HOLD in self._alarms or Alarm.PACE in self._alarms
        if self._move is not None and not held and not self._move.sending and not self._move.answered:
            self._send(self._move)

    def give_up_search(self) -> None:
        """The search does not end: stop it, and if that does not help play some legal move without it."""
        if self._search is None:
            return
        if not self._search.over.is_set:
            # what it has found so far is better than any other move
            self._search.drop()
            self._alarms.set(Alarm.OVERDUE, self._grace_s)
            return
        logger.error("game %s: the search is overdue after %r", self._game.full.id, self._game.tag)
        self._end_search()
        if self._game.our_turn:
            self._play_any()
        self._thinking.renew()

    def play_on(self) -> bool:
        """The server lets the game go on where our rules see an end. False when a move of ours was under way."""
        game = self._game
        if self._move is not None or self._search is not None or not game.our_turn or game.game.outcome is None:
            return False
        logger.warning("game %s: over by %s, yet the server goes on", game.full.id, game.game.outcome.reason)
        self._play_any()
        return True

    def _ponder(self) -> None:
        """On the opponent's turn, while the clock runs, think about what comes after the expected reply."""
        expected, self._expected = self._expected, None
        if expected is None or not self._around.config.strength.ponder:
            return
        game, (moves, reply) = self._game, expected
        # where the clock counts days, or nothing, there is no hurry
        if isinstance(game.clock, RunningClock | TurnClock) and tuple(game.game.moves) == moves:
            text = game.write(reply)
            if self._thinking.ponder(game.game, reply):
                logger.debug("game %s: ponders on %s", game.full.id, text)

    def _end_search(self) -> None:
        self._search = None
        self._game.give_back()
        self._alarms.cancel(Alarm.OVERDUE)

    def _offers_draw(self) -> bool:
        settings, standing = self._around.config.conduct.draws, self.standing
        if self._game.draw_pending:
            # with an offer on the table, to offer is to accept
            return conduct.accepts_draw(standing, settings)
        return conduct.offers_draw(standing, settings)

    def _play_any(self) -> None:
        moves = self._game.game.position.legal_moves()
        if moves:
            self._choose(moves[0], offering_draw=False)

    def _choose(self, move: Move, *, offering_draw: bool) -> None:
        if offering_draw:
            self._offered_at_ply = self._game.plies
        self._move = OwnMove(self._game.tag, self._game.write(move), offering_draw, self._game.plies)
        self.release()

    def _send(self, move: OwnMove) -> None:
        move.sending, move.answered = True, False
        network, clock, now = self._around.config.network, self._game.clock, self._around.clock()
        if move.sent is None and isinstance(clock, RunningClock) and clock.own_moves:
            move.sent = clock, (now - self._told_at) * 1000
        limited_retry_s = network.move_limited_retry_s
        if isinstance(clock, RunningClock):
            limited_retry_s = min(limited_retry_s, max(LIMITED_RETRY_LEAST_S, clock.left_ms / 3000))
        game_id = self._game.full.id

        def run() -> None:
            delivery = deliver(
                lambda: self._around.lichess.move(game_id, move.uci, offering_draw=move.offering_draw),
                move.withdrawn,
                pauses=Backoff(network.move_retry_first_s, network.move_retry_most_s, self._around.chance),
                limited_retry_s=limited_retry_s,
                clock=self._around.clock,
            )
            self._report(Sent(move, delivery))

        threading.Thread(target=run, name=f"move of {game_id}", daemon=True).start()

    def _pause(self, search: Search) -> None:
        """Wait with a move that was found sooner than is wished."""
        thought_ms = (self._around.clock() - self._told_at) * 1000
        settings, chance = self._around.config.timing, self._around.chance.random()
        pause_ms = timing.pause_ms(search.clock, search.budget, thought_ms, chance, settings)
        if pause_ms > 0:
            self._alarms.set(Alarm.PACE, pause_ms / 1000)

    def _learn_cost(self, move: OwnMove) -> None:
        """A move of ours was played, or taken back: see what the clock was charged for it."""
        game = self._game
        played = game.plies > move.plies and game.tag.startswith(f"{move.tag} ".lstrip())
        if move.sent is None or not played or not isinstance(game.clock, RunningClock):
            return
        before, used_ms = move.sent
        cost_ms = timing.charged_ms(before, game.clock, used_ms)
        if cost_ms is not None:
            logger.debug("game %s: the move has cost %d ms beside thinking", game.full.id, cost_ms)
            self._overhead = self._overhead.with_cost(cost_ms)
