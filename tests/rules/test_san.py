"""The written form of moves: SAN as it is written, as people type it, and Spark's signs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import san, uci
from rules.errors import IllegalMove, Refusal
from rules.position import Position
from rules.variant import Variant
from rules.variants import ALL, ATOMIC, CHESS960, SPARK, STANDARD
from tests.diagram import written


def board(fen: str, variant: Variant = STANDARD) -> Position:
    return Position.from_fen(variant, fen)


def write(fen: str, move: str, variant: Variant = STANDARD) -> str:
    position = board(fen, variant)
    return san.write(position, uci.read(position, move))


def read(fen: str, text: str, variant: Variant = STANDARD) -> str:
    position = board(fen, variant)
    return uci.write(position, san.read(position, text), False)


def refusal(fen: str, text: str, variant: Variant = STANDARD) -> Refusal:
    with pytest.raises(IllegalMove) as caught:
        san.read(board(fen, variant), text)
    assert caught.value.text == text
    return caught.value.refusal


START = STANDARD.start_fen
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
ROOKS = "4k3/8/8/R7/8/8/8/R3K2R w - - 0 1"
EN_PASSANT = "4k3/8/8/3PpP2/8/8/8/4K3 w - e6 0 1"
PROMOTION = "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1"


# Writing


@pytest.mark.parametrize(
    ("fen", "move", "text"),
    [
        (START, "e2e4", "e4"),
        (START, "g1f3", "Nf3"),
        (EN_PASSANT, "d5e6", "dxe6"),
        (PROMOTION, "e7e8q", "e8=Q+"),
        (PROMOTION, "e7d8n", "exd8=N"),
        (CASTLING, "e1g1", "O-O"),
        (CASTLING, "e1c1", "O-O-O"),
        ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2"),
        (ROOKS, "a5a3", "R5a3"),
        (ROOKS, "a1d1", "Rd1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("6k1/5pp1/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"),
    ],
)
def test_san_is_written_as_its_standard_says(fen: str, move: str, text: str) -> None:
    assert write(fen, move) == text


def test_a_pinned_rival_needs_no_disambiguation() -> None:
    assert write("4k3/4r3/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3") == "Nc3"


def test_a_stalemate_has_no_sign() -> None:
    assert write("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", "f1f7") == "Qf7"


def test_a_move_that_explodes_the_king_ends_with_the_sign_of_mate() -> None:
    assert write("4k3/4p3/8/8/8/8/8/4RK2 w - - 0 1", "e1e7", ATOMIC) == "Rxe7#"


def test_castling_is_written_alike_in_chess960() -> None:
    assert write("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", CHESS960) == "O-O+"


# Reading


@pytest.mark.parametrize("variant", ALL)
def test_every_written_move_of_the_start_is_read_back(variant: Variant) -> None:
    position = Position.start(variant)
    for text in written(position):
        assert san.write(position, san.read(position, text)) == text


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (CASTLING, "0-0", "e1g1"),
        (CASTLING, "0-0-0", "e1c1"),
        (CASTLING, "o-o", "e1g1"),
        (CASTLING, "O-O+", "e1g1"),
        (EN_PASSANT, "de6", "d5e6"),
        (EN_PASSANT, "dxe6 e.p.", "d5e6"),
        (EN_PASSANT, "d5xe6", "d5e6"),
        (PROMOTION, "e8Q", "e7e8q"),
        (PROMOTION, "e8=q", "e7e8q"),
        (PROMOTION, "e8(R)", "e7e8r"),
        (PROMOTION, "e8/B", "e7e8b"),
        (PROMOTION, "e8", "e7e8q"),
        (PROMOTION, "ed8N", "e7d8n"),
        (START, "Ng1f3", "g1f3"),
        (START, "Ng1-f3", "g1f3"),
        (START, "g1f3", "g1f3"),
        (START, "e2-e4", "e2e4"),
        (START, "Pe4", "e2e4"),
        (START, "e4!?", "e2e4"),
        (START, "Nf3+", "g1f3"),
        (START, " Nf3 ", "g1f3"),
        (START, "♘f3", "g1f3"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "a1a8"),
        ("4k3/8/8/8/8/8/8/R3K2n w - - 0 1", "Ra1d1", "a1d1"),
        ("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1", "Rd8", "d1d8"),
        ("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1", "R:d8+", "d1d8"),
    ],
)
def test_what_people_type_is_understood(fen: str, text: str, move: str) -> None:
    assert read(fen, text) == move


def test_a_lower_case_b_is_the_file() -> None:
    position = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1"
    assert read(position, "bxc3") == "b2c3"
    assert read(position, "Bxc3") == "d2c3"


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "", Refusal.UNREADABLE),
        (START, "hello", Refusal.UNREADABLE),
        (START, "e9", Refusal.UNREADABLE),
        (START, "--", Refusal.NULL_MOVE),
        (START, "e5", Refusal.CANNOT_REACH),
        (START, "Nd4", Refusal.NO_MAN_FITS),
        (START, "Ng1d4", Refusal.CANNOT_REACH),
        (START, "Bc4", Refusal.NO_MAN_FITS),
        (START, "Qd3", Refusal.BLOCKED),
        (START, "Qd2", Refusal.OWN_MAN),
        (START, "Nxf3", Refusal.NO_SUCH_CAPTURE),
        (START, "exd3", Refusal.NO_SUCH_CAPTURE),
        (START, "O-O", Refusal.NO_CASTLING),
        (START, "e4=Q", Refusal.NO_SUCH_PROMOTION),
        (START, "N@e4", Refusal.NO_DROPS),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", Refusal.LEAVES_KING_ATTACKED),
        ("4r2k/8/8/8/8/8/4N3/4K1N1 w - - 0 1", "Nec3", Refusal.LEAVES_KING_ATTACKED),
        (PROMOTION, "e8=K", Refusal.NO_SUCH_PROMOTION),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "Kf8", Refusal.GAME_OVER),
    ],
)
def test_a_wrong_move_is_refused_with_the_reason(fen: str, text: str, reason: Refusal) -> None:
    assert refusal(fen, text) is reason


def test_an_ambiguous_move_is_refused_with_its_candidates() -> None:
    with pytest.raises(IllegalMove) as caught:
        san.read(board(ROOKS), "Ra3")
    assert caught.value.refusal is Refusal.AMBIGUOUS
    assert set(caught.value.candidates) == {"R1a3", "R5a3"}


def test_in_atomic_the_reason_may_be_the_own_king() -> None:
    assert refusal("6k1/8/8/8/8/8/1n5R/K7 w - - 0 1", "Rxb2", ATOMIC) is Refusal.EXPLODES_OWN_KING
    assert refusal("6k1/8/8/8/8/8/1n5R/K7 w - - 0 1", "Kxb2", ATOMIC) is Refusal.EXPLODES_OWN_KING


STARTS = [Position.start(variant) for variant in ALL]


@given(st.text(max_size=12))
def test_no_text_does_worse_than_be_refused(text: str) -> None:
    for position in STARTS:
        try:
            move = san.read(position, text)
        except IllegalMove:
            continue
        assert position.is_legal(move)


# Spark


SHIFT = "4k3/8/8/8/8/8/1B3P2/3RK3 w - - 0 1"
SWAP = "4k3/8/8/8/3N4/8/1B3P2/3RK3 w - - 0 1"
PUSH = "4k3/8/8/8/8/2N1P3/8/1B2K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "move", "text"),
    [
        (SHIFT, "f2d4", "f2>d4"),
        (SWAP, "f2d4", "f2>Nd4"),
        ("4k3/8/8/8/8/4P3/3QR3/4K3 w - - 0 1", "e3e1", "e3>Ke1"),
        ("p3k3/8/8/8/3r4/8/2n5/4K3 b - - 0 1", "a8b4", "a8>b4"),
        (PUSH, "e3e4", "e4"),
    ],
)
def test_a_spark_move_carries_its_sign(fen: str, move: str, text: str) -> None:
    assert write(fen, move, SPARK) == text
    assert read(fen, text, SPARK) == move


def test_there_is_no_sign_of_check_and_one_for_the_capture_of_the_king() -> None:
    assert write("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", SPARK) == "Qd7"
    assert write("4k3/8/8/7Q/8/8/8/4K3 w - - 0 1", "h5e8", SPARK) == "Qxe8#"


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (PUSH, "e3>e4", Refusal.NO_SPARK_MOVE),
        (SHIFT, "f2>Nd4", Refusal.WRONG_PARTNER),
        (SWAP, "f2>d4", Refusal.WRONG_PARTNER),
        (SWAP, "f2>Bd4", Refusal.WRONG_PARTNER),
        (SWAP, "d4>f2", Refusal.SWAP_REVERSED),
        (SHIFT, "f2>e5", Refusal.NOT_GUARDED_TWICE),
        (SHIFT, "f2>f8", Refusal.CANNOT_REACH),
        (SHIFT, "a3>d4", Refusal.EMPTY_SQUARE),
    ],
)
def test_a_wrong_spark_move_is_refused_with_the_reason(fen: str, text: str, reason: Refusal) -> None:
    assert refusal(fen, text, SPARK) is reason


def test_spark_moves_play_no_part_in_disambiguation() -> None:
    assert write("4k3/8/8/8/8/2N5/4P3/1B2K3 w - - 0 1", "c3e4", SPARK) == "Ne4"
