"""A game: a position, the moves played from it, and the policy that says when it is over.

The policy names its tests in order; the first that holds is the outcome.  A repetition is looked for as far back as
moves can be undone; the first position counts as an occurrence.  A first position can be over at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules import san, uci
from rules.errors import GameOver, IllegalMove
from rules.move import Color, Move
from rules.outcome import Outcome, Reason, Status
from rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rules.draws import DrawPolicy
    from rules.variant import Variant


class Game:
    """A game in progress; the one mutable thing of the rules, for one owner at a time."""

    def __init__(self, position: Position, policy: DrawPolicy) -> None:
        self._policy = policy
        self._positions: list[Position] = [position]
        self._moves: list[Move] = []
        self._outcome = judge(self._positions, self._policy)

    @classmethod
    def start(cls, variant: Variant, policy: DrawPolicy, fen: str | None = None) -> Game:
        """A new game, from the usual start unless a FEN is given.

        Raises: FenError, IllegalPosition.
        """
        return cls(Position.start(variant) if fen is None else Position.from_fen(variant, fen), policy)

    @classmethod
    def replay(cls, variant: Variant, policy: DrawPolicy, fen: str | None, moves: Iterable[str]) -> Game:
        """A game after a list of moves in protocol form.

        Raises: FenError, IllegalPosition, GameOver, or IllegalMove with the ply.
        """
        game = cls.start(variant, policy, fen)
        for ply, text in enumerate(moves, start=1):
            try:
                game.play_uci(text)
            except IllegalMove as error:
                raise error.at_ply(ply) from None
        return game

    @property
    def initial(self) -> Position:
        """The position that the game began with."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def positions(self) -> list[Position]:
        """Every position so far, the first and the present one included."""
        return list(self._positions)

    @property
    def moves(self) -> list[Move]:
        """The moves played."""
        return list(self._moves)

    @property
    def policy(self) -> DrawPolicy:
        """The draw policy."""
        return self._policy

    @property
    def variant(self) -> Variant:
        """The game that is played."""
        variant: Variant = self.position.variant
        return variant

    @property
    def turn(self) -> Color:
        """The side to move."""
        return Color(self.position.turn)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self._outcome

    def play(self, move: Move) -> None:
        """Play a move.

        Raises: IllegalMove, GameOver.
        """
        if self._outcome is not None:
            raise GameOver(self._outcome)
        self._positions.append(self.position.play(move))
        self._moves.append(move)
        self._outcome = judge(self._positions, self._policy)

    def play_uci(self, text: str) -> Move:
        """Play a move given in protocol form, and return it.

        Raises: IllegalMove, GameOver.
        """
        if self._outcome is not None:
            raise GameOver(self._outcome)
        move = uci.read(self.position, text)
        self.play(move)
        return move

    def take_back(self, plies: int) -> None:
        """Undo the last moves.

        Raises: ValueError when fewer were played.
        """
        if not 0 <= plies <= len(self._moves):
            raise ValueError(f"cannot take back {plies} of {len(self._moves)} plies")
        kept = len(self._moves) - plies
        del self._moves[kept:]
        del self._positions[kept + 1 :]
        self._outcome = judge(self._positions, self._policy)

    def occurrences(self) -> int:
        """How often the present position has stood on the board, now included."""
        return occurrences(self._positions)

    def can_win(self, color: Color) -> bool:
        """Whether the material lets a side win, by the rule of the server."""
        return bool(self.position.can_win(color))

    def uci_moves(self, rook_castling: bool) -> list[str]:
        """The moves in protocol form."""
        return [
            uci.write(before, move, rook_castling) for before, move in zip(self._positions, self._moves, strict=False)
        ]

    def san_moves(self) -> list[str]:
        """The moves in written form."""
        return [san.write(before, move) for before, move in zip(self._positions, self._moves, strict=False)]


def judge(positions: Sequence[Position], policy: DrawPolicy) -> Outcome | None:
    """The outcome of a history of positions, the present one last; None while the game goes on."""
    for test in policy.order:
        outcome = _test(test, positions, policy)
        if outcome is not None:
            return outcome
    return None


def occurrences(positions: Sequence[Position]) -> int:
    """How often the last of these positions has stood on the board, itself included."""
    key = positions[-1].key
    window = min(positions[-1].reversible_plies, len(positions) - 1)
    return sum(positions[-1 - plies].key == key for plies in range(0, window + 1, 2))


def _test(test: str, positions: Sequence[Position], policy: DrawPolicy) -> Outcome | None:
    """The outcome by one of the tests that policies name."""
    position = positions[-1]
    if test == "variantEnd":
        end: Outcome | None = position.variant_end()
        return end
    if test in ("mate", "stalemate", "noMoves"):
        stalled: Outcome | None = position.stalled()
        return stalled if stalled is not None and (stalled.status is Status.MATE) is (test == "mate") else None
    if test == "deadMaterial":
        return Outcome(Status.DRAW, None, Reason.DEAD_MATERIAL) if policy.dead(position) else None
    if test == "repetition":
        limit = policy.occurrences_limit
        return Outcome(Status.DRAW, None, Reason.REPETITION) if 0 < limit <= occurrences(positions) else None
    if test == "quietPlies":
        limit = policy.quiet_limit_in(position.variant)
        return Outcome(Status.DRAW, None, Reason.QUIET_PLIES) if 0 < limit <= position.halfmoves else None
    raise ValueError(f"the policy {policy.name!r} names an unknown test {test!r}")
