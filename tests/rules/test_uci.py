"""The protocol form of moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import uci
from rules.errors import IllegalMove, Refusal
from rules.move import MoveKind, Role
from rules.position import Position
from rules.variant import Variant
from rules.variants import ALL, ANTICHESS, ATOMIC, CHESS960, CRAZYHOUSE, RACING_KINGS, SPARK, STANDARD

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def board(fen: str, variant: Variant = STANDARD) -> Position:
    return Position.from_fen(variant, fen)


def refusal(fen: str, text: str, variant: Variant = STANDARD) -> Refusal:
    with pytest.raises(IllegalMove) as caught:
        uci.read(board(fen, variant), text)
    return caught.value.refusal


def test_a_move_is_origin_target_and_promotion() -> None:
    position = board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    move = uci.read(position, "a7a8n")
    assert (move.role, move.promotion) == (Role.PAWN, Role.KNIGHT)
    assert uci.write(position, move, rook_castling=True) == "a7a8n"


def test_a_promotion_without_its_letter_is_a_queen() -> None:
    assert uci.read(board("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "a7a8").promotion is Role.QUEEN


def test_castling_is_written_in_the_form_that_is_asked_for() -> None:
    position = board(CASTLING)
    short, long = uci.read(position, "e1g1"), uci.read(position, "e1c1")
    assert [uci.write(position, move, False) for move in (short, long)] == ["e1g1", "e1c1"]
    assert [uci.write(position, move, True) for move in (short, long)] == ["e1h1", "e1a1"]


def test_both_forms_of_castling_are_read() -> None:
    position = board(CASTLING)
    assert uci.read(position, "e1h1").kind is MoveKind.CASTLE
    assert uci.read(position, "e1h1") == uci.read(position, "e1g1")


def test_a_kings_move_comes_before_castling_by_two_squares() -> None:
    position = board("4k3/8/8/8/8/8/8/1K5R w H - 0 1", CHESS960)
    assert uci.read(position, "b1c1").kind is MoveKind.NORMAL
    assert uci.read(position, "b1g1").kind is MoveKind.CASTLE
    assert refusal("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "d1f1", CHESS960) is Refusal.NO_CASTLING


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (STANDARD.start_fen, "", Refusal.UNREADABLE),
        (STANDARD.start_fen, "e2", Refusal.UNREADABLE),
        (STANDARD.start_fen, "e2e4e5", Refusal.UNREADABLE),
        (STANDARD.start_fen, "e2e9", Refusal.UNREADABLE),
        (STANDARD.start_fen, "0000", Refusal.NULL_MOVE),
        (STANDARD.start_fen, "e4e5", Refusal.EMPTY_SQUARE),
        (STANDARD.start_fen, "e7e5", Refusal.NOT_YOURS),
        (STANDARD.start_fen, "e2e5", Refusal.CANNOT_REACH),
        (STANDARD.start_fen, "g1e2", Refusal.OWN_MAN),
        (STANDARD.start_fen, "a1a3", Refusal.BLOCKED),
        (STANDARD.start_fen, "d1b3", Refusal.BLOCKED),
        (STANDARD.start_fen, "a1b3", Refusal.CANNOT_REACH),
        (STANDARD.start_fen, "e2d3", Refusal.NO_SUCH_CAPTURE),
        (STANDARD.start_fen, "e2e4q", Refusal.NO_SUCH_PROMOTION),
        (STANDARD.start_fen, "e1g1", Refusal.NO_CASTLING),
        (STANDARD.start_fen, "P@e4", Refusal.NO_DROPS),
        ("4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", "e2e4", Refusal.BLOCKED),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", Refusal.LEAVES_KING_ATTACKED),
        ("3r3k/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1d2", Refusal.LEAVES_KING_ATTACKED),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8k", Refusal.NO_SUCH_PROMOTION),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "h8g8", Refusal.GAME_OVER),
    ],
)
def test_a_wrong_move_is_refused_with_the_reason(fen: str, text: str, reason: Refusal) -> None:
    assert refusal(fen, text) is reason


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        ("6k1/8/8/8/8/8/1n5R/K7 w - - 0 1", "h2b2", Refusal.EXPLODES_OWN_KING),
        ("6k1/8/8/8/8/8/1n5R/K7 w - - 0 1", "a1b2", Refusal.EXPLODES_OWN_KING),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", Refusal.LEAVES_KING_ATTACKED),
    ],
)
def test_in_atomic_the_reasons_are_its_own(fen: str, text: str, reason: Refusal) -> None:
    assert refusal(fen, text, ATOMIC) is reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("d4f2", Refusal.SWAP_REVERSED),
        ("f2e5", Refusal.NOT_GUARDED_TWICE),
        ("f2f8", Refusal.CANNOT_REACH),
        ("e1g1", Refusal.CANNOT_REACH),
        ("f2f4", Refusal.NOT_GUARDED_TWICE),
    ],
)
def test_in_spark_too(text: str, reason: Refusal) -> None:
    assert refusal("4k3/8/8/8/3N4/8/1B3P2/3RK3 w - - 0 1", text, SPARK) is reason


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        ("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "Q@e4", Refusal.NOT_IN_POCKET),
        ("4k3/8/8/8/8/8/8/4K3[n] w - - 0 1", "N@e4", Refusal.NOT_IN_POCKET),
        ("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@e8", Refusal.OCCUPIED),
        ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@a8", Refusal.FORBIDDEN),
        ("4k3/8/8/8/8/8/8/r3K3[N] w - - 0 1", "N@e4", Refusal.LEAVES_KING_ATTACKED),
    ],
)
def test_a_drop_needs_its_man_a_free_square_and_a_safe_king(fen: str, text: str, reason: Refusal) -> None:
    assert refusal(fen, text, CRAZYHOUSE) is reason


def test_a_drop_names_its_man_in_upper_case_for_both_sides() -> None:
    position = board("4k3/8/8/8/8/8/8/r3K3[Nq] w - - 0 1", CRAZYHOUSE)
    drop = uci.read(position, "N@c1")
    assert (drop.kind, uci.write(position, drop, True)) == (MoveKind.DROP, "N@c1")
    black = position.play(drop)
    assert uci.write(black, uci.read(black, "q@e4"), True) == "Q@e4"


def test_in_antichess_a_pawn_may_become_a_king() -> None:
    position = board("8/P7/8/8/8/8/8/7k w - - 0 1", ANTICHESS)
    assert uci.read(position, "a7a8k").promotion is Role.KING
    assert uci.read(position, "a7a8").promotion is Role.QUEEN


def test_in_antichess_a_capture_must_be_made() -> None:
    assert refusal("8/8/8/3p4/4P3/8/8/R7 w - - 0 1", "a1a2", ANTICHESS) is Refusal.MUST_CAPTURE


def test_in_racing_kings_no_move_gives_check() -> None:
    assert refusal("8/8/8/8/8/8/6k1/KR6 w - - 0 1", "b1b2", RACING_KINGS) is Refusal.GIVES_CHECK


STARTS = [Position.start(variant) for variant in ALL]


@given(st.text(max_size=7) | st.from_regex(r"[a-h][1-8][a-h][1-8][nbrqkp]?", fullmatch=True))
def test_no_text_does_worse_than_be_refused(text: str) -> None:
    for position in STARTS:
        try:
            move = uci.read(position, text)
        except IllegalMove:
            continue
        assert position.is_legal(move)
