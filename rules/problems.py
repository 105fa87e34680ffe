"""What is wrong with a board: errors, with which no game can go on, and oddities, which are played all the same.

What each game asks of a board comes from its Variant: how many kings, where pawns may stand, whether a king may be
attacked, what can castle.

Decision: counts of men that no game can reach (nine pawns, twelve queens) are oddities.  So is a check that no move can
have given, and castling from squares that only Chess960 has.
Decision: castling rights without their king and rook, and an en-passant target that no double step can have left, are
errors: they would promise moves that do not exist.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from rules.errors import words
from rules.fen import CHECKS_TO_WIN
from rules.move import Color, Piece, Role, file_of, make_square, rank_of, square_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rules.fen import Setup
    from rules.variant import Variant

_FULL_ARMY = {Role.KING: 1, Role.KNIGHT: 2, Role.BISHOP: 2, Role.ROOK: 2, Role.QUEEN: 1}


class Severity(StrEnum):
    """Whether the board can be played."""

    ERROR = "error"
    ODDITY = "oddity"


class ProblemCode(StrEnum):
    """What can be wrong with a board; the words of a value are its plain English."""

    NO_MEN = "noMen"
    NO_WHITE_KING = "noWhiteKing"
    NO_BLACK_KING = "noBlackKing"
    MANY_WHITE_KINGS = "tooManyWhiteKings"
    MANY_BLACK_KINGS = "tooManyBlackKings"
    PAWNS_NOT_PLAYED = "pawnsInAGameWithoutPawns"
    PAWN_ON_PROMOTION_RANK = "pawnOnItsPromotionRank"
    PAWN_ON_FIRST_RANK = "pawnOnItsFirstRank"
    OPPOSITE_CHECK = "sideNotToMoveInCheck"
    FORBIDDEN_CHECK = "checkInAGameThatForbidsIt"
    CASTLING_WITHOUT_KING = "castlingWithoutKingOnItsFirstRank"
    CASTLING_WITHOUT_ROOK = "castlingWithoutRook"
    CASTLING_TWICE = "twoCastlingRooksOnOneSide"
    EN_PASSANT_RANK = "enPassantSquareOnWrongRank"
    EN_PASSANT_WITHOUT_PAWN = "enPassantWithoutPawn"
    EN_PASSANT_BLOCKED = "enPassantPathOccupied"
    KING_IN_POCKET = "kingInPocket"
    MANY_MEN_WITH_POCKETS = "moreThan32MenWithPockets"
    CHECKS_OF_BOTH = "bothSidesHaveGivenThreeChecks"

    CHECKS_OF_MOVER = "sideToMoveHasGivenThreeChecks"
    UNUSUAL_CASTLING = "castlingFromUnusualSquares"
    TOO_MANY_CHECKERS = "moreThanTwoCheckers"
    IMPOSSIBLE_CHECK = "checkThatNoMoveCanGive"
    MANY_PAWNS = "moreThanEightPawns"
    MANY_PIECES = "morePiecesThanPromotionsExplain"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and the squares where it shows."""

    code: ProblemCode
    severity: Severity
    squares: tuple[int, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether no game can go on from such a board."""
        return self.severity is Severity.ERROR

    def __str__(self) -> str:
        where = " ".join(square_name(square) for square in self.squares)
        return words(self.code) + (f" ({where})" if where else "")


def examine(setup: Setup, variant: Variant) -> tuple[Problem, ...]:
    """Everything that is wrong with this board in this game, errors first."""
    found = [*_kings(setup, variant), *_pawns(setup, variant), *_pockets(setup, variant), *_counted_checks(setup)]
    found += [*_castling(setup), *_en_passant(setup), *_unusual_castling(setup, variant), *_numbers(setup, variant)]
    if variant.has_check and not any(problem.is_error for problem in found):
        found += _check_of_waiting_side(setup, variant) or _check(setup, variant)
    return tuple(sorted(found, key=lambda problem: not problem.is_error))


def _error(code: ProblemCode, squares: Iterable[int] = ()) -> Problem:
    return Problem(code, Severity.ERROR, tuple(squares))


def _oddity(code: ProblemCode, squares: Iterable[int] = ()) -> Problem:
    return Problem(code, Severity.ODDITY, tuple(squares))


def _kings(setup: Setup, variant: Variant) -> Iterator[Problem]:
    """As many kings as the game asks for; a blast can only just have taken that of the side to move."""
    if not setup.pieces:
        yield _error(ProblemCode.NO_MEN)
    for color in Color:
        white = color is Color.WHITE
        fewest, most = variant.kings[color]
        squares = setup.squares_of(color, Role.KING)
        if len(squares) > most:
            yield _error(ProblemCode.MANY_WHITE_KINGS if white else ProblemCode.MANY_BLACK_KINGS, squares)
        elif len(squares) < fewest or (variant.blasts and not squares and color is not setup.turn):
            yield _error(ProblemCode.NO_WHITE_KING if white else ProblemCode.NO_BLACK_KING)


def _pawns(setup: Setup, variant: Variant) -> Iterator[Problem]:
    if not variant.has_pawns:
        pawns = sorted(square for square, piece in setup.pieces.items() if piece.role is Role.PAWN)
        if pawns:
            yield _error(ProblemCode.PAWNS_NOT_PLAYED, pawns)
        return
    for color in Color:
        first, last = (0, 7) if color is Color.WHITE else (7, 0)
        pawns = setup.squares_of(color, Role.PAWN)
        arrived = [square for square in pawns if rank_of(square) == last]
        backward = [square for square in pawns if rank_of(square) == first]
        if arrived:
            yield _error(ProblemCode.PAWN_ON_PROMOTION_RANK, arrived)
        if backward and not variant.pawns_on_first_rank[color]:
            yield _error(ProblemCode.PAWN_ON_FIRST_RANK, backward)


def _pockets(setup: Setup, variant: Variant) -> Iterator[Problem]:
    """Captured men change hands, so that their number never grows."""
    if any(pocket.get(Role.KING) for pocket in setup.pockets):
        yield _error(ProblemCode.KING_IN_POCKET)
    in_hand = sum(sum(pocket.values()) for pocket in setup.pockets)
    if variant.has_pocket and in_hand + len(setup.pieces) > 32:
        yield _error(ProblemCode.MANY_MEN_WITH_POCKETS)


def _counted_checks(setup: Setup) -> Iterator[Problem]:
    """The third check ends the game, with the other side to move."""
    winners = [color for color in Color if setup.checks[color] >= CHECKS_TO_WIN]
    if len(winners) > 1:
        yield _error(ProblemCode.CHECKS_OF_BOTH)
    elif setup.turn in winners:
        yield _oddity(ProblemCode.CHECKS_OF_MOVER)


def _castling(setup: Setup) -> Iterator[Problem]:
    for color in Color:
        rank = 0 if color is Color.WHITE else 7
        rooks = sorted(square for square in setup.castling if rank_of(square) == rank)
        missing = [square for square in rooks if setup.pieces.get(square) != Piece(Role.ROOK, color)]
        kings = [square for square in setup.squares_of(color, Role.KING) if rank_of(square) == rank]
        if rooks and not kings:
            yield _error(ProblemCode.CASTLING_WITHOUT_KING, rooks)
        elif missing:
            yield _error(ProblemCode.CASTLING_WITHOUT_ROOK, missing)
        for side in ([r for r in rooks if kings and r < kings[0]], [r for r in rooks if kings and r > kings[0]]):
            if len(side) > 1:
                yield _error(ProblemCode.CASTLING_TWICE, side)
    strays = [square for square in setup.castling if rank_of(square) not in (0, 7)]
    if strays:
        yield _error(ProblemCode.CASTLING_WITHOUT_ROOK, strays)


def _unusual_castling(setup: Setup, variant: Variant) -> Iterator[Problem]:
    if variant.chess960:
        return
    usual = {make_square(file, rank) for file in (0, 7) for rank in (0, 7)}
    strange = {square for square in setup.castling if square not in usual}
    for color in Color:
        rights = any(rank_of(square) == (0 if color is Color.WHITE else 7) for square in setup.castling)
        strange |= {square for square in setup.squares_of(color, Role.KING) if rights and file_of(square) != 4}
    if strange:
        yield _oddity(ProblemCode.UNUSUAL_CASTLING, sorted(strange))


def _pushed_pawn(setup: Setup) -> tuple[int, int]:
    """The square of the pawn that the en-passant target belongs to, and the one it came from."""
    assert setup.ep is not None
    step = -8 if setup.turn is Color.WHITE else 8
    return setup.ep + step, setup.ep - step


def _en_passant(setup: Setup) -> Iterator[Problem]:
    if setup.ep is None:
        return
    if rank_of(setup.ep) != (5 if setup.turn is Color.WHITE else 2):
        yield _error(ProblemCode.EN_PASSANT_RANK, [setup.ep])
        return
    pawn, origin = _pushed_pawn(setup)
    if setup.pieces.get(pawn) != Piece(Role.PAWN, setup.turn.other):
        yield _error(ProblemCode.EN_PASSANT_WITHOUT_PAWN, [pawn])
    occupied = [square for square in (setup.ep, origin) if square in setup.pieces]
    if occupied:
        yield _error(ProblemCode.EN_PASSANT_BLOCKED, occupied)


def _numbers(setup: Setup, variant: Variant) -> Iterator[Problem]:
    """More men than play from the usual start can give; pockets and hordes are not judged."""
    if variant.has_pocket:
        return
    for color in Color:
        if variant.pawns_on_first_rank[color]:
            continue
        counts = Counter(piece.role for piece in setup.pieces.values() if piece.color is color)
        promoted = sum(max(0, counts[role] - usual) for role, usual in _FULL_ARMY.items())
        if counts[Role.PAWN] > 8:
            yield _oddity(ProblemCode.MANY_PAWNS, setup.squares_of(color, Role.PAWN))
        elif promoted > (8 - counts[Role.PAWN] if variant.has_pawns else 0):
            yield _oddity(ProblemCode.MANY_PIECES, setup.squares_of(color, *_FULL_ARMY))


def _checkers(setup: Setup, variant: Variant) -> list[int]:
    from rules.position import Position  # the compiled kernel imports this module

    return sorted(Position.from_setup(variant, setup).checkers())


def _check_of_waiting_side(setup: Setup, variant: Variant) -> list[Problem]:
    checkers = _checkers(replace(setup, turn=setup.turn.other, ep=None), variant)
    return [_error(ProblemCode.OPPOSITE_CHECK, checkers)] if checkers else []


def _check(setup: Setup, variant: Variant) -> list[Problem]:
    checkers = _checkers(setup, variant)
    if checkers and not variant.may_check:
        return [_error(ProblemCode.FORBIDDEN_CHECK, checkers)]
    if variant.blasts or not checkers:  # an explosion can uncover any check
        return []
    if len(checkers) > 2:
        return [_oddity(ProblemCode.TOO_MANY_CHECKERS, checkers)]
    if _push_gives(setup, variant, checkers) if setup.ep is not None else _move_gives(setup, checkers):
        return []
    return [_oddity(ProblemCode.IMPOSSIBLE_CHECK, checkers)]


def _push_gives(setup: Setup, variant: Variant, checkers: list[int]) -> bool:
    """Whether the double step that left the en-passant target can have given these checks."""
    pawn, origin = _pushed_pawn(setup)
    before = {square: piece for square, piece in setup.pieces.items() if square != pawn}
    before[origin] = setup.pieces[pawn]
    return len(checkers) == 1 and not set(_checkers(replace(setup, pieces=before, ep=None), variant)) - {pawn}


def _move_gives(setup: Setup, checkers: list[int]) -> bool:
    """Whether one move can have given these checks: of two, one was uncovered by the other, along a line of its own."""
    if len(checkers) < 2:
        return True
    king = setup.squares_of(setup.turn, Role.KING)[0]
    roles = [setup.pieces[square].role for square in checkers]
    if not any(role in (Role.BISHOP, Role.ROOK, Role.QUEEN) for role in roles):
        return False
    return _direction(king, checkers[0]) != _opposite(_direction(king, checkers[1]))


def _direction(start: int, end: int) -> tuple[int, int]:
    """The step from one square towards another on its line; the whole leap when they share none."""
    files, ranks = file_of(end) - file_of(start), rank_of(end) - rank_of(start)
    length = max(abs(files), abs(ranks))
    if files and ranks and abs(files) != abs(ranks):
        return files, ranks
    return files // length, ranks // length


def _opposite(direction: tuple[int, int]) -> tuple[int, int]:
    return -direction[0], -direction[1]
