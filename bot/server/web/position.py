"""A game's positions as the page needs them, so that the browser knows no rules.

Squares are names such as `e4`; a drop comes `from` the pocket's `@n`.  `written` is the form of `rules.san`, with
English letters: the page translates.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

from rules import san, uci
from rules.game import Game
from rules.move import Color, Move, MoveKind, square_name
from rules.outcome import Reason
from rules.position import Position


def position_after(game: Game, ply: int, known_moves: int, rook_castling: bool) -> dict[str, Any]:
    """The position after `ply` half-moves, with the moves up to it from number `known_moves` on.

    Raises: IndexError when the game has no such ply.
    """
    positions, moves = game.positions, game.moves
    if not 0 <= ply < len(positions):
        raise IndexError(f"ply {ply} of a game of {len(moves)}")
    position = positions[ply]
    last = moves[ply - 1] if ply else None
    return {
        "ply": ply,
        "turn": position.turn.wire,
        "fullmove": position.fullmove,
        "fen": position.fen(),
        "pieces": {square_name(square): piece.letter for square, piece in position.pieces().items()},
        "pockets": _pockets(position),
        "checksGiven": _checks_given(position),
        "checks": _checked_king(position),
        "lastMove": None if last is None else _shown_move(positions[ply - 1], last),
        "blast": [] if last is None else _blast(positions[ply - 1], last, position),
        "legal": _legal(position, rook_castling),
        "moves": [
            {"uci": uci.write(positions[at], moves[at], rook_castling), "written": san.write(positions[at], moves[at])}
            for at in range(known_moves, ply)
        ],
        "outcome": None,
    }


def _pockets(position: Position) -> dict[str, dict[str, int]] | None:
    """Men in hand by color and role, None where there are no pockets."""
    if not position.variant.has_pocket:
        return None
    pockets = {color.wire: position.pocket(color) for color in Color}
    return {color: {role.letter: count for role, count in pocket.items()} for color, pocket in pockets.items()}


def _checks_given(position: Position) -> dict[str, int] | None:
    """Checks given by color, None where nobody counts them."""
    return {color.wire: position.checks(color) for color in Color} if position.variant.counts_checks else None


def _checked_king(position: Position) -> list[str]:
    king = position.king(position.turn) if position.in_check else None
    return [] if king is None else [square_name(king)]


def _shown_move(before: Position, move: Move) -> dict[str, str]:
    """Where the man went that the player moved: in castling the king."""
    target = uci.castled_king(move) if move.kind is MoveKind.CASTLE else move.target
    return {"from": _origin(move), "to": square_name(target), "written": san.write(before, move)}


def _origin(move: Move) -> str:
    return f"@{move.role.letter}" if move.kind is MoveKind.DROP else square_name(move.origin)


def _blast(before: Position, move: Move, after: Position) -> list[str]:
    """The squares that an explosion emptied: there was one when the capturing man is gone as well."""
    if not before.is_capture(move) or after.piece_at(move.target) is not None:
        return []
    return [square_name(square) for square in sorted({*before.captured_by(move), move.target})]


def _legal(position: Position, rook_castling: bool) -> list[dict[str, Any]]:
    moves = position.legal_moves()
    ways = Counter((move.origin, move.target) for move in moves)
    return [_legal_move(position, move, ways, rook_castling) for move in moves]


def _legal_move(
    position: Position, move: Move, ways: Counter[tuple[int, int]], rook_castling: bool
) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "uci": uci.write(position, move, rook_castling),
        "from": _origin(move),
        "to": square_name(move.target),
        "promotion": None if move.promotion is None else move.promotion.letter,
        "kind": move.kind.name.lower(),
        "capture": position.is_capture(move),
        "written": san.write(position, move),
    }
    if move.kind is MoveKind.CASTLE:
        shown["uciAlso"] = uci.write(position, move, not rook_castling)
        landing = uci.castled_king(move)
        # As `uci.read` has it: two squares of the king mean castling unless they are a move of their own.
        if abs(landing - move.origin) > 1 and landing != move.target and not ways[move.origin, landing]:
            shown["to"], shown["also"] = square_name(landing), [square_name(move.target)]
    return shown


def outcome_shape(status: str, winner: Color | None, reason: Reason | None) -> dict[str, str | None]:
    """How a game ended, for its last position."""
    return {"status": status, "winner": None if winner is None else winner.wire, "reason": reason}
