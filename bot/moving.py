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
from bot.following import FollowedGame
from bot.search.thinker import Limits, StopFlag, Thought
from bot.sending import Delivered, Delivery, Forbidden, Rejected, deliver
from bot.surroundings import Mind, Surroundings
from bot.timing import Budget, RunningClock
from rules.game import Game
from rules.move import Move

logger = logging.getLogger(__name__)

REJECTIONS_MOST = 3
LIMITED_RETRY_LEAST_S = 0.1


class MoveRejected(Exception):
    """The server keeps rejecting a move that our rules hold legal."""


class Search:
    """A search under way, and the moves it is for."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.stop = StopFlag()


class OwnMove:
    """A move we have chosen, the moves it follows, and how far it has got."""

    def __init__(self, tag: str, uci: str, offering_draw: bool) -> None:
        self.tag = tag
        self.uci = uci
        self.offering_draw = offering_draw
        self.withdrawn = threading.Event()
        self.sending = False
        self.answered = False
        self.rejections = 0


@dataclass(frozen=True)
class Found:
    """A search has ended; None when it failed."""

    search: Search
    thought: Thought | None


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
        self, game: FollowedGame, surroundings: Surroundings, alarms: Alarms, report: Callable[[Found | Sent], None]
    ) -> None:
        self._game = game
        self._around = surroundings
        self._alarms = alarms
        self._report = report
        self._mind = self._new_mind()
        self._search: Search | None = None
        self._move: OwnMove | None = None
        self._overhead = timing.Overhead(surroundings.config.timing.overhead_ms)
        self._scores_cp: tuple[int, ...] = ()
        self._offered_at_ply: int | None = None

    @property
    def busy(self) -> bool:
        """Whether a move is being searched for, or is on its way."""
        return self._search is not None or (self._move is not None and not self._move.answered)

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
        )

    def moves_changed(self) -> None:
        """Drop what was for other moves than the present ones."""
        self._alarms.cancel(Alarm.HOLD, Alarm.SETTLE)
        if self._move is not None and self._move.tag != self._game.tag:
            self._move.withdrawn.set()
            self._move = None
        if self._search is not None and self._search.tag != self._game.tag:
            self._search.stop.set()

    def abandon(self) -> None:
        """Stop everything."""
        if self._move is not None:
            self._move.withdrawn.set()
        if self._search is not None:
            self._search.stop.set()

    def begin(self, told_at: float) -> None:
        """Search if a move of ours is awaited and none is under way; `told_at` is when the clock was told to us."""
        game = self._game
        if not game.our_turn or self._search is not None or self._move is not None:
            return
        if game.game.outcome is not None:
            # by our rules it is over, and the server's word on that is on its way
            self._alarms.set(Alarm.SETTLE, self._around.config.network.settle_s)
            return
        settings, waited_ms = self._around.config.timing, (self._around.clock() - told_at) * 1000
        budget = timing.budget(game.clock, waited_ms, self._overhead, settings)
        search = Search(game.tag)
        self._search = search
        arguments = (self._mind, search, game.lend(), self._limits(budget))
        name = f"search of {game.full.id}"
        threading.Thread(target=self._think, args=arguments, name=name, daemon=True).start()
        self._alarms.set(Alarm.OVERDUE, (budget.hard_ms + settings.overdue_ms) / 1000)

    def take_thought(self, found: Found, told_at: float) -> bool:
        """Choose the move that a search has found. True when the game should rather be resigned."""
        if found.search is not self._search:
            return False
        self._end_search()
        if found.search.tag != self._game.tag or not self._game.our_turn:
            self.begin(told_at)
            return False
        thought = found.thought
        if thought is None or not self._game.game.position.is_legal(thought.move):
            logger.error("game %s: no legal move from the search after %r", self._game.full.id, self._game.tag)
            self._play_any()
            return False
        self._scores_cp = (*self._scores_cp, thought.score_cp)
        logger.debug(
            "game %s: %s, %+d cp, depth %d, %d nodes, %d ms", self._game.full.id, self._game.write(thought.move),
            thought.score_cp, thought.depth, thought.nodes, thought.time_ms,
        )  # fmt: skip
        # before two plies, to resign is to abort
        resigning = self._game.plies >= 2 and conduct.resigns(self.standing, self._around.config.conduct.resign)
        if resigning:
            self._alarms.set(Alarm.HOLD, self._around.config.network.settle_s)
        self._choose(thought.move, offering_draw=self._offers_draw())
        return resigning

    def take_delivery(self, sent: Sent) -> None:
        """Learn what became of a move. Raises Unauthorized, and MoveRejected after several rejections."""
        move, delivery = sent.move, sent.delivery
        if isinstance(delivery, Forbidden):
            raise delivery.error
        if isinstance(delivery, Delivered):
            self._overhead = self._overhead.with_round_trip(delivery.round_trip_ms)
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
        """Send the move that was held back."""
        if self._move is not None and not self._move.sending and not self._move.answered:
            self._send(self._move)

    def give_up_search(self) -> None:
        """The search does not end: play some legal move, and think on with a new mind."""
        if self._search is None:
            return
        logger.error("game %s: the search is overdue after %r", self._game.full.id, self._game.tag)
        self._search.stop.set()
        self._end_search()
        self._mind = self._new_mind()
        if self._game.our_turn:
            self._play_any()

    def play_on(self) -> bool:
        """The server lets the game go on where our rules see an end. False when a move of ours was under way."""
        game = self._game
        if self._move is not None or self._search is not None or not game.our_turn or game.game.outcome is None:
            return False
        logger.warning("game %s: over by %s, yet the server goes on", game.full.id, game.game.outcome.reason)
        self._play_any()
        return True

    def _think(self, mind: Mind, search: Search, game: Game, limits: Limits) -> None:
        thought = None
        try:
            thought = mind.think(game, limits, search.stop)
        except Exception:  # a move is owed whatever happens; the session plays one
            logger.exception("game %s: the search failed", self._game.full.id)
        self._report(Found(search, thought))

    def _end_search(self) -> None:
        self._search = None
        self._game.give_back()
        self._alarms.cancel(Alarm.OVERDUE)

    def _limits(self, budget: Budget) -> Limits:
        caps = self._around.config.strength.limits_for(self._game.variant.key)
        hard_ms = min(budget.hard_ms, caps.time_ms or budget.hard_ms)
        # an only move needs no thought beyond a score
        only = len(self._game.game.position.legal_moves()) == 1
        return Limits(
            time_ms=hard_ms, soft_ms=min(budget.soft_ms, hard_ms), depth=1 if only else caps.depth, nodes=caps.nodes
        )

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
        self._move = OwnMove(self._game.tag, self._game.write(move), offering_draw)
        if Alarm.HOLD not in self._alarms:
            self._send(self._move)

    def _send(self, move: OwnMove) -> None:
        move.sending, move.answered = True, False
        network, clock = self._around.config.network, self._game.clock
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

    def _new_mind(self) -> Mind:
        return self._around.new_mind(self._around.config.strength.hash_mb_for(self._game.variant.key))
