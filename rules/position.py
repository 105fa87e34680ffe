"""One position of one game, immutable: the Python face of the kernel."""

import cython

from rules.errors import IllegalMove, IllegalPosition
from rules.move import Color, Piece, Role, square_name
from rules.move import Move as PyMove
from rules.outcome import Outcome, Reason, Status

# By the reason's number in variant.pxd.  A game decided on the board without mate is a variant end for the winner.
_REASONS = (
    None, Reason.CHECKMATE, Reason.STALEMATE, Reason.KING_EXPLODED, Reason.KING_ON_HILL, Reason.THREE_CHECKS,
    Reason.RACE, Reason.BOTH_RACED, Reason.HORDE_DESTROYED, Reason.ALL_LOST, Reason.KING_CAPTURED, Reason.BARE_KINGS,
    Reason.KING_AND_MINOR, Reason.NO_MOVES,
)  # fmt: skip


@cython.cfunc
def _squares(found: u64) -> list:
    squares: list = []
    while found:
        squares.append(lsb(found))
        found &= found - 1
    return squares


@cython.cfunc
def _listed(moves: cython.pointer(Move), count: cython.int) -> list:
    return [PyMove(moves[i]) for i in range(count)]


@cython.cfunc
def _outcome(code: cython.int, turn: cython.int):
    """The Outcome that an ending of variant.pxd stands for, None for none."""
    result: cython.int = code & 3
    if result == UNDECIDED:
        return None
    reason = _REASONS[code >> 2]
    if result == DRAWN:
        return Outcome(Status.STALEMATE if reason is Reason.STALEMATE else Status.DRAW, None, reason)
    status = Status.MATE if reason is Reason.CHECKMATE else Status.VARIANT_END
    return Outcome(status, Color(turn if result == WON else turn ^ 1), reason)


class Position:
    """A position of a variant; made by the class methods, never changed.

    Raises: TypeError when called directly with anything but a Variant (an empty board, for internal use).
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.state.ep = NO_SQUARE
        self.state.fullmove = 1

    @classmethod
    def start(cls, variant: Variant) -> Position:
        """The game's usual first position."""
        return cls.from_fen(variant, variant.start_fen)

    @classmethod
    def from_fen(cls, variant: Variant, text: str) -> Position:
        """The position that a FEN describes.

        Raises: FenError for bad text, IllegalPosition when no such position can be played.
        """
        from rules import fen, problems

        setup = fen.read(text, variant)
        errors = [problem for problem in problems.examine(setup, variant) if problem.is_error]
        if errors:
            raise IllegalPosition(errors)
        return cls.from_setup(variant, setup)

    @staticmethod
    def from_setup(variant: Variant, setup) -> Position:
        """The position of a `fen.Setup`, without judging it; an en-passant target nobody can use is dropped."""
        position: Position = Position(variant)
        s: cython.pointer(State) = cython.address(position.state)
        for square, piece in setup.pieces.items():
            put(s, piece.color, piece.role, square)
        for square in setup.promoted:
            s.promoted |= bit(square)
        for square in setup.castling:
            s.castling |= bit(square)
        for color in Color:
            for role, count in setup.pockets[color].items():
                s.pocket[cython.cast(cython.int, color)][cython.cast(cython.int, role)] = count
            s.checks[cython.cast(cython.int, color)] = setup.checks[color]
        s.turn = setup.turn
        s.halfmoves = setup.halfmoves
        s.fullmove = setup.fullmove
        if setup.ep is not None and position._ep_fits(setup.ep):
            s.ep = setup.ep
        s.key = fresh_key(s)
        return position

    def _ep_fits(self, square: int) -> bool:
        """Whether a pawn has just passed this square, and may be captured there."""
        s: cython.pointer(State) = cython.address(self.state)
        target: cython.int = square
        us: cython.int = s.turn
        forward: cython.int = 8 if us == WHITE else -8
        if target >> 3 != (5 if us == WHITE else 2):
            return False
        if not s.roles[PAWN] & s.colors[us ^ 1] & bit(target - forward):
            return False
        if occupied_of(s) & (bit(target) | bit(target + forward)):
            return False
        return self.variant.ep_capture_exists(s, target)

    @property
    def turn(self) -> Color:
        """The side to move."""
        return Color(self.state.turn)

    @property
    def halfmoves(self) -> int:
        """Plies since a capture or pawn move, as the FEN counts them."""
        return self.state.halfmoves

    @property
    def fullmove(self) -> int:
        """Number of the move, from 1, counted up after Black's."""
        return self.state.fullmove

    @property
    def reversible_plies(self) -> int:
        """Plies since a move that cannot be undone: how far back a repetition can lie."""
        return self.state.reversible_plies

    @property
    def key(self) -> int:
        """The 64-bit Zobrist key."""
        return self.state.key

    @property
    def ep_square(self) -> int | None:
        """Where a legal en-passant capture would land."""
        return None if self.state.ep == NO_SQUARE else self.state.ep

    @property
    def castling_rooks(self) -> list:
        """Squares of the rooks that may still castle."""
        return _squares(self.state.castling)

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check, in a game that knows check."""
        return self.variant.has_check and self.variant.checkers(cython.address(self.state)) != 0

    def checkers(self) -> list:
        """Squares of the men that attack the king of the side to move."""
        return _squares(self.variant.checkers(cython.address(self.state)))

    def attackers(self, square: int, color: int) -> list:
        """Squares of the men of a color that attack a square."""
        s: cython.pointer(State) = cython.address(self.state)
        return _squares(attackers_of(s, square, occupied_of(s), color))

    def piece_at(self, square: int) -> Piece | None:
        """The man on a square."""
        role: cython.int = role_at(cython.address(self.state), square)
        if role == NO_ROLE:
            return None
        return Piece(Role(role), Color(0 if self.state.colors[WHITE] & bit(square) else 1))

    def pieces(self) -> dict:
        """Every man, by square."""
        return {square: self.piece_at(square) for square in _squares(occupied_of(cython.address(self.state)))}

    def king(self, color: int) -> int | None:
        """The square of a king."""
        square: cython.int = king_square(cython.address(self.state), color)
        return None if square == NO_SQUARE else square

    def pocket(self, color: int) -> dict:
        """Men in hand, by role."""
        side: cython.int = color
        counts = [(role, self.state.pocket[side][cython.cast(cython.int, role)]) for role in Role]
        return {role: count for role, count in counts if count}

    def checks(self, color: int) -> int:
        """Checks that a side has given, in games that count them."""
        return self.state.checks[cython.cast(cython.int, color)]

    def promoted_squares(self) -> list:
        """Squares of men that go back to the pocket as pawns."""
        return _squares(self.state.promoted)

    def fen(self) -> str:
        """The position as FEN; castling as X-FEN, the en-passant square only where a legal capture exists."""
        from rules import fen

        return fen.write(self)

    def legal_moves(self) -> list:
        """Every legal move; none once the game is decided."""
        moves: Move[MAX_MOVES]
        return _listed(moves, self.variant.legal_moves_into(cython.address(self.state), moves))

    def is_legal(self, move: PyMove) -> bool:
        """Whether a move, of whatever origin, is legal here."""
        return self.variant.legal(cython.address(self.state), move.code)

    def play(self, move: PyMove) -> Position:
        """The position after a move.

        Raises: IllegalMove.
        """
        after: Position
        if not self.is_legal(move):
            raise IllegalMove(square_name(move.origin) + square_name(move.target))
        after = Position(self.variant)
        self.variant.play(cython.address(self.state), move.code, cython.address(after.state))
        return after

    def captured_by(self, move: PyMove) -> list:
        """Squares of the men that a legal move takes off the board (in a blast: all but the capturer's own)."""
        return _squares(self.variant.captured(cython.address(self.state), move.code))

    def is_capture(self, move: PyMove) -> bool:
        """Whether a legal move captures something."""
        return self.variant.captured(cython.address(self.state), move.code) != 0

    def variant_end(self) -> Outcome | None:
        """The end that the position itself is, whatever moves there are."""
        return _outcome(self.variant.decided(cython.address(self.state)), self.state.turn)

    def stalled(self) -> Outcome | None:
        """The end for want of a legal move: mate, stalemate or the game's own, even if decided otherwise."""
        if self.variant.has_legal_move(cython.address(self.state)):
            return None
        return _outcome(self.variant.without_moves(cython.address(self.state)), self.state.turn)

    def ending(self) -> Outcome | None:
        """The end of the game as far as one position tells: variant end, then mate or stalemate."""
        return self.variant_end() or self.stalled()

    def can_win(self, color: int) -> bool:
        """Whether the material lets a side win (Lichess's rule)."""
        return self.variant.can_win(cython.address(self.state), color)

    def perft(self, depth: int) -> int:
        """Number of move sequences of exactly this many plies; runs without the GIL."""
        leaves: u64
        plies: cython.int = depth
        with cython.nogil:
            leaves = count_leaves(self.variant, cython.address(self.state), plies)
        return leaves

    # Thin faces of the kernel's operations, for tests.

    def generate(self, what: int) -> list:
        """What the generator of the variant gives for one of the kinds of state.pxd, before any test of lawfulness."""
        moves: Move[MAX_MOVES]
        return _listed(moves, self.variant.generate(cython.address(self.state), what, moves))

    def attacks_king(self, move: PyMove) -> bool:
        """Whether a legal move attacks the enemy king, told without playing it where that is possible."""
        aims: Aims
        self.variant.aim(cython.address(self.state), cython.address(aims))
        return self.variant.attacks_king(cython.address(self.state), cython.address(aims), move.code)

    def pseudo_legal(self, move: PyMove) -> bool:
        """The variant's membership test for hash moves."""
        return self.variant.pseudo_legal(cython.address(self.state), move.code)

    def lawful_after(self, move: PyMove) -> bool:
        """Whether the position after a pseudo-legal move is one that its side may leave behind."""
        after: State
        self.variant.play(cython.address(self.state), move.code, cython.address(after))
        return self.variant.is_lawful(cython.address(after))

    def exchange_at_least(self, move: PyMove, threshold: int) -> bool:
        """The variant's static exchange test, in centipawns."""
        return self.variant.exchange_at_least(cython.address(self.state), move.code, threshold)

    def threatens_win(self) -> bool:
        """Whether the side to move can win at once by something other than mate."""
        return self.variant.threatens_win(cython.address(self.state))

    def key_from_scratch(self) -> int:
        """The key computed anew, to hold the incremental one against."""
        return fresh_key(cython.address(self.state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.variant is other.variant and self.fen() == other.fen()

    def __hash__(self) -> int:
        return hash((self.variant.key, self.state.key))

    def __repr__(self) -> str:
        return f"Position({self.variant!r}, {self.fen()!r})"

    def __reduce__(self):
        return Position.from_fen, (self.variant, self.fen())
