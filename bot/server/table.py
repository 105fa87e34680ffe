"""One game between two players: commands in, events out. It knows no network, and no time but what it is told.

Commands raise `Refused`; what they caused, also before a refusal, is collected until `take_events` is called.
What players ask of each other is decided in `talks`, what absence costs in `absence`.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.server import absence, talks
from bot.server.clock import PLIES_BEFORE_START, CountdownClock, clock_for
from bot.server.errors import Refused
from bot.server.events import ChatEvent, Expiration, GoneEvent, Room, StateEvent, TableEvent
from bot.server.offers import DrawOffers, Takebacks
from bot.server.origin import Origin
from bot.server.presence import Presence
from bot.server.settings import ServerSettings
from bot.server.terms import PerTurn, Terms, castles_by_rook
from bot.server.verdict import STARTED, GameStatus, Verdict
from rules import draws, uci
from rules.errors import IllegalMove
from rules.game import Game
from rules.move import Color, Move
from rules.outcome import Reason

SYSTEM = "lichess"
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrqkNBRQK]?|[PNBRQpnbrq]@[a-h][1-8]")
_PLIES_WITHOUT_EARLY_DRAW = 60
# Decision of the parlour's: so much lag is given back at the change of turn.
_MOST_LAG_MS = 5_000


@dataclass(frozen=True, slots=True)
class Seat:
    """A player as the game shows it; `key` is the tail of this player's full game id.

    A machine has an `ai_level`, and neither a user id nor a rating.
    """

    user_id: str | None
    name: str
    title: str | None
    rating: int | None
    key: str
    ai_level: int | None = None
    provisional: bool = False


class Table:
    """A game with its clock, offers, chat and seats (White's first)."""

    def __init__(
        self,
        game_id: str,
        terms: Terms,
        seats: tuple[Seat, Seat],
        settings: ServerSettings,
        system_player: Callable[[Game], Move],
        now_ms: int,
        origin: Origin | None = None,
    ) -> None:
        self.id = game_id
        self.terms = terms
        self.seats = seats
        self.origin = origin or Origin()
        self.ai_color = next((color for color in Color if seats[color].ai_level is not None), None)
        self.rematch_id: str | None = None
        self.rating_changes: tuple[int, int] | None = None
        self.created_at_ms = self.changed_at_ms = self.moved_at_ms = now_ms
        with_bot = any(seat.title == "BOT" for seat in seats)
        self.policy = draws.for_game(terms.variant, with_bot, engine=terms.engine_draws)
        self.game = Game.start(terms.variant, self.policy, terms.start_fen)
        self.first = self.game.turn
        self.clock = clock_for(terms.time, self.first, now_ms)
        machines = frozenset() if self.ai_color is None else frozenset((self.ai_color,))
        self.presence = Presence(settings, terms.speed, now_ms, machines)
        self.verdict = STARTED
        self.chat: list[ChatEvent] = []
        self.automatic: set[Color] = set()
        self.berserk: set[Color] = set()
        self.looked_away: set[Color] = set()
        self.system_moves = [0, 0]
        self.draws = DrawOffers(_PLIES_WITHOUT_EARLY_DRAW if "noEarlyDraw" in terms.rules else 0)
        self.takebacks = Takebacks()
        self._written: list[str] = []
        self._rook_castling = castles_by_rook(terms.variant, settings.rook_castling)
        self._limit_plies = settings.game_limit_plies
        self._unbegun_ms = settings.unbegun_ms
        self._system_player = system_player
        self._events: list[TableEvent] = []

    def replay(self, moves: Iterable[str]) -> None:
        """Take the moves of a game of old as played.

        Raises: RulesError when these are not the moves of such a game.
        """
        for text in moves:
            self._written.append(text)
            self.game.play_uci(text)

    @property
    def plies(self) -> int:
        """Moves made so far, by both."""
        return len(self._written)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.verdict.over

    @property
    def abortable(self) -> bool:
        """Whether the game can still end as if it had not been: before both have moved, and not in an arena."""
        return not self.over and self.plies < PLIES_BEFORE_START and self.origin.tournament_id is None

    @property
    def has_player_chat(self) -> bool:
        """Whether the players can talk: not with a machine, nor in an arena."""
        return self.ai_color is None and self.origin.tournament_id is None

    def seat_of(self, user_id: str) -> Color | None:
        """The color that a user plays."""
        return next((color for color in Color if self.seats[color].user_id == user_id), None)

    def has_moved(self, color: Color) -> bool:
        """Whether `color` has made a move yet."""
        return self.plies > (0 if color is self.first else 1)

    def can_be_won_by(self, color: Color) -> bool:
        """Whether `color` wins when the opponent fails to play on: at the parlour always, else if its men could win."""
        return self.terms.parlour or self.game.can_win(color)

    def moves_by(self, color: Color) -> int:
        """How many moves `color` has made."""
        return (self.plies + (color is self.first)) // 2

    def moves(self) -> list[str]:
        """All moves as the wire writes them."""
        return list(self._written)

    def state(self, now_ms: int) -> StateEvent:
        """How things stand."""
        expires_ms = self._first_move_ms()
        return StateEvent(
            moves=" ".join(self._written),
            left_ms=(self.clock.left_ms(Color.WHITE, now_ms), self.clock.left_ms(Color.BLACK, now_ms)),
            increment_ms=self.clock.increment_ms,
            verdict=self.verdict,
            draw_offered=self.draws.flags,
            takeback_proposed=self.takebacks.flags,
            expiration=None if expires_ms is None else Expiration(now_ms - self.moved_at_ms, expires_ms),
            rematch_id=self.rematch_id,
            automatic=(Color.WHITE in self.automatic, Color.BLACK in self.automatic),
            looked_away=(Color.WHITE in self.looked_away, Color.BLACK in self.looked_away),
        )

    def take_events(self) -> list[TableEvent]:
        """What has happened since the last call."""
        events, self._events = self._events, []
        return events

    # Moves

    def play(self, color: Color, text: str, now_ms: int, *, offering_draw: bool = False, lag_ms: int = 0) -> None:
        """Make a move that took `lag_ms` to arrive; a draw offered with it comes first, and may end the game instead.

        Raises: Refused.
        """
        if not _UCI.fullmatch(text):
            raise Refused(f"Invalid UCI: {text}")
        if self.over or self.game.turn is not color:
            raise Refused("Not your turn, or game already over")
        self.presence.seen(color, now_ms)
        if offering_draw:
            talks.answer_draw(self, color, True, now_ms)
        if not self.over and self.plies >= self._limit_plies:
            self.finish(Verdict(GameStatus.DRAW, None, Reason.PLY_LIMIT), now_ms)
        if self.over:
            return
        try:
            move = uci.read(self.game.position, text)
        except IllegalMove:
            raise Refused(_why_illegal(text)) from None
        self.make(move, now_ms, lag_ms=lag_ms)

    def make(self, move: Move, now_ms: int, *, lag_ms: int = 0) -> None:
        """Make a legal move for the side to move."""
        color = self.game.turn
        self._written.append(uci.write(self.game.position, move, self._rook_castling))
        self.game.play(move)
        self.moved_at_ms = now_ms
        outcome = self.game.outcome
        # With a bot in the game the server claims a repetition for it: the move itself still leaves the game running.
        claimed = (
            outcome is not None and outcome.reason is Reason.REPETITION and self.policy is draws.LICHESS_WITH_BOT
        )
        lag_ms = min(lag_ms, _MOST_LAG_MS) if self.terms.parlour else 0
        self.clock.moved(color, now_ms, earns=outcome is None or claimed, lag_ms=lag_ms)
        self.looked_away.discard(color.other)
        if self.takebacks.open is color:
            self.takebacks.close()
        if outcome is None or claimed:
            self.tell_state(now_ms)
        if outcome is None:
            talks.refuse_by_moving(self, color, now_ms)
        else:
            self.finish(Verdict.of(outcome), now_ms)

    def take_back(self, plies: int, now_ms: int) -> None:
        """Unmake the last moves, and let every offer go."""
        for _ in range(plies):
            self.clock.rewind(self.game.turn, now_ms)
            self.game.take_back(1)
            self._written.pop()
        self.takebacks.close()
        self.draws.close()
        self.tell_state(now_ms)

    # Ends

    def abort(self, now_ms: int) -> None:
        """End the game without a result, before both have moved.

        Raises: Refused.
        """
        if not self.abortable or "noAbort" in self.terms.rules:
            raise Refused("This game can no longer be aborted")
        self.annul(now_ms)

    def annul(self, now_ms: int, reason: Reason = Reason.ABORTED) -> None:
        """End the game without a result, whatever has been played.

        Raises: Refused when it is over.
        """
        if self.over:
            raise Refused("This game can no longer be aborted")
        self.finish(Verdict(GameStatus.ABORTED, None, reason), now_ms)

    def resign(self, color: Color, now_ms: int) -> None:
        """Give the game up; before both have moved it is aborted instead.

        Raises: Refused.
        """
        if self.over:
            raise Refused("This game cannot be resigned")
        if self.abortable:
            self.annul(now_ms)
        else:
            self.finish(Verdict(GameStatus.RESIGN, color.other, Reason.RESIGNATION), now_ms)

    def finish(self, verdict: Verdict, now_ms: int) -> None:
        """End the game."""
        self.verdict = verdict
        self.clock.stop(now_ms)
        self.tell_state(now_ms)
        if verdict.status is GameStatus.ABORTED:
            # Lichess tells of an abort through two channels, so that readers hear of it twice.
            self.tell_state(now_ms)

    def note_rematch(self, game_id: str, now_ms: int) -> None:
        """The players of this finished game have begun another."""
        self.rematch_id = game_id
        self._events.append(self.state(now_ms))

    # Clocks

    def give_time(self, color: Color, time_ms: int, now_ms: int) -> None:
        """Let `color` have more time.

        Raises: Refused where there is none to give.
        """
        if self.over or not isinstance(self.clock, CountdownClock) or self.origin.tournament_id is not None:
            raise Refused("This game doesn't allow giving time")
        if "noGiveTime" in self.terms.rules or self.ai_color is not None:
            raise Refused("This game doesn't allow giving time")
        self.clock.jump(color, time_ms)
        self.tell_state(now_ms)

    def start_clock(self, now_ms: int) -> None:
        """Let the clock run though not both have moved; a clock that runs goes on."""
        if not self.over and isinstance(self.clock, CountdownClock):
            self.clock.start(now_ms)

    def go_berserk(self, color: Color) -> None:
        """Play an arena game with half the time; the opponent sees it by the times of the next state only.

        Raises: Refused.
        """
        possible = self.origin.berserkable and not self.over and not self.has_moved(color)
        if not possible or color in self.berserk or not isinstance(self.clock, CountdownClock):
            raise Refused("Cannot berserk")
        self.berserk.add(color)
        self.clock.berserk(color)

    # Presence and talk

    def say(self, username: str, room: Room, text: str) -> None:
        """A line of chat; where players cannot talk, nobody hears it."""
        if room is Room.SPECTATOR or self.has_player_chat:
            line = ChatEvent(room, username, text)
            self.chat.append(line)
            self._events.append(line)

    def act(self, color: Color, now_ms: int) -> None:
        """`color` does something by itself: the system moves for it no longer."""
        if color in self.automatic:
            self.automatic.discard(color)
            if not self.over:
                self.tell_state(now_ms)

    def arrive(self, color: Color) -> None:
        """A player opens a stream of the game."""
        if self.presence.arrive(color):
            self._events.append(GoneEvent(color, gone=False))

    def leave(self, color: Color, now_ms: int) -> None:
        """A player's stream is closed."""
        self.presence.leave(color, now_ms)

    def tick(self, now_ms: int) -> None:
        """Do what time alone brings about: a fallen flag, a move by the system, news of an absent player."""
        if self.over:
            return
        expires_ms, flag_at_ms, annul_at_ms = self._first_move_ms(), self.clock.flag_at_ms(), self._annul_at_ms()
        if expires_ms is not None and now_ms >= self.moved_at_ms + expires_ms:
            self.finish(Verdict(GameStatus.NO_START, self.game.turn.other, Reason.NO_START), now_ms)
        elif flag_at_ms is not None and now_ms >= flag_at_ms:
            self._flag(now_ms)
        elif annul_at_ms is not None and now_ms >= annul_at_ms:
            self.annul(now_ms)
        self._events += absence.tell(self, now_ms)

    def next_tick_ms(self) -> int | None:
        """When `tick` has something to do, None when nothing is in sight."""
        if self.over:
            return None
        expires_ms = self._first_move_ms()
        expires_at_ms = None if expires_ms is None else self.moved_at_ms + expires_ms
        due_ms = (self.clock.flag_at_ms(), absence.next_notice_ms(self), expires_at_ms, self._annul_at_ms())
        return min((each for each in due_ms if each is not None), default=None)

    def _first_move_ms(self) -> int | None:
        """How long the side to move has for its first move, where that is limited."""
        if self.over or self.plies >= PLIES_BEFORE_START or self.origin.tournament_id is None:
            return None
        return self.terms.first_move_ms

    def _annul_at_ms(self) -> int | None:
        """When a game that nobody begins counts as abandoned, where the settings say so."""
        since_ms = self.presence.absent_since_ms(self.game.turn)
        if self._unbegun_ms is None or since_ms is None or not self.abortable or not self.terms.live:
            return None
        return since_ms + self._unbegun_ms

    def _flag(self, now_ms: int) -> None:
        color = self.game.turn
        if isinstance(self.terms.time, PerTurn):
            self._play_for(color, now_ms)
        elif self.draws.open is color.other and not self.terms.parlour:
            self.finish(Verdict(GameStatus.DRAW, None, Reason.AGREEMENT), now_ms)
        else:
            winner = color.other if self.can_be_won_by(color.other) else None
            self.finish(Verdict(GameStatus.OUT_OF_TIME, winner, Reason.FLAG), now_ms)

    def _play_for(self, color: Color, now_ms: int) -> None:
        """Parlour's rule: the system moves for a player whose turn is over, and the game goes on."""
        move = self._system_player(self.game)
        written = uci.write(self.game.position, move, self._rook_castling)
        self.automatic.add(color)
        self.system_moves[color] += 1
        self.say_system(f"{color.wire.capitalize()} ran out of time; the system plays {written}")
        self.make(move, now_ms)

    def tell_state(self, now_ms: int) -> None:
        """Let the readers see how things stand."""
        self.changed_at_ms = now_ms
        self._events.append(self.state(now_ms))

    def say_system(self, text: str) -> None:
        """Let the players read what has happened."""
        self.say(SYSTEM, Room.PLAYER, text)


def _why_illegal(text: str) -> str:
    if "@" in text:
        return f"Cannot drop {text[0].upper()} on {text[2:4]}"
    return f"Piece on {text[:2]} cannot move to {text[2:4]}"
