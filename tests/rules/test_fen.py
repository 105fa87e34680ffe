"""FEN: what is read, what is written, and what is refused where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import fen, variants
from rules.errors import FenError, FenFault, FenField
from rules.move import Color, Piece, Role, parse_square
from rules.position import Position
from rules.variant import Variant
from rules.variants import (
    ANTICHESS,
    ATOMIC,
    CHESS960,
    CRAZYHOUSE,
    HORDE,
    PARLOUR,
    RACING_KINGS,
    SPARK,
    STANDARD,
    THREE_CHECK,
)
from tests.diagram import after, fen_of, names

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def fault(text: str, variant: Variant = STANDARD) -> tuple[FenFault, FenField, int]:
    with pytest.raises(FenError) as caught:
        fen.read(text, variant)
    return caught.value.fault, caught.value.field, caught.value.column


# Reading


def test_a_fen_tells_men_turn_rights_target_and_clocks() -> None:
    setup = fen.read("r3k3/8/8/8/4Pp2/8/8/4K2R b Kq e3 7 31", STANDARD)
    assert setup.pieces[parse_square("e4")] == Piece(Role.PAWN, Color.WHITE)
    assert setup.pieces[parse_square("a8")] == Piece(Role.ROOK, Color.BLACK)
    assert (setup.turn, setup.ep, setup.halfmoves, setup.fullmove) == (Color.BLACK, parse_square("e3"), 7, 31)
    assert names(sorted(setup.castling)) == {"h1", "a8"}


def test_a_drawing_is_a_fen() -> None:
    drawing = """
        r n b q k b n r
        p p p p p p p p
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P P P P P P
        R N B Q K B N R
    """
    assert fen_of(drawing, "w KQkq - 0 1") == START


def test_clocks_may_be_left_out_from_the_right() -> None:
    four = fen.read("4k3/8/8/8/8/8/8/4K3 w - -", STANDARD)
    five = fen.read("4k3/8/8/8/8/8/8/4K3 w - - 12", STANDARD)
    assert (four.halfmoves, four.fullmove, five.halfmoves, five.fullmove) == (0, 1, 12, 1)


def test_move_zero_is_read_as_move_one() -> None:
    assert fen.read("4k3/8/8/8/8/8/8/4K3 w - - 0 0", STANDARD).fullmove == 1


def test_space_around_and_between_fields_does_not_matter() -> None:
    assert fen.read("  " + START.replace(" ", "   ") + "\n", STANDARD) == fen.read(START, STANDARD)


@pytest.mark.parametrize(
    ("field", "rooks"),
    [
        ("KQkq", {"a1", "g1", "b8", "h8"}),  # the outermost rook on each side
        ("GAhb", {"a1", "g1", "b8", "h8"}),  # Shredder: files
        ("FCfc", {"c1", "f1", "c8", "f8"}),  # inner rooks by file
        ("Kb", {"g1", "b8"}),
        ("-", set()),
    ],
)
def test_castling_rights_are_read_in_every_usual_form(field: str, rooks: set[str]) -> None:
    setup = fen.read(f"1rr1kr1r/8/8/8/8/8/8/R1R1KRR1 w {field} - 0 1", CHESS960)
    assert names(sorted(setup.castling)) == rooks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (FenFault.FIELD_COUNT, FenField.TEXT, 1)),
        ("4k3/8/8/8/8/8/8/4K3 w -", (FenFault.FIELD_COUNT, FenField.TEXT, 1)),
        (START + " 0", (FenFault.FIELD_COUNT, FenField.TEXT, 1)),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", (FenFault.RANK_COUNT, FenField.PLACEMENT, 1)),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", (FenFault.NO_POCKET_HERE, FenField.POCKET, 19)),
        ("4k3/ppppppppp/8/8/8/8/8/4K3 w - - 0 1", (FenFault.RANK_TOO_LONG, FenField.PLACEMENT, 13)),
        ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", (FenFault.RANK_TOO_SHORT, FenField.PLACEMENT, 5)),
        ("4k3//8/8/8/8/8/4K3 w - - 0 1", (FenFault.RANK_TOO_SHORT, FenField.PLACEMENT, 5)),
        ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", (FenFault.ADJACENT_DIGITS, FenField.PLACEMENT, 6)),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", (FenFault.UNKNOWN_LETTER, FenField.PLACEMENT, 6 - 1)),
        ("4k3/8/3z4/8/8/8/8/4K3 w - - 0 1", (FenFault.UNKNOWN_LETTER, FenField.PLACEMENT, 8)),
        ("4\u212a3/8/8/8/8/8/8/4K3 w - - 0 1", (FenFault.UNKNOWN_LETTER, FenField.PLACEMENT, 2)),
        ("4k3/~7/8/8/8/8/8/4K3 w - - 0 1", (FenFault.MISPLACED_MARK, FenField.PLACEMENT, 5)),
        ("4k3/Q~7/8/8/8/8/8/4K3 w - - 0 1", (FenFault.NO_POCKET_HERE, FenField.PLACEMENT, 6)),
        ("4k3/8/8/8/8/8/8/4K3[Q w - - 0 1", (FenFault.UNCLOSED_POCKET, FenField.POCKET, 20)),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", (FenFault.NO_POCKET_HERE, FenField.POCKET, 21)),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", (FenFault.TURN, FenField.TURN, 21)),
        ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", (FenFault.CASTLING, FenField.CASTLING, 24)),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", (FenFault.CASTLING, FenField.CASTLING, 28)),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1", (FenFault.CASTLING, FenField.CASTLING, 28)),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", (FenFault.EN_PASSANT, FenField.EN_PASSANT, 25)),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", (FenFault.NUMBER, FenField.HALFMOVES, 27)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", (FenFault.NUMBER, FenField.FULLMOVE, 29)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 10000", (FenFault.NUMBER, FenField.FULLMOVE, 29)),
        ("4k3/8/8/8/8/8/8/4K3 w - - \u0663 1", (FenFault.NUMBER, FenField.HALFMOVES, 27)),
    ],
)
def test_a_bad_text_is_refused_with_its_field_and_column(text: str, expected: tuple[FenFault, FenField, int]) -> None:
    assert fault(text) == expected


def test_a_game_without_castling_and_en_passant_takes_six_fields_and_dashes() -> None:
    assert fault("4k3/8/8/8/8/8/8/4K3 w - -", SPARK)[0] is FenFault.FIELD_COUNT
    assert fault("4k3/8/8/8/8/8/8/4K2R w K - 0 1", SPARK)[0] is FenFault.NO_CASTLING_HERE
    assert fault("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", SPARK)[0] is FenFault.NO_EN_PASSANT_HERE
    assert fen.read("4k3/8/8/8/8/8/8/4K3 w - - 0 1", SPARK).castling == frozenset()


def test_the_error_says_what_and_where() -> None:
    with pytest.raises(FenError, match=r"placement, column 8: .*'z'"):
        fen.read("4k3/8/3z4/8/8/8/8/4K3 w - - 0 1", STANDARD)


@given(st.text(max_size=90))
def test_no_text_does_worse_than_be_refused(text: str) -> None:
    for variant in variants.ALL:
        try:
            fen.read(text, variant)
        except FenError as error:
            assert 1 <= error.column <= len(text) + 1


@given(st.text(alphabet="rnbqkpRNBQKP12345678/ w-KQkqAHah~[]36e0+", max_size=90))
def test_no_text_of_the_right_letters_does_worse_either(text: str) -> None:
    for variant in variants.ALL:
        try:
            fen.read(text, variant)
        except FenError as error:
            assert 1 <= error.column <= len(text) + 1


POCKET = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize("text", [f"{POCKET}[QPpp] w - - 0 1", f"{POCKET}/QPpp w - - 0 1", f"{POCKET}[ppPQ] w - - 0 1"])
def test_men_in_hand_are_read_in_brackets_or_as_a_ninth_rank(text: str) -> None:
    setup = fen.read(text, CRAZYHOUSE)
    assert [dict(pocket) for pocket in setup.pockets] == [{Role.QUEEN: 1, Role.PAWN: 1}, {Role.PAWN: 2}]


@pytest.mark.parametrize(
    "text", [f"{POCKET}[] w - - 0 1", f"{POCKET}[-] w - - 0 1", f"{POCKET}/ w - - 0 1", f"{POCKET} w - -"]
)
def test_the_hands_may_be_empty(text: str) -> None:
    assert [dict(pocket) for pocket in fen.read(text, CRAZYHOUSE).pockets] == [{}, {}]


def test_a_promoted_man_is_marked() -> None:
    setup = fen.read("4k3/1Q~6/8/8/8/8/r~7/4K3[] w - - 0 1", CRAZYHOUSE)
    assert names(sorted(setup.promoted)) == {"a2", "b7"}
    assert setup.pieces[parse_square("b7")] == Piece(Role.QUEEN, Color.WHITE)
    assert fault("4k3/1P~6/8/8/8/8/8/4K3[] w - - 0 1", CRAZYHOUSE)[0] is FenFault.MISPLACED_MARK
    assert fault("4k3/8/8/8/8/8/8/4K3[z] w - - 0 1", CRAZYHOUSE) == (FenFault.UNKNOWN_LETTER, FenField.POCKET, 21)


@pytest.mark.parametrize(
    ("rest", "given"),
    [
        ("w KQkq - 3+3 0 1", (0, 0)),
        ("w KQkq - 1+2 5 9", (2, 1)),
        ("w KQkq - 0 1 +0+0", (0, 0)),
        ("w KQkq - 5 9 +2+1", (2, 1)),
        ("w KQkq - 0 1", (0, 0)),
        ("w KQkq - 1+2", (2, 1)),
        ("w KQkq -", (0, 0)),
    ],
)
def test_checks_are_read_as_left_or_as_given(rest: str, given: tuple[int, int]) -> None:
    setup = fen.read(f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {rest}", THREE_CHECK)
    assert setup.checks == given
    assert (setup.halfmoves, setup.fullmove) == ((5, 9) if "5 9" in rest else (0, 1))


@pytest.mark.parametrize("rest", ["w - - 4+3 0 1", "w - - 0 1 +4+0", "w - - 1+1+1 0 1", "w - - 0 1 +1"])
def test_nobody_gives_more_than_three_checks(rest: str) -> None:
    assert fault(f"4k3/8/8/8/8/8/8/4K3 {rest}", THREE_CHECK)[:2] == (FenFault.CHECKS, FenField.CHECKS)


def test_a_game_that_counts_no_checks_takes_no_counters() -> None:
    assert fault("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1")[0] is FenFault.FIELD_COUNT
    assert fault("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1 +0+0", THREE_CHECK)[0] is FenFault.FIELD_COUNT


# Writing


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (STANDARD, START),
        (PARLOUR, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 49 77"),
        (STANDARD, "4k3/8/8/3PpP2/8/8/8/4K3 w - e6 0 1"),
        (ATOMIC, "8/8/8/8/8/8/3P4/4K3 b - - 0 1"),
        (CHESS960, "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1"),
        (CHESS960, "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1"),
        (CHESS960, "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Qq - 0 1"),
        (CRAZYHOUSE, "2rn1b1r/1pp2n1p/B1PBk1pP/5p1P/P5p1/2P2RP1/RP1QNP2/1NBK4[QPp] w - - 0 1"),
        (CRAZYHOUSE, "4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - - 0 1"),
        (THREE_CHECK, "8/4k3/8/2pP4/8/8/8/4K3 w - c6 1+2 0 1"),
        (HORDE, "r3k2r/pppppppp/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP b kq - 0 1"),
        (RACING_KINGS, RACING_KINGS.start_fen),
        (ANTICHESS, "4K3/8/1b6/8/8/8/5B2/3k4 b - - 0 1"),
        (SPARK, "rpbpk1nr/1pQ1pp2/5p1n/4p3/5b2/P1P4P/P2PP1P1/RNBPKBNR w - - 1 25"),
    ],
)
def test_what_is_read_is_written_back(variant: Variant, text: str) -> None:
    assert Position.from_fen(variant, text).fen() == text


def test_an_en_passant_target_that_nobody_can_use_is_not_written() -> None:
    assert after(Position.start(STANDARD), "e2e4").fen().split()[3] == "-"
    read = Position.from_fen(STANDARD, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert read.fen().split()[3] == "-"
    assert Position.from_fen(STANDARD, "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1").fen().split()[3] == "-"


def test_a_right_is_written_by_its_file_only_when_another_rook_stands_further_out() -> None:
    position = Position.from_fen(CHESS960, "4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1")
    assert position.fen().split()[2] == "KQ"
    outside = after(Position.from_fen(CHESS960, "r3k3/8/8/8/8/8/7R/1R2KR2 w FBa - 0 1"), "h2h1")
    assert outside.fen().split()[2] == "FQq"
