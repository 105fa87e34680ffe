"""One game between two players: commands in, events out. It knows no network, and no time but what it is told.

Commands raise `Refused`; what they caused, also before a refusal, is collected until `take_events` is called.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.server.clock import PLIES_BEFORE_START, clock_for
from bot.server.errors import Refused
from bot.server.events import ChatEvent, GoneEvent, Room, StateEvent, TableEvent
from bot.server.offers import DrawOffers, Takebacks
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
_OCCURRENCES_TO_CLAIM = 3
_PLIES_WITHOUT_EARLY_DRAW = 60


@dataclass(frozen=True, slots=True)
class Seat:
    """A player as the game shows it; `key` is the tail of this player's full game id."""

    user_id: str
    name: str
    title: str | None
    rating: int
    key: str


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
    ) -> None:
        self.id = game_id
        self.terms = terms
        self.seats = seats
        self.created_at_ms = self.changed_at_ms = now_ms
        with_bot = any(seat.title == "BOT" for seat in seats)
        self.policy = draws.for_game(terms.variant, with_bot, engine=terms.engine_draws)
        self.game = Game.start(terms.variant, self.policy, terms.start_fen)
        self.first = self.game.turn
        self.clock = clock_for(terms.time, self.first, now_ms)
        self.presence = Presence(settings, terms.speed, now_ms)
        self.verdict = STARTED
        self.chat: list[ChatEvent] = []
        self.automatic: set[Color] = set()
        self.system_moves = [0, 0]
        self._draws = DrawOffers(_PLIES_WITHOUT_EARLY_DRAW if "noEarlyDraw" in terms.rules else 0)
        self._takebacks = Takebacks()
        self._written: list[str] = []
        self._rook_castling = castles_by_rook(terms.variant, settings.rook_castling)
        self._limit_plies = settings.game_limit_plies
        self._system_player = system_player
        self._events: list[TableEvent] = []

    @property
    def plies(self) -> int:
        """Moves made so far, by both."""
        return len(self._written)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.verdict.over

    def seat_of(self, user_id: str) -> Color | None:
        """The color that a user plays."""
        return next((color for color in Color if self.seats[color].user_id == user_id), None)

    def has_moved(self, color: Color) -> bool:
        """Whether `color` has made a move yet."""
        return self.plies > (0 if color is self.first else 1)

    def moves(self) -> list[str]:
        """All moves as the wire writes them."""
        return list(self._written)

    def state(self, now_ms: int) -> StateEvent:
        """How things stand."""
        return StateEvent(
            moves=" ".join(self._written),
            left_ms=(self.clock.left_ms(Color.WHITE, now_ms), self.clock.left_ms(Color.BLACK, now_ms)),
            increment_ms=self.clock.increment_ms,
            verdict=self.verdict,
            draw_offered=self._draws.flags,
            takeback_proposed=self._takebacks.flags,
        )

    def take_events(self) -> list[TableEvent]:
        """What has happened since the last call."""
        events, self._events = self._events, []
        return events

    def play(self, color: Color, text: str, now_ms: int, *, offering_draw: bool = False) -> None:
        """Make a move; a draw offered with it comes first, and may end the game instead.

        Raises: Refused.
        """
        if not _UCI.fullmatch(text):
            raise Refused(f"Invalid UCI: {text}")
        if self.over or self.game.turn is not color:
            raise Refused("Not your turn, or game already over")
        self.automatic.discard(color)
        self.presence.seen(color, now_ms)
        if offering_draw:
            self.answer_draw(color, True, now_ms)
        if not self.over and self.plies >= self._limit_plies:
            self._finish(Verdict(GameStatus.DRAW, None, Reason.PLY_LIMIT), now_ms)
        if self.over:
            return
        try:
            move = uci.read(self.game.position, text)
        except IllegalMove:
            raise Refused(_why_illegal(text)) from None
        self._make(move, now_ms)

    def _make(self, move: Move, now_ms: int) -> None:
        color = self.game.turn
        self._written.append(uci.write(self.game.position, move, self._rook_castling))
        self.game.play(move)
        outcome = self.game.outcome
        # With a bot in the game the server claims a repetition for it: the move itself still leaves the game running.
        claimed = (
            outcome is not None and outcome.reason is Reason.REPETITION and self.policy is draws.LICHESS_WITH_BOT
        )
        self.clock.moved(color, now_ms, earns=outcome is None or claimed)
        if self._takebacks.open is color:
            self._takebacks.close()
        if outcome is None or claimed:
            self._tell_state(now_ms)
        if outcome is None:
            self._refuse_offers_of(color.other, now_ms)
        else:
            self._finish(Verdict.of(outcome), now_ms)

    def _refuse_offers_of(self, color: Color, now_ms: int) -> None:
        """A move refuses what the opponent has offered; only a refused takeback is followed by a state."""
        if self._draws.open is color:
            self._say_system(f"{color.other.wire.capitalize()} declines draw")
            self._draws.close()
        if self._takebacks.open is color:
            self._refuse_takeback(now_ms)

    def answer_draw(self, color: Color, yes: bool, now_ms: int) -> None:
        """Offer, accept, claim, refuse or withdraw a draw; whatever does not fit does nothing."""
        if self.over:
            return
        if not yes:
            self._drop_draw_offer(color, now_ms)
        elif self._draws.open is color.other:
            self._say_system("Draw offer accepted")
            self._finish(Verdict(GameStatus.DRAW, None, Reason.AGREEMENT), now_ms)
        elif self.policy is draws.LICHESS and self.game.occurrences() >= _OCCURRENCES_TO_CLAIM:
            self._finish(Verdict(GameStatus.DRAW, None, Reason.REPETITION), now_ms)
        elif self._draws.allowed(color, self.plies):
            if not self.game.can_win(color.other):
                claim = Verdict(GameStatus.INSUFFICIENT_MATERIAL_CLAIM, None, Reason.DEAD_MATERIAL)
                self._finish(claim, now_ms)
                return
            self._draws.make(color, self.plies)
            self._say_system(f"{color.wire.capitalize()} offers draw")
            self._tell_state(now_ms)

    def _drop_draw_offer(self, color: Color, now_ms: int) -> None:
        if self._draws.open is color:
            self._draws.close()
            self._say_system("Draw offer canceled")
            self._tell_state(now_ms)
        elif self._draws.open is color.other:
            # Lichess pushes no state for a refusal.
            self._draws.close()
            self._say_system(f"{color.wire.capitalize()} declines draw")

    def answer_takeback(self, color: Color, yes: bool, now_ms: int) -> None:
        """Propose, accept, refuse or withdraw a takeback; whatever does not fit does nothing."""
        if self.over:
            return
        if yes and self._takebacks.open is color.other:
            self._say_system(f"{color.wire.capitalize()} accepts takeback")
            self._take_back(2 if self.game.turn is color.other else 1, now_ms)
        elif yes and self._takebacks.allowed(color, self.plies, now_ms):
            self._takebacks.make(color)
            self._say_system(f"{color.wire.capitalize()} proposes takeback")
            self._tell_state(now_ms)
        elif not yes and self._takebacks.open is color.other:
            self._refuse_takeback(now_ms)
        elif not yes and self._takebacks.open is color:
            self._takebacks.close()
            self._say_system("Takeback offer canceled")
            self._tell_state(now_ms)

    def _refuse_takeback(self, now_ms: int) -> None:
        if self._takebacks.open is not None:
            self._say_system(f"{self._takebacks.open.other.wire.capitalize()} declines takeback")
            self._takebacks.refuse(now_ms)
            self._tell_state(now_ms)

    def _take_back(self, plies: int, now_ms: int) -> None:
        for _ in range(plies):
            self.clock.rewind(self.game.turn, now_ms)
            self.game.take_back(1)
            self._written.pop()
        self._takebacks.close()
        self._draws.close()
        self._tell_state(now_ms)

    def abort(self, now_ms: int) -> None:
        """End the game without a result, before both have moved.

        Raises: Refused.
        """
        if self.over or self.plies >= PLIES_BEFORE_START or "noAbort" in self.terms.rules:
            raise Refused("This game can no longer be aborted")
        self._finish(Verdict(GameStatus.ABORTED, None, Reason.ABORTED), now_ms)

    def resign(self, color: Color, now_ms: int) -> None:
        """Give the game up; before both have moved it is aborted instead.

        Raises: Refused.
        """
        if self.over:
            raise Refused("This game cannot be resigned")
        if self.plies < PLIES_BEFORE_START:
            self._finish(Verdict(GameStatus.ABORTED, None, Reason.ABORTED), now_ms)
        else:
            self._finish(Verdict(GameStatus.RESIGN, color.other, Reason.RESIGNATION), now_ms)

    def claim(self, color: Color, now_ms: int, *, victory: bool) -> None:
        """Claim the game of an absent opponent; where no such claim exists, nothing happens.

        Raises: Refused while the opponent is there, or has not been gone for long enough.
        """
        if self.over or not self._claims_exist or self.game.turn is color or "noClaimWin" in self.terms.rules:
            return
        claim_at_ms = self.presence.claim_at_ms(color.other)
        if claim_at_ms is None or now_ms < claim_at_ms:
            raise Refused("The opponent has not been gone for long enough")
        winner = color if victory and self.game.can_win(color) else None
        self._finish(Verdict(GameStatus.TIMEOUT, winner, Reason.ABANDONMENT), now_ms)

    def say(self, username: str, room: Room, text: str) -> None:
        """A player's line of chat."""
        line = ChatEvent(room, username, text)
        self.chat.append(line)
        self._events.append(line)

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
        flag_at_ms = self.clock.flag_at_ms()
        if flag_at_ms is not None and now_ms >= flag_at_ms:
            self._flag(now_ms)
        if not self.over and self._claims_exist:
            for color in Color:
                self._tell_absence(color, now_ms)

    def next_tick_ms(self) -> int | None:
        """When `tick` has something to do, None when nothing is in sight."""
        if self.over:
            return None
        due_ms = [self.clock.flag_at_ms()]
        if self._claims_exist:
            due_ms += [self.presence.next_notice_ms(color) for color in Color]
        return min((each for each in due_ms if each is not None), default=None)

    @property
    def _claims_exist(self) -> bool:
        """Whether leaving can cost the game: with a clock that runs out, once it has started."""
        return self.plies >= PLIES_BEFORE_START and self.terms.live and not isinstance(self.terms.time, PerTurn)

    def _flag(self, now_ms: int) -> None:
        color = self.game.turn
        if isinstance(self.terms.time, PerTurn):
            self._play_for(color, now_ms)
        elif self._draws.open is color.other:
            self._finish(Verdict(GameStatus.DRAW, None, Reason.AGREEMENT), now_ms)
        else:
            winner = color.other if self.game.can_win(color.other) else None
            self._finish(Verdict(GameStatus.OUT_OF_TIME, winner, Reason.FLAG), now_ms)

    def _play_for(self, color: Color, now_ms: int) -> None:
        """Parlour's rule: the system moves for a player whose turn is over, and the game goes on."""
        move = self._system_player(self.game)
        written = uci.write(self.game.position, move, self._rook_castling)
        self.automatic.add(color)
        self.system_moves[color] += 1
        self._say_system(f"{color.wire.capitalize()} ran out of time; the system plays {written}")
        self._make(move, now_ms)

    def _tell_absence(self, color: Color, now_ms: int) -> None:
        claim_at_ms, flag_at_ms = self.presence.claim_at_ms(color), self.clock.flag_at_ms()
        if claim_at_ms is not None and flag_at_ms is not None and self.game.turn is color and flag_at_ms < claim_at_ms:
            # The flag will fall first, so there is nothing to wait for.
            if (due_ms := self.presence.next_notice_ms(color)) is not None and due_ms <= now_ms:
                self.presence.postpone(color, now_ms)
            return
        absence = self.presence.notice(color, now_ms)
        if absence is not None:
            self._events.append(GoneEvent(color, gone=True, claim_in_s=-(-absence.claim_in_ms // 1000)))

    def _finish(self, verdict: Verdict, now_ms: int) -> None:
        self.verdict = verdict
        self.clock.stop(now_ms)
        self._tell_state(now_ms)

    def _tell_state(self, now_ms: int) -> None:
        self.changed_at_ms = now_ms
        self._events.append(self.state(now_ms))

    def _say_system(self, text: str) -> None:
        self.say(SYSTEM, Room.PLAYER, text)


def _why_illegal(text: str) -> str:
    if "@" in text:
        return f"Cannot drop {text[0].upper()} on {text[2:4]}"
    return f"Piece on {text[:2]} cannot move to {text[2:4]}"
