"""A game as its stream tells it, kept in our own rules."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.timing import DayClock, GameClock, NoClock, RunningClock, TurnClock
from bot.wire import GameFull, GameState, Player
from rules import draws, uci, variants
from rules.game import Game
from rules.move import Color, Move

logger = logging.getLogger(__name__)


class NotOurGame(ValueError):
    """Neither side of the game is our account."""


@dataclass(frozen=True)
class Change:
    """What a state has brought: other moves than before, or an offer that was not there before."""

    moved: bool
    draw_offered: bool
    takeback_asked: bool


class FollowedGame:
    """One game of ours, rebuilt from the whole list of moves whenever that is not the old one continued.

    Raises RulesError for a game, a position or a move that our rules do not have: nothing is skipped.
    """

    def __init__(self, full: GameFull, account_id: str) -> None:
        self.full = full
        self.variant = variants.by_key(full.variant.key)
        self.color = _color_of(full, account_id)
        self._policy = draws.for_game(self.variant, with_bot=True, engine=full.draw_policy == "engine")
        self._moves: tuple[str, ...] = ()
        self._game = Game.start(self.variant, self._policy, full.fen)
        self._first = self._game.turn
        self._lent = False
        self._state = full.state
        self._draw_flag = False
        self._takeback_flag = False
        self.draw_pending = False

    def update(self, state: GameState) -> Change:
        """Take in a state, whatever it has to do with the one before."""
        moves = state.move_list
        moved = moves != self._moves
        if moved:
            self._follow(moves)
        self._state = state
        white = self.color is Color.WHITE
        draw, takeback = (state.bdraw, state.btakeback) if white else (state.wdraw, state.wtakeback)
        change = Change(moved, draw and not self._draw_flag, takeback and not self._takeback_flag)
        self._draw_flag, self._takeback_flag = draw, takeback
        # an offer counts from when it appears until we have moved; its flag may stay on longer
        if change.draw_offered:
            self.draw_pending = True
        elif not draw or (moved and not self.our_turn):
            self.draw_pending = False
        return change

    @property
    def state(self) -> GameState:
        """The last state."""
        return self._state

    @property
    def tag(self) -> str:
        """The moves as one text: what a search was for."""
        return " ".join(self._moves)

    @property
    def plies(self) -> int:
        """How many moves were made by both sides."""
        return len(self._moves)

    @property
    def own_moves(self) -> int:
        """How many moves were made by us."""
        return (self.plies + (self._first is self.color)) // 2

    @property
    def game(self) -> Game:
        """The game; when the server plays on where our rules see an end, without the moves before that."""
        return self._game

    @property
    def our_turn(self) -> bool:
        """Whether a move of ours is awaited."""
        return self._state.status == "started" and self._game.turn is self.color

    @property
    def mode(self) -> str:
        """As the configuration calls it: casual or rated."""
        return "rated" if self.full.rated else "casual"

    @property
    def opponent(self) -> Player:
        """The other player."""
        return self.full.black if self.color is Color.WHITE else self.full.white

    @property
    def clock(self) -> GameClock:
        """Our clock, as the last state tells it."""
        left_ms = self._state.wtime if self.color is Color.WHITE else self._state.btime
        if self.full.seconds_per_turn is not None:
            return TurnClock(left_ms)
        if self.full.clock is not None:
            increment_ms = self._state.winc if self.color is Color.WHITE else self._state.binc
            expiration = self._state.expiration
            within_ms = None if expiration is None else expiration.millis_to_move - expiration.idle_millis
            return RunningClock(left_ms, increment_ms, self.own_moves, within_ms)
        return NoClock() if self.full.days_per_turn is None else DayClock(left_ms)

    def lend(self) -> Game:
        """The game for a search in another thread: until `give_back` it is not changed, but replaced."""
        self._lent = True
        return self._game

    def give_back(self) -> None:
        """The search is over."""
        self._lent = False

    def write(self, move: Move) -> str:
        """A move as the server wants it."""
        return uci.write(self._game.position, move, self.variant.chess960)

    def _follow(self, moves: tuple[str, ...]) -> None:
        known = len(self._moves)
        if moves[:known] == self._moves and not self._lent:
            self._play(moves[known:])
        else:
            self._lent = False
            self._game = Game.start(self.variant, self._policy, self.full.fen)
            self._play(moves)
        self._moves = moves

    def _play(self, moves: Sequence[str]) -> None:
        for text in moves:
            if self._game.outcome is None:
                self._game.play_uci(text)
                continue
            # the server's word counts; only a move that cannot be made is an error
            logger.warning("game %s: played on after %s", self.full.id, self._game.outcome.reason)
            position = self._game.position
            self._game = Game(position.play(uci.read(position, text)), self._policy)


def _color_of(full: GameFull, account_id: str) -> Color:
    ours = account_id.lower()
    for color, player in ((Color.WHITE, full.white), (Color.BLACK, full.black)):
        if player.id is not None and player.id.lower() == ours:
            return color
    raise NotOurGame(f"game {full.id} is not played by {account_id}")
