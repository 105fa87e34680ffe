"""Draw policies: when a game ends without a winner, and the order of the tests."""

import pytest

from rules import draws
from rules.errors import GameOver, IllegalMove
from rules.game import Game
from rules.move import Color
from rules.outcome import Outcome, Reason, Status
from rules.variants import ATOMIC, CHESS960, SPARK, STANDARD

LICHESS = draws.for_game(STANDARD, with_bot=False)
WITH_BOT = draws.for_game(STANDARD, with_bot=True)
ENGINE = draws.for_game(STANDARD, with_bot=True, engine=True)
SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def reason(policy: draws.DrawPolicy, fen: str | None, *moves: str) -> Reason | None:
    outcome = Game.replay(STANDARD, policy, fen, moves).outcome
    return None if outcome is None else outcome.reason


# Lichess


def test_a_hundred_plies_without_pawn_move_or_capture_draw_of_themselves() -> None:
    for policy in (LICHESS, WITH_BOT, ENGINE):
        assert reason(policy, "8/8/4k3/8/8/3QK3/8/7r w - - 99 80", "d3e2") is Reason.QUIET_PLIES
        assert reason(policy, "8/8/4k3/8/8/3QK3/8/7r w - - 98 80", "d3e2") is None


def test_the_fifth_occurrence_draws_among_people() -> None:
    assert reason(LICHESS, None, *SHUFFLE * 4) is Reason.REPETITION
    assert reason(LICHESS, None, *SHUFFLE * 3) is None


def test_the_third_occurrence_draws_where_a_player_is_a_bot() -> None:
    assert reason(WITH_BOT, None, *SHUFFLE * 2) is Reason.REPETITION
    assert reason(WITH_BOT, None, *SHUFFLE, "g1f3", "g8f6", "f3g1") is None


def test_a_draw_is_dead_only_when_neither_side_can_win() -> None:
    assert reason(LICHESS, "4k3/8/8/8/8/5p2/6B1/4K3 w - - 0 1", "g2f3") is Reason.DEAD_MATERIAL
    assert reason(LICHESS, "8/8/4k3/4r3/8/8/4B3/4K3 b - - 0 1", "e6e7") is None


# Repetition


def test_a_repetition_needs_the_same_side_to_move() -> None:
    triangle = ["e1d2", "g8h8", "d2e2", "h8g8", "e2e1"]
    game = Game.replay(STANDARD, WITH_BOT, "6k1/5p2/8/8/8/8/2P5/R3K3 w - - 0 1", triangle)
    assert game.occurrences() == 1


def test_a_repetition_needs_the_same_rights_to_castle() -> None:
    moves = ["e1e2", "e8e7", "e2e1", "e7e8"]
    game = Game.replay(STANDARD, LICHESS, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", moves)
    assert game.occurrences() == 1
    game = Game.replay(STANDARD, LICHESS, "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", moves)
    assert game.occurrences() == 2


def test_a_repetition_needs_the_same_legal_en_passant_capture() -> None:
    back_and_forth = ["e8d8", "e1d1", "d8e8", "d1e1"]
    with_target = Game.replay(STANDARD, LICHESS, "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", ["d2d4", *back_and_forth])
    assert with_target.occurrences() == 1
    without = Game.replay(STANDARD, LICHESS, "4k3/8/8/8/6p1/8/3P4/4K3 w - - 0 1", ["d2d4", *back_and_forth])
    assert without.occurrences() == 2


def test_nothing_repeats_across_a_capture_or_a_pawn_move() -> None:
    game = Game.replay(STANDARD, LICHESS, None, [*SHUFFLE, "a2a3", "a7a6", *SHUFFLE])
    assert game.occurrences() == 2


# Engine


def test_the_engine_policy_knows_few_dead_positions() -> None:
    assert reason(ENGINE, "8/8/4k3/8/8/8/4K3/8 w - - 0 1") is Reason.DEAD_MATERIAL
    assert reason(ENGINE, "8/8/4k3/8/8/8/4KB2/8 w - - 0 1") is Reason.DEAD_MATERIAL
    assert reason(ENGINE, "8/8/4k3/8/8/8/4K1N1/8 w - - 0 1") is Reason.DEAD_MATERIAL
    assert reason(ENGINE, "8/8/4k3/8/2b5/8/4K1B1/8 w - - 0 1") is None
    assert reason(LICHESS, "8/8/4k3/8/2b5/8/4K1B1/8 w - - 0 1") is Reason.DEAD_MATERIAL


def test_the_engine_policy_counts_the_third_occurrence() -> None:
    assert reason(ENGINE, None, *SHUFFLE * 2) is Reason.REPETITION


# Who has which


def test_the_games_of_a_portal_keep_their_own_policy() -> None:
    assert draws.for_game(SPARK, with_bot=True, engine=True).name == "spark"


def test_the_other_games_follow_lichess_unless_the_engine_policy_is_asked_for() -> None:
    for variant in (STANDARD, CHESS960, ATOMIC):
        assert draws.for_game(variant, with_bot=False).occurrences_limit == 5
        assert draws.for_game(variant, with_bot=True).occurrences_limit == 3
        assert draws.for_game(variant, with_bot=False, engine=True).name == "engine"


# The order


@pytest.mark.parametrize("policy", [LICHESS, ENGINE])
def test_mate_and_stalemate_come_before_the_quiet_plies(policy: draws.DrawPolicy) -> None:
    mated = Game.replay(STANDARD, policy, "7k/8/6K1/8/8/8/8/5Q2 w - - 99 90", ["f1f8"]).outcome
    assert mated == Outcome(Status.MATE, Color.WHITE, Reason.CHECKMATE)
    assert reason(policy, "7k/8/8/6K1/8/8/8/5Q2 w - - 99 90", "f1f7") is Reason.STALEMATE


def test_stalemate_comes_before_dead_material() -> None:
    assert reason(LICHESS, "8/8/8/8/8/1k1P4/4b3/K7 b - - 0 1", "e2d3") is Reason.STALEMATE


# The game


def test_a_game_that_is_over_takes_no_more_moves() -> None:
    game = Game.replay(STANDARD, WITH_BOT, None, SHUFFLE * 2)
    with pytest.raises(GameOver):
        game.play_uci("e2e4")
    assert len(game.moves) == 8


def test_a_first_position_can_be_over_at_once() -> None:
    game = Game.start(STANDARD, WITH_BOT, "8/8/4k3/8/8/8/4K3/8 w - - 0 1")
    assert game.outcome == Outcome(Status.DRAW, None, Reason.DEAD_MATERIAL)
    assert game.moves == []


def test_taking_back_brings_the_game_back_to_life() -> None:
    game = Game.replay(STANDARD, WITH_BOT, None, SHUFFLE * 2)
    game.take_back(1)
    assert game.outcome is None
    assert game.uci_moves(False) == (SHUFFLE * 2)[:-1]
    game.play_uci("f6g8")
    assert game.outcome is not None


@pytest.mark.parametrize("plies", [-1, 5])
def test_no_more_is_taken_back_than_was_played(plies: int) -> None:
    game = Game.replay(STANDARD, WITH_BOT, None, SHUFFLE)
    with pytest.raises(ValueError, match="cannot take back"):
        game.take_back(plies)


def test_a_replay_says_at_which_ply_a_move_is_illegal() -> None:
    with pytest.raises(IllegalMove) as caught:
        Game.replay(STANDARD, WITH_BOT, None, ["e2e4", "e7e5", "e4e5"])
    assert (caught.value.ply, caught.value.text) == (3, "e4e5")


def test_a_game_tells_its_moves_in_both_notations() -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]
    game = Game.replay(STANDARD, WITH_BOT, None, moves)
    assert game.san_moves() == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]
    assert game.uci_moves(rook_castling=False) == moves
    assert game.uci_moves(rook_castling=True) == [*moves[:-1], "e1h1"]
    assert (game.turn, len(game.positions), game.initial.fen()) == (Color.BLACK, 8, STANDARD.start_fen)


def test_what_a_game_gives_out_cannot_change_it() -> None:
    game = Game.replay(STANDARD, WITH_BOT, None, ["e2e4"])
    game.moves.clear()
    game.positions.clear()
    assert (len(game.moves), len(game.positions)) == (1, 2)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", False, False),
        ("8/8/4k3/4n3/8/3KN3/8/8 w - - 0 1", True, True),
        ("8/8/4k3/8/8/3KNN2/8/8 b - - 0 1", True, False),
        ("8/8/4k3/8/r7/3KB3/8/8 b - - 0 1", False, True),
        ("8/8/4k3/8/1B6/3K4/5B2/8 b - - 0 1", False, False),
        ("8/8/4k3/8/1B6/3K4/4B3/8 b - - 0 1", True, False),
        ("8/8/4k3/4p3/8/3KB3/8/8 b - - 0 1", True, True),
    ],
)
def test_each_side_can_win_or_not_by_its_own_material(fen: str, white: bool, black: bool) -> None:
    game = Game.start(STANDARD, LICHESS, fen)
    assert (game.can_win(Color.WHITE), game.can_win(Color.BLACK)) == (white, black)
