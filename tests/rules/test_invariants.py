"""What holds in every position of every game, tried along random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import san, uci, variants
from rules.errors import IllegalMove
from rules.fen import Setup
from rules.move import Color, Move, MoveKind, Piece, Role
from rules.outcome import Reason
from rules.position import Position
from rules.problems import examine
from rules.variant import Variant

STARTS = [Position.start(variant) for variant in variants.ALL]
ALL_MOVES, NOISY, QUIET, EVASIONS, THREATS = range(5)
GAMES, PLIES = 5, 90
# The others give each side its own men, or its own aim.
ALIKE = [variant for variant in variants.ALL if variant not in (variants.HORDE, variants.RACING_KINGS)]


def random_game(variant: Variant, chance: random.Random, plies: int) -> Iterator[Position]:
    """The positions of a game of random moves, from the start or, in Chess960, from a random first rank."""
    position = Position.start(variant)
    if variant.chess960:
        position = Position.from_fen(variant, shuffled_start(chance))
    for _ in range(plies):
        yield position
        moves = position.legal_moves()
        if not moves:
            return
        position = position.play(chance.choice(moves))
    yield position


def shuffled_start(chance: random.Random) -> str:
    """A Chess960 first position; the bishops may share a color, which no rule of movement minds."""
    while True:
        rank = "".join(chance.sample("RNBQKBNR", 8))
        if rank.index("R") < rank.index("K") < rank.rindex("R"):
            return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"


@pytest.fixture(scope="module", params=variants.ALL, ids=lambda variant: variant.key)
def positions(request: pytest.FixtureRequest) -> list[Position]:
    """Many positions of one game, sudden ends included."""
    chance = random.Random(20)
    return [position for _ in range(GAMES) for position in random_game(request.param, chance, PLIES)]


@pytest.fixture(scope="module")
def some(positions: list[Position]) -> list[Position]:
    """Every fourth of them, and the last, for what looks at every child."""
    return [*positions[::4], positions[-1]]


def test_the_games_are_long_enough_to_mean_something(positions: list[Position]) -> None:
    assert len(positions) > 100
    assert any(position.is_capture(move) for position in positions for move in position.legal_moves())


def test_the_incremental_key_is_the_key_from_scratch(some: list[Position]) -> None:
    for position in some:
        assert position.key == position.key_from_scratch(), position
        for move in position.legal_moves():
            child = position.play(move)
            assert child.key == child.key_from_scratch(), (position, move)


def test_a_position_is_rebuilt_from_its_fen(positions: list[Position]) -> None:
    for position in positions:
        ending = position.variant_end()
        if ending is not None and ending.reason is Reason.KING_CAPTURED:
            continue  # it can be written, not loaded
        again = Position.from_fen(position.variant, position.fen())
        assert again == position
        assert again.key == position.key
        assert set(again.legal_moves()) == set(position.legal_moves())


def test_every_legal_move_round_trips_in_every_notation(positions: list[Position]) -> None:
    for position in positions[::9]:
        for move in position.legal_moves():
            assert uci.read(position, uci.write(position, move, True)) == move
            assert uci.read(position, uci.write(position, move, False)) == move
            assert san.read(position, san.write(position, move)) == move


def test_notations_tell_moves_apart(positions: list[Position]) -> None:
    for position in positions[::9]:
        moves = position.legal_moves()
        assert len({uci.write(position, move, True) for move in moves}) == len(moves)
        assert len({san.write(position, move) for move in moves}) == len(moves)


def test_playing_never_changes_the_position_before(some: list[Position]) -> None:
    for position in some:
        before, key = position.fen(), position.key
        for move in position.legal_moves():
            assert position.play(move).turn is position.turn.other
        assert (position.fen(), position.key) == (before, key)


def test_noisy_and_quiet_together_are_all(positions: list[Position]) -> None:
    for position in positions:
        every = position.generate(ALL_MOVES)
        noisy, quiet = position.generate(NOISY), position.generate(QUIET)
        assert sorted(noisy + quiet, key=lambda move: move.code) == sorted(every, key=lambda move: move.code)
        for move in noisy:
            assert position.is_capture(move) or move.promotion is not None
        for move in quiet:
            assert not position.is_capture(move) and move.promotion is None


def test_the_legal_moves_are_the_generated_ones_that_are_lawful(positions: list[Position]) -> None:
    for position in positions:
        legal = [] if position.variant_end() else position.legal_moves()
        if legal or not position.variant_end():
            assert {move for move in position.generate(ALL_MOVES) if position.lawful_after(move)} == set(legal)
        assert position.perft(1) == len(legal)


def test_evasions_hold_every_answer_to_an_attack_on_the_king(positions: list[Position]) -> None:
    for position in positions:
        if position.variant_end() or not position.checkers():
            continue
        evasions = set(position.generate(EVASIONS))
        for move in position.legal_moves():
            after = position.play(move)
            safe = after.variant_end() is not None or not after.attackers(after.king(position.turn), after.turn)
            assert move in evasions or not safe, (position, move)


def test_threats_are_quiet_moves_that_attack_the_king(positions: list[Position]) -> None:
    for position in positions:
        quiet = set(position.generate(QUIET))
        for move in position.generate(THREATS):
            assert move in quiet
            if position.is_legal(move):
                assert position.play(move).checkers(), (position, move)


def test_attacks_on_the_king_are_foreseen(positions: list[Position]) -> None:
    for position in positions:
        for move in position.legal_moves():
            assert position.attacks_king(move) == bool(position.play(move).checkers()), (position, move)


def test_legality_is_membership(positions: list[Position]) -> None:
    chance = random.Random(4)
    pool = [move for position in positions[::5] for move in position.legal_moves()]
    for position in positions:
        legal = set(position.legal_moves())
        tried = [*chance.sample(pool, 60), *(Move(chance.getrandbits(21)) for _ in range(60)), *legal]
        for move in tried:
            assert position.is_legal(move) == (move in legal), (position, move)


def test_pseudo_legality_and_lawfulness_make_legality(positions: list[Position]) -> None:
    chance = random.Random(5)
    pool = [move for position in positions[::5] for move in position.legal_moves()]
    for position in positions:
        if position.variant_end():
            continue
        legal = set(position.legal_moves())
        for move in [*chance.sample(pool, 80), *legal]:
            held = position.pseudo_legal(move) and position.lawful_after(move)
            assert held == (move in legal), (position, move)


def test_a_move_empties_the_squares_that_it_names(some: list[Position]) -> None:
    for position in some:
        before = position.pieces()
        for move in position.legal_moves():
            captured = set(position.captured_by(move))
            after = position.play(move).pieces()
            gone = before.keys() - after.keys() - {move.origin}
            assert gone <= captured | ({move.target} if move.kind is MoveKind.CASTLE else set())
            assert all(square not in after or square == move.target for square in captured)
            capturer = 1 if captured and position.variant.blasts else 0
            dropped = 1 if move.kind is MoveKind.DROP else 0
            assert len(after) == len(before) - len(captured) - capturer + dropped


def test_perft_is_the_sum_over_the_moves(positions: list[Position]) -> None:
    for position in positions[::10]:
        assert position.perft(2) == sum(position.play(move).perft(1) for move in position.legal_moves())


# Mirrors


def mirrored(position: Position) -> Position:
    """The same position with the sides exchanged and the board turned upside down."""
    return Position.from_setup(
        position.variant,
        Setup(
            pieces={square ^ 56: Piece(role, color.other) for square, (role, color) in position.pieces().items()},
            turn=position.turn.other,
            castling=frozenset(square ^ 56 for square in position.castling_rooks),
            ep=None if position.ep_square is None else position.ep_square ^ 56,
            halfmoves=position.halfmoves,
            fullmove=position.fullmove,
            promoted=frozenset(square ^ 56 for square in position.promoted_squares()),
            pockets=(position.pocket(Color.BLACK), position.pocket(Color.WHITE)),
            checks=(position.checks(Color.BLACK), position.checks(Color.WHITE)),
        ),
    )


def upside_down(move: Move) -> Move:
    return Move.build(move.role, move.origin ^ 56, move.target ^ 56, move.kind, move.promotion)


def test_mirrored_boards_have_mirrored_moves_and_ends(positions: list[Position]) -> None:
    if positions[0].variant not in ALIKE:
        assert mirrored(positions[0]) != positions[0]
        return
    for position in positions:
        mirror = mirrored(position)
        assert {upside_down(move) for move in position.legal_moves()} == set(mirror.legal_moves())
        ending, mirror_ending = position.ending(), mirror.ending()
        if ending is not None and ending.winner is not None:
            ending = replace(ending, winner=ending.winner.other)
        assert ending == mirror_ending
        for color in Color:
            assert position.can_win(color) == mirror.can_win(color.other)


def seen_in_a_glass(position: Position) -> Position:
    """The same position with left and right exchanged; nothing may castle."""
    return Position.from_setup(
        position.variant,
        Setup(
            pieces={square ^ 7: piece for square, piece in position.pieces().items()},
            turn=position.turn,
            ep=None if position.ep_square is None else position.ep_square ^ 7,
            halfmoves=position.halfmoves,
            fullmove=position.fullmove,
            promoted=frozenset(square ^ 7 for square in position.promoted_squares()),
            pockets=(position.pocket(Color.WHITE), position.pocket(Color.BLACK)),
            checks=(position.checks(Color.WHITE), position.checks(Color.BLACK)),
        ),
    )


def test_left_and_right_are_alike_where_nothing_may_castle(positions: list[Position]) -> None:
    tried = [position for position in positions if not position.castling_rooks]
    assert tried
    for position in tried:
        image = seen_in_a_glass(position)
        swapped = {Move.build(m.role, m.origin ^ 7, m.target ^ 7, m.kind, m.promotion) for m in position.legal_moves()}
        assert swapped == set(image.legal_moves())
        assert image.ending() == position.ending()


# Any board at all


pieces = st.builds(Piece, st.sampled_from(Role), st.sampled_from(Color))
boards = st.dictionaries(st.integers(0, 63), pieces, max_size=64)
crowds = st.lists(st.sampled_from("PPPPNBRQpppnbrq.."), min_size=64, max_size=64)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """A board made by hand: often wrong, often with the two kings that most games ask for."""
    men = draw(boards)
    if draw(st.booleans()):
        white, black = draw(st.lists(st.integers(0, 63), min_size=2, max_size=2, unique=True))
        men = {square: piece for square, piece in men.items() if piece.role is not Role.KING}
        men |= {white: Piece(Role.KING, Color.WHITE), black: Piece(Role.KING, Color.BLACK)}
    return Setup(
        pieces=men,
        turn=draw(st.sampled_from(Color)),
        castling=draw(st.frozensets(st.integers(0, 63), max_size=4)),
        ep=draw(st.none() | st.integers(0, 63)),
    )


@settings(max_examples=200, deadline=None)
@given(setups())
def test_no_board_that_is_let_through_breaks_anything(setup: Setup) -> None:
    for variant in variants.ALL:
        if any(problem.is_error for problem in examine(setup, variant)):
            continue
        position = Position.from_setup(variant, setup)
        assert position.key == position.key_from_scratch()
        for move in position.legal_moves():
            after = position.play(move)
            assert after.perft(1) == len(after.legal_moves())
        assert Position.from_fen(variant, position.fen()) == position


@settings(max_examples=40, deadline=None)
@given(crowds, st.sampled_from(Color))
def test_a_crowded_board_has_room_for_its_moves(letters: list[str], turn: Color) -> None:
    men = {
        square: Piece(Role("pnbrqk".index(letter.lower())), Color.WHITE if letter.isupper() else Color.BLACK)
        for square, letter in enumerate(letters)
        if letter != "." and (letter not in "Pp" or 8 <= square < 56)
    }
    setup = Setup(men | {0: Piece(Role.KING, Color.WHITE), 63: Piece(Role.KING, Color.BLACK)}, turn)
    for variant in variants.ALL:
        if not any(problem.is_error for problem in examine(setup, variant)):
            position = Position.from_setup(variant, setup)
            assert position.perft(1) == len(position.legal_moves())


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_move_code_at_all_breaks_anything(code: int) -> None:
    for position in STARTS:
        move = Move(code)
        if not position.is_legal(move):
            with pytest.raises(IllegalMove):
                position.play(move)
        else:
            assert move in position.legal_moves()
