"""Random games played by our rules and by python-chess side by side, and every difference that shows.

Known differences, none of them in the moves or ends: python-chess does not see that a position of antichess, atomic or
horde is closed or otherwise dead where Lichess does, so that it may let a side win that by our rules cannot; and in
antichess it says of one side alone that its bishops can never be taken, where Lichess looks at both sides together.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import chess
import chess.variant

from rules import san, uci, variants
from rules.move import Color
from rules.outcome import Status
from rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.variant import Variant

BOARDS: dict[Variant, type[chess.Board]] = {
    variants.STANDARD: chess.Board,
    variants.CHESS960: chess.Board,
    variants.ANTICHESS: chess.variant.AntichessBoard,
    variants.ATOMIC: chess.variant.AtomicBoard,
    variants.CRAZYHOUSE: chess.variant.CrazyhouseBoard,
    variants.HORDE: chess.variant.HordeBoard,
    variants.KING_OF_THE_HILL: chess.variant.KingOfTheHillBoard,
    variants.RACING_KINGS: chess.variant.RacingKingsBoard,
    variants.THREE_CHECK: chess.variant.ThreeCheckBoard,
}
KNOWS_FEWER_DEAD = (variants.ANTICHESS, variants.ATOMIC, variants.HORDE)
LONGEST = 160


def differences(variant: Variant, count: int, seed: int) -> Iterator[str]:
    """What differs in so many positions of random games; nothing when all is well."""
    chance = random.Random(seed)
    seen = 0
    while seen < count:
        board = new_board(variant, chance)
        position = Position.from_fen(variant, board.fen())
        for _ in range(min(LONGEST, count - seen)):
            seen += 1
            for difference in compare(position, board, chance):
                yield f"{variant.key} {board.fen()}: {difference}"
            moves = position.legal_moves()
            if not moves:
                break
            move = chance.choice(moves)
            board.push_uci(uci.write(position, move, board.chess960))
            position = position.play(move)


def new_board(variant: Variant, chance: random.Random) -> chess.Board:
    """The start of a game, one of the 960 in Chess960."""
    if variant.chess960:
        return chess.Board.from_chess960_pos(chance.randrange(960))
    return BOARDS[variant]()


def compare(position: Position, board: chess.Board, chance: random.Random) -> Iterator[str]:
    """The differences in one position: moves, ends, checks, FEN, material, and two moves as they are written."""
    moves = position.legal_moves()
    ours = {uci.write(position, move, board.chess960): move for move in moves}
    theirs = {board.uci(move): move for move in board.legal_moves}
    if ours.keys() != theirs.keys():
        yield f"moves: only ours {ours.keys() - theirs.keys()}, only theirs {theirs.keys() - ours.keys()}"
    if end_of(position) != end_on(board):
        yield f"end: ours {end_of(position)}, theirs {end_on(board)}"
    if position.in_check != board.is_check():
        yield f"check: ours {position.in_check}"
    # python-chess's own "legal" leaves out targets where only a blast makes the capture legal
    passing = any(board.is_en_passant(move) for move in board.legal_moves)
    if position.fen() != board.fen(en_passant="fen" if passing else "legal"):
        yield f"FEN: ours {position.fen()}"
    cannot_win = {color for color in Color if not position.can_win(color)}
    insufficient = {color for color in Color if board.has_insufficient_material(color is Color.WHITE)}
    if not explained(position.variant, cannot_win, insufficient):
        yield f"material: {cannot_win} cannot win by ours, {insufficient} by theirs"
    for text in chance.sample(sorted(ours.keys() & theirs.keys()), min(2, len(ours))):
        if san.write(position, ours[text]) != board.san(theirs[text]):
            yield f"{text}: ours {san.write(position, ours[text])}, theirs {board.san(theirs[text])}"


def fen_of(board: chess.Board) -> str:
    """The FEN with the en-passant target when a legal capture exists (which in atomic `legal` does not always see)."""
    capture = any(board.is_en_passant(move) for move in board.legal_moves)
    return board.fen(en_passant="fen" if capture else "legal")


def explained(variant: Variant, ours: set[Color], theirs: set[Color]) -> bool:
    """Whether the sides that cannot win are the same, but for the known differences."""
    if variant is variants.ANTICHESS and len(theirs) == 1:
        return True
    return ours == theirs or (variant in KNOWS_FEWER_DEAD and theirs <= ours)


def end_of(position: Position) -> tuple[str, Color | None] | None:
    """How a game ends by our rules, whatever draws a policy adds."""
    outcome = position.ending()
    if outcome is None:
        return None
    kinds = {Status.MATE: "mate", Status.STALEMATE: "stalemate"}
    return kinds.get(outcome.status, "variant"), outcome.winner


def end_on(board: chess.Board) -> tuple[str, Color | None] | None:
    """How it ends by python-chess."""
    mover = Color.WHITE if board.turn else Color.BLACK
    if board.is_variant_win():
        return "variant", mover
    if board.is_variant_end():
        return "variant", mover.other if board.is_variant_loss() else None
    if board.is_checkmate():
        return "mate", mover.other
    return ("stalemate", None) if board.is_stalemate() else None
