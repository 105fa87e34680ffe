"""Moves as people write them: SAN, and the written form of Spark Chess.

Read besides exact SAN: castling with zeros, a missing or superfluous `+`, `#`, `!` or `?`, a missing `x` or `=`, more
origin than is needed (`Ng1f3`), long algebraic (`e2-e4`, `g1f3`), `e.p.`, figurines.  A move that fits more than one
legal move is refused, and so is a capture sign where nothing is captured.

A Spark Move is `f2>d4` (Shift) or `f2>Nd4` (Swap), and nothing else.  `+` is a check, where the game knows check; `#`
is any move that wins, such as the capture or explosion of the king.

Decision: a promotion without its letter means a queen, as in protocol form.
Decision: a pawn's drop is written `@e4`; `P@e4` is read too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rules import uci
from rules.errors import IllegalMove, Refusal
from rules.move import Move, MoveKind, Role, file_of, parse_square, rank_of, square_name

if TYPE_CHECKING:
    from rules.position import Position

_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")
_SUFFIX = re.compile(r"(\s*e\.?p\.?)?[+#!?]*$")
_CASTLING = re.compile(r"[Oo0]-[Oo0](-[Oo0])?")
_PLAIN = re.compile(
    r"(?P<role>[PNBRQK])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<sign>[x:-])?(?P<target>[a-h][1-8])"
    r"(?:[=/]?\(?(?P<promotion>[NBRQKnbrqk])\)?)?"
)
_DROP = re.compile(r"(?P<role>[PNBRQ])?@(?P<target>[a-h][1-8])")
_SPARK = re.compile(r"(?P<pawn>[a-h][1-8])>(?P<role>[NBRQK])?(?P<target>[a-h][1-8])")


def write(position: Position, move: Move) -> str:
    """The written form of a legal move."""
    after = position.play(move)
    ending = after.ending()
    won = ending is not None and ending.winner is not None
    return _write_plain(position, move) + ("#" if won else "+" if after.in_check else "")


def _write_plain(position: Position, move: Move) -> str:
    """The written form without the signs for check and mate."""
    origin, target = square_name(move.origin), square_name(move.target)
    role = "" if move.role is Role.PAWN else move.role.letter.upper()
    if move.kind is MoveKind.CASTLE:
        return "O-O" if move.target > move.origin else "O-O-O"
    if move.kind is MoveKind.DROP:
        return f"{role}@{target}"
    if move.kind in (MoveKind.SHIFT, MoveKind.SWAP):
        partner = position.piece_at(move.target)
        return f"{origin}>{'' if partner is None else partner.role.letter.upper()}{target}"
    sign = "x" if position.is_capture(move) else ""
    promotion = f"={move.promotion.letter.upper()}" if move.promotion is not None else ""
    if move.role is Role.PAWN:
        return (origin[0] if sign else "") + sign + target + promotion
    return role + _disambiguation(position, move) + sign + target


def _disambiguation(position: Position, move: Move) -> str:
    """What is needed of the origin: nothing, its file, its rank or both."""
    rivals = {
        other.origin
        for other in position.legal_moves()
        if other.role is move.role and other.target == move.target and other.kind is MoveKind.NORMAL
    } - {move.origin}
    name = square_name(move.origin)
    if not rivals:
        return ""
    if all(file_of(rival) != file_of(move.origin) for rival in rivals):
        return name[0]
    return name[1] if all(rank_of(rival) != rank_of(move.origin) for rival in rivals) else name


def read(position: Position, text: str) -> Move:
    """The legal move that a text in written form stands for.

    Raises: IllegalMove, with the reason.
    """
    bare = _SUFFIX.sub("", text.strip().translate(_FIGURINES))
    if spark := _SPARK.fullmatch(bare):
        return _read_spark(position, text, spark)
    if castling := _CASTLING.fullmatch(bare):
        return _read_castling(position, text, king_side=castling.group(1) is None)
    if drop := _DROP.fullmatch(bare):
        return uci.read(position, f"{drop['role'] or 'P'}@{drop['target']}")
    plain = _PLAIN.fullmatch(bare)
    if plain is None:
        raise IllegalMove(text, Refusal.NULL_MOVE if bare in ("--", "0000", "Z0") else Refusal.UNREADABLE)
    move = _read_plain(position, text, plain)
    if plain["sign"] in ("x", ":") and not position.is_capture(move):
        raise IllegalMove(text, Refusal.NO_SUCH_CAPTURE)
    return move


def _read_castling(position: Position, text: str, *, king_side: bool) -> Move:
    legal: list[Move] = position.legal_moves()
    for move in legal:
        if move.kind is MoveKind.CASTLE and (move.target > move.origin) is king_side:
            return move
    raise IllegalMove(text, Refusal.NO_CASTLING if position.ending() is None else Refusal.GAME_OVER)


def _read_spark(position: Position, text: str, match: re.Match[str]) -> Move:
    origin, target = parse_square(match["pawn"]), parse_square(match["target"])
    partner = position.piece_at(target)
    legal: list[Move] = position.legal_moves()
    for move in legal:
        if (move.origin, move.target) != (origin, target):
            continue
        if move.kind not in (MoveKind.SHIFT, MoveKind.SWAP):
            raise IllegalMove(text, Refusal.NO_SPARK_MOVE)
        if match["role"] != (None if partner is None else partner.role.letter.upper()):
            raise IllegalMove(text, Refusal.WRONG_PARTNER)
        return move
    raise IllegalMove(text, uci.why_not(position, origin, target, None))


def _read_plain(position: Position, text: str, match: re.Match[str]) -> Move:
    promotion = Role.from_letter(match["promotion"]) if match["promotion"] else None
    target = parse_square(match["target"])
    if match["role"] is None and match["file"] and match["rank"]:
        letter = promotion.letter if promotion is not None else ""
        return _long(position, text, match["file"] + match["rank"] + match["target"] + letter)
    role = Role.from_letter(match["role"] or "P")
    file = match["file"]
    if role is Role.PAWN and file is None:
        file = match["target"][0]  # without its file a pawn only advances
    legal: list[Move] = position.legal_moves()
    found = [
        move
        for move in legal
        if move.role is role
        and move.target == target
        and _from(move.origin, file, match["rank"])
        and move.kind in (MoveKind.NORMAL, MoveKind.DOUBLE_PUSH, MoveKind.EN_PASSANT)
    ]
    fitting = [move for move in found if move.promotion is promotion]
    if promotion is None and not fitting:
        fitting = [move for move in found if move.promotion is Role.QUEEN]
    if len(fitting) > 1:
        raise IllegalMove(text, Refusal.AMBIGUOUS, [write(position, move) for move in fitting])
    if not fitting:
        raise IllegalMove(text, _why_none(position, role, file, match["rank"], target, promotion))
    return fitting[0]


def _long(position: Position, text: str, coordinates: str) -> Move:
    try:
        return uci.read(position, coordinates)
    except IllegalMove as error:
        raise IllegalMove(text, error.refusal) from None


def _from(origin: int, file: str | None, rank: str | None) -> bool:
    name = square_name(origin)
    return file in (None, name[0]) and rank in (None, name[1])


def _why_none(
    position: Position, role: Role | None, file: str | None, rank: str | None, target: int, promotion: Role | None
) -> Refusal:
    """The reason that speaks of the man meant: the only one that fits, or the one that would get there."""
    origins = [
        square
        for square, piece in position.pieces().items()
        if piece == (role, position.turn) and _from(square, file, rank)
    ]
    reasons = [uci.why_not(position, origin, target, promotion) for origin in origins]
    if len(reasons) == 1:
        return reasons[0]
    if position.ending() is not None:
        return Refusal.GAME_OVER
    vague = (Refusal.CANNOT_REACH, Refusal.BLOCKED, Refusal.NO_SUCH_CAPTURE)
    return next((reason for reason in reasons if reason not in vague), Refusal.NO_MAN_FITS)
