"""What happens in the thread of a search: the sources are asked, a lost line is left, or the mind thinks."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from bot import variety
from bot.config import SearchLimits
from bot.minds import Mind
from bot.pondering import Pondering, continued
from bot.records.database import RecordsError
from bot.search.thinker import Limits, StopFlag
from bot.sources.consultation import Consultation
from bot.sources.source import Interrupt, Question, Setting
from bot.surroundings import Surroundings
from bot.timing import Budget, DayClock, GameClock, NoClock
from bot.variety import LostLines
from rules.game import Game
from rules.move import Move

logger = logging.getLogger(__name__)

SOURCES_SHARE: Final = 0.6
LOOK_SHARE: Final = 0.5
# of the time that the move was given: a search has that much, whatever the sources took, as far as the clock bears it
SEARCH_SHARE: Final = 0.25
LOOK_NODES: Final = 4000
LOST_GAMES_MOST: Final = 300
DECIDED_CP: Final = 10_000
# games whose clock counts days leave the processor to those that are in a hurry
PATIENT_NICENESS: Final = 10


@dataclass(frozen=True)
class Choice:
    """A move, how it was found, and how we stand with it if that is known; `certain` when a table says so.

    `reply` is what the opponent is expected to play.
    """

    move: Move
    how: str
    score_cp: int | None = None
    certain: bool = False
    reply: Move | None = None


class Search:
    """A search under way, and the moves it is for."""

    def __init__(self, tag: str, clock: GameClock, budget: Budget, began: float) -> None:
        self.tag = tag
        self.clock = clock
        self.budget = budget
        self.began = began
        self.stop = StopFlag()
        self.over = Interrupt()
        self.over.call(self.stop.set)

    def drop(self) -> None:
        """Its result is not wanted any more."""
        self.over.set()


class Thinking:
    """Finds the moves of one game, one at a time, each in a thread of its own that tells `report` what it has found."""

    def __init__(self, setting: Setting, initial_fen: str | None, surroundings: Surroundings) -> None:
        self._setting = setting
        self._initial_fen = initial_fen
        self._around = surroundings
        self._wanted_mb = surroundings.config.strength.hash_mb_for(setting.variant.key)
        self._lock = threading.Lock()
        self._running = 0
        self._left = False
        self._pondering: Pondering | None = None
        self._mind, self._mind_mb = surroundings.minds.take(self._wanted_mb)
        self._consultation: Consultation = surroundings.sources.consult(setting)
        self._lines: LostLines | None = None
        self._chance = Random(setting.game_id)
        self.limits: SearchLimits = surroundings.config.strength.limits_for(setting.variant.key)
        surroundings.cores.enter(self)

    def start(self, search: Search, game: Game, report: Callable[[Search, Choice | None], None]) -> None:
        """Begin; `game` is not changed until the report."""
        with self._lock:
            self._running += 1
            mind = self._mind
            pondering, self._pondering = self._pondering, None
        if pondering is not None:
            search.over.call(pondering.drop)
        arguments = (mind, search, game, pondering, report)
        name = f"search of {self._setting.game_id}"
        threading.Thread(target=self._run, args=arguments, name=name, daemon=True).start()

    def ponder(self, game: Game, reply: Move) -> bool:
        """Think on the opponent's time about what comes after the reply; False when there is no core for it."""
        expected = None if game.outcome is not None else continued(game, reply)
        if expected is None or expected.outcome is not None:
            return False
        cores, caps = self._around.cores, self.limits
        threads = cores.threads(self._around.config.strength.threads)
        limits = Limits(time_ms=caps.time_ms, depth=caps.depth, nodes=caps.nodes, threads=threads)
        pondering = Pondering(expected, limits, self._around.clock)
        self.come_to(None)
        if not cores.ponder(self, pondering.cease):
            return False
        with self._lock:
            self._pondering = pondering
            self._running += 1
            mind = self._mind
        name = f"pondering of {self._setting.game_id}"
        threading.Thread(target=self._ponder, args=(mind, pondering), name=name, daemon=True).start()
        return True

    def come_to(self, game: Game | None) -> None:
        """Stop pondering, unless it is about what the game has come to."""
        with self._lock:
            pondering = self._pondering
        if pondering is not None and (game is None or not pondering.is_about(game)):
            pondering.cease()

    def renew(self) -> None:
        """Think on with a new mind: the old one does not come back."""
        self.come_to(None)
        with self._lock:
            self._pondering = None
            # what still runs has the old one, and must not give it to others
            self._mind, self._mind_mb = self._around.minds.take(self._wanted_mb)
            self._running = 0

    def leave(self) -> None:
        """The game is over; what is still running has been dropped."""
        self.come_to(None)
        self._around.cores.leave(self)
        self._consultation.close()
        with self._lock:
            self._left = True
            idle = self._running == 0
        if idle:
            self._around.minds.give_back(self._mind, self._mind_mb)

    def _run(
        self,
        mind: Mind,
        search: Search,
        game: Game,
        pondering: Pondering | None,
        report: Callable[[Search, Choice | None], None],
    ) -> None:
        choice = None
        try:
            if isinstance(search.clock, NoClock | DayClock):
                _give_way()
            choice = self._choose(mind, search, game, pondering)
        except Exception:  # a move is owed whatever happens; the session plays one
            logger.exception("game %s: the search failed", self._setting.game_id)
        self._done(mind)
        report(search, choice)

    def _ponder(self, mind: Mind, pondering: Pondering) -> None:
        pondering.run(mind)
        self._done(mind)

    def _done(self, mind: Mind) -> None:
        """A thread does not need the mind any more."""
        with self._lock:
            mine = mind is self._mind
            self._running -= mine
            last = mine and self._left and self._running == 0
        if last:
            self._around.minds.give_back(mind, self._mind_mb)

    def _choose(self, mind: Mind, search: Search, game: Game, pondering: Pondering | None) -> Choice:
        if pondering is not None and not pondering.is_about(game):
            pondering.give_way()
            pondering = None
        moves = game.position.legal_moves()
        if len(moves) > 1:
            choice = self._asked(search, game) or self._varied(mind, search, game, moves)
            if choice is not None:
                if pondering is not None:
                    pondering.drop()
                return choice
        limits = self._limits(search)
        thought = None if pondering is None else pondering.finish(limits, only_move=len(moves) == 1)
        if thought is None:
            thought, pondering = mind.think(game, limits, search.stop), None
        how = f"depth {thought.depth}, {thought.nodes} nodes, {thought.time_ms} ms"
        if pondering is not None:
            how += f", {pondering.ahead_ms} of them before the opponent's move"
        return Choice(thought.move, how, thought.score_cp, reply=thought.ponder)

    def _asked(self, search: Search, game: Game) -> Choice | None:
        """A move that a source knows."""
        if not self._consultation:
            return None
        within_ms = search.budget.hard_ms * SOURCES_SHARE
        think_ms = min(search.budget.soft_ms, self.limits.time_ms or search.budget.soft_ms)
        positions, played = tuple(game.positions), tuple(game.moves)
        question = Question(self._setting, positions, played, search.clock, within_ms, think_ms, search.over)
        advice = self._consultation.ask(question)
        if advice is None:
            return None
        return Choice(advice.move, f"source {advice.source}", advice.score_cp, advice.certain)

    def _varied(self, mind: Mind, search: Search, game: Game, moves: list[Move]) -> Choice | None:
        """A move other than the one of lost games, or of all games."""
        settings, plies = self._around.config.conduct.variety, len(game.moves)
        if plies >= max(settings.by_ply, settings.opening_plies):
            return None
        lines = self._lost_lines(game) if settings.lost_lines else None
        aim = variety.aim_of(settings, lines, game.position, plies, self._chance)
        if aim is None:
            return None
        until = search.began + search.budget.soft_ms * LOOK_SHARE / 1000
        each_ms = max(1, int((until - self._around.clock()) * 1000 / len(moves)))
        nodes = min(LOOK_NODES, self.limits.nodes or LOOK_NODES)
        limits = Limits(time_ms=each_ms, nodes=nodes, depth=self.limits.depth)
        scores: dict[Move, int] = {}

        def score_cp(move: Move) -> int | None:
            if search.over.is_set or self._around.clock() > until:
                return None
            after = Game(game.position.play(move), game.policy)
            if after.outcome is not None:
                scores[move] = _won_cp(after)
            else:
                scores[move] = -mind.think(after, limits, search.stop).score_cp
            return scores[move]

        move = variety.other_move(aim, moves, score_cp, self._chance)
        return None if move is None else Choice(move, "for variety", scores[move])

    def _lost_lines(self, game: Game) -> LostLines:
        if self._lines is None:
            setting, around = self._setting, self._around
            try:
                games = around.records.lost_games(
                    around.account_id, setting.variant.key, setting.color.wire, self._initial_fen, LOST_GAMES_MOST
                )
            except RecordsError as error:  # it is for others to stop because of it
                logger.warning("game %s: lost games are not known: %s", setting.game_id, error)
                games = []
            by_ply = around.config.conduct.variety.by_ply
            self._lines = LostLines(game.initial, setting.color, [moves.split() for moves in games], by_ply)
        return self._lines

    def _limits(self, search: Search) -> Limits:
        """What is left of the budget, within what the strength allows."""
        spent_ms = (self._around.clock() - search.began) * 1000
        hard_ms = max(1, int(min(search.budget.hard_ms - spent_ms, self.limits.time_ms or search.budget.hard_ms)))
        left_ms = max(search.budget.soft_ms - spent_ms, search.budget.soft_ms * SEARCH_SHARE)
        soft_ms = max(1, int(min(left_ms, hard_ms)))
        return Limits(
            time_ms=hard_ms,
            soft_ms=soft_ms,
            depth=self.limits.depth,
            nodes=self.limits.nodes,
            threads=self._around.cores.threads(self._around.config.strength.threads),
        )


def _won_cp(game: Game) -> int:
    """The score of a game that our move has ended."""
    outcome = game.outcome
    if outcome is None or outcome.winner is None:
        return 0
    return DECIDED_CP if outcome.winner is not game.turn else -DECIDED_CP


def _give_way() -> None:
    if sys.platform == "linux":
        # there, the niceness is each thread's own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), PATIENT_NICENESS)
