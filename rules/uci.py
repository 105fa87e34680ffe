"""Moves in protocol form: `e2e4`, `e7e8q`, `Q@e4`; castling as the king's two squares or as king takes rook.

Both forms of castling are understood wherever castling is legal; which one is written is asked for.  A Spark Move is
written the same way; a Swap names the pawn's square first.

Decision: a promotion without its letter means a queen, as on Lichess.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rules.errors import IllegalMove, Refusal
from rules.fen import Setup
from rules.move import Color, Move, MoveKind, Role, file_of, make_square, parse_square, rank_of, square_name

if TYPE_CHECKING:
    from rules.position import Position

_MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrqkNBRQK])?")
_DROP = re.compile(r"([PNBRQpnbrq])@([a-h][1-8])")


def write(position: Position, move: Move, rook_castling: bool) -> str:
    """The protocol form of a legal move; `rook_castling` writes castling as king takes rook.

    Without it, castling that moves the king by no more than a step is still king takes rook, to tell it apart.
    """
    target = square_name(move.target)
    if move.kind is MoveKind.DROP:
        return f"{move.role.letter.upper()}@{target}"
    if move.kind is MoveKind.CASTLE and not rook_castling and _leaps(move):
        target = square_name(castled_king(move))
    promotion = move.promotion
    return square_name(move.origin) + target + (promotion.letter if promotion is not None else "")


def _leaps(move: Move) -> bool:
    """Whether castling takes the king further than a king's step, so that its two squares tell it apart."""
    return abs(castled_king(move) - move.origin) > 1


def castled_king(move: Move) -> int:
    """Where the king of a castling move goes."""
    return make_square(6 if move.target > move.origin else 2, rank_of(move.origin))


def read(position: Position, text: str) -> Move:
    """The legal move that a text in protocol form stands for.

    Raises: IllegalMove, with the reason.
    """
    drop = _DROP.fullmatch(text)
    if drop:
        return _read_drop(position, text, drop.group(1), drop.group(2))
    match = _MOVE.fullmatch(text)
    if match is None:
        raise IllegalMove(text, Refusal.NULL_MOVE if text in ("0000", "--") else Refusal.UNREADABLE)
    origin, target = parse_square(match.group(1)), parse_square(match.group(2))
    promotion = Role.from_letter(match.group(3)) if match.group(3) else None
    fitting = [move for move in position.legal_moves() if move.origin == origin and move.kind is not MoveKind.DROP]
    move = _choose(fitting, target, promotion)
    if move is None:
        raise IllegalMove(text, why_not(position, origin, target, promotion))
    return move


def _choose(moves: list[Move], target: int, promotion: Role | None) -> Move | None:
    """The one among a man's legal moves that goes to this square; a plain move comes before castling by two squares."""
    for move in moves:
        if move.target == target and move.promotion is promotion:
            return move
    if promotion is not None:
        return None
    for move in moves:
        if move.target == target and move.promotion is Role.QUEEN:
            return move
        if move.kind is MoveKind.CASTLE and castled_king(move) == target and _leaps(move):
            return move
    return None


def _read_drop(position: Position, text: str, letter: str, square: str) -> Move:
    role, target = Role.from_letter(letter), parse_square(square)
    legal: list[Move] = position.legal_moves()
    for move in legal:
        if move.kind is MoveKind.DROP and move.role is role and move.target == target:
            return move
    if not position.variant.has_pocket:
        raise IllegalMove(text, Refusal.NO_DROPS)
    if role not in position.pocket(position.turn):
        raise IllegalMove(text, Refusal.NOT_IN_POCKET)
    if position.piece_at(target) is not None:
        raise IllegalMove(text, Refusal.OCCUPIED)
    if role is Role.PAWN and rank_of(target) in (0, 7):
        raise IllegalMove(text, Refusal.FORBIDDEN)
    raise IllegalMove(text, Refusal.LEAVES_KING_ATTACKED)


def why_not(position: Position, origin: int, target: int, promotion: Role | None) -> Refusal:
    """Why no legal move leads from one square to the other (with this promotion)."""
    piece, victim = position.piece_at(origin), position.piece_at(target)
    if position.ending() is not None:
        return Refusal.GAME_OVER
    if piece is None:
        return Refusal.EMPTY_SQUARE
    if piece.color is not position.turn:
        return Refusal.NOT_YOURS
    if (origin, target) in {(move.origin, move.target) for move in position.legal_moves()}:
        return Refusal.NO_SUCH_PROMOTION
    if _is_castling_try(position, piece.role, origin, target):
        return Refusal.NO_CASTLING
    if (target, origin) in {
        (move.origin, move.target) for move in position.legal_moves() if move.kind is MoveKind.SWAP
    }:
        return Refusal.SWAP_REVERSED
    if piece.role is Role.PAWN and position.variant.repeats_pawn_moves and _could_be_guarded(position, target):
        return Refusal.NOT_GUARDED_TWICE
    if victim is not None and victim.color is piece.color:
        return Refusal.OWN_MAN
    if position.variant.blasts and piece.role is Role.KING and victim is not None and _adjacent(origin, target):
        return Refusal.EXPLODES_OWN_KING
    pseudo_legal = _pseudo_legal(position, piece.role, origin, target)
    if pseudo_legal is not None:
        return _why_unlawful(position, pseudo_legal)
    if piece.role is Role.PAWN:
        return _why_not_pawn(position, origin, target)
    if origin in position.attackers(target, piece.color):
        return _why_forbidden(position)
    return Refusal.BLOCKED if _on_its_line(piece.role, origin, target) else Refusal.CANNOT_REACH


def _is_castling_try(position: Position, role: Role, origin: int, target: int) -> bool:
    if role is not Role.KING or not position.variant.has_castling or rank_of(origin) != rank_of(target):
        return False
    return position.piece_at(target) == (Role.ROOK, position.turn) or abs(file_of(origin) - file_of(target)) > 1


def _pseudo_legal(position: Position, role: Role, origin: int, target: int) -> Move | None:
    """The move between two squares that would be there if the safety of the own king did not matter."""
    last = 7 if position.turn is Color.WHITE else 0
    promotions = (Role.QUEEN,) if role is Role.PAWN and rank_of(target) == last else (None,)
    kinds = (MoveKind.NORMAL, MoveKind.DOUBLE_PUSH, MoveKind.EN_PASSANT)
    tries = (Move.build(role, origin, target, kind, promotion) for kind in kinds for promotion in promotions)
    return next((move for move in tries if position.pseudo_legal(move)), None)


def _why_unlawful(position: Position, move: Move) -> Refusal:
    if position.variant.blasts and position.is_capture(move):
        king = position.king(position.turn)
        if king == move.origin or king in position.captured_by(move):
            return Refusal.EXPLODES_OWN_KING
    if not position.variant.may_check and _gives_check(position, move):
        return Refusal.GIVES_CHECK
    return Refusal.LEAVES_KING_ATTACKED if position.variant.has_check else Refusal.FORBIDDEN


def _gives_check(position: Position, move: Move) -> bool:
    men = dict(position.pieces())
    men[move.target] = men.pop(move.origin)
    after = type(position).from_setup(position.variant, Setup(men, position.turn.other))
    return bool(after.checkers())


def _why_not_pawn(position: Position, origin: int, target: int) -> Refusal:
    forward = 1 if position.turn is Color.WHITE else -1
    files, ranks = abs(file_of(target) - file_of(origin)), (rank_of(target) - rank_of(origin)) * forward
    if files == 1 and ranks == 1:
        return Refusal.NO_SUCH_CAPTURE
    first_steps = (0, 1) if forward == 1 else (6, 7)
    if files or not (ranks == 1 or (ranks == 2 and rank_of(origin) in first_steps)):
        return Refusal.CANNOT_REACH
    path = range(origin + 8 * forward, target + forward, 8 * forward)
    return Refusal.BLOCKED if any(position.piece_at(square) for square in path) else _why_forbidden(position)


def _why_forbidden(position: Position) -> Refusal:
    """The reason against a move that would be there in a game without duties."""
    captures = all(position.is_capture(move) for move in position.legal_moves())
    return Refusal.MUST_CAPTURE if captures else Refusal.FORBIDDEN


def _could_be_guarded(position: Position, target: int) -> bool:
    """Whether a pawn would come here by a Spark Move, if two of its side's pieces guarded the square."""
    partner = position.piece_at(target)
    free = partner is None or (partner.color is position.turn and partner.role is not Role.PAWN)
    return free and rank_of(target) != (7 if position.turn is Color.WHITE else 0)


def _adjacent(origin: int, target: int) -> bool:
    return max(abs(file_of(target) - file_of(origin)), abs(rank_of(target) - rank_of(origin))) == 1


def _on_its_line(role: Role, origin: int, target: int) -> bool:
    """Whether a rook, bishop or queen would get there on an empty board."""
    files, ranks = abs(file_of(target) - file_of(origin)), abs(rank_of(target) - rank_of(origin))
    straight, diagonal = not files or not ranks, files == ranks
    return (straight and role in (Role.ROOK, Role.QUEEN)) or (diagonal and role in (Role.BISHOP, Role.QUEEN))
