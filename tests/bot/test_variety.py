"""A lost line is not played again: where it is left, for what, and what else may be played for a change."""

from __future__ import annotations

from random import Random

from bot.config import Variety
from bot.variety import Aim, LostLines, aim_of, other_move
from rules import uci, variants
from rules.move import Color, Move
from rules.position import Position

START = Position.start(variants.STANDARD)
LOST = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "b2b4", "c5b4", "c2c3", "b4a5", "d2d4", "e5d4", "e1g1", "d7d6"]


def after(moves: list[str]) -> Position:
    position = START
    for text in moves:
        position = position.play(uci.read(position, text))
    return position


def written(position: Position, moves: frozenset[Move]) -> set[str]:
    return {uci.write(position, move, False) for move in moves}


def test_only_our_own_moves_of_lost_games_are_shunned_and_only_early_ones() -> None:
    lines = LostLines(START, Color.WHITE, [LOST, ["d2d4", "d7d5"]], by_ply=12)
    assert written(START, lines.moves(START)) == {"e2e4", "d2d4"}
    assert lines.moves(after(LOST[:1])) == frozenset(), "that is the opponent's turn"
    assert written(after(LOST[:10]), lines.moves(after(LOST[:10]))) == {"d2d4"}
    assert lines.moves(after(LOST[:12])) == frozenset(), "too late in the game to matter"


def test_a_line_is_known_by_its_positions_whatever_the_order_of_moves() -> None:
    lines = LostLines(START, Color.WHITE, [["d2d4", "d7d5", "g1f3", "g8f6", "c2c4"]], by_ply=12)
    turned = after(["g1f3", "d7d5", "d2d4", "g8f6"])
    assert written(turned, lines.moves(turned)) == {"c2c4"}


def test_a_game_filed_in_another_notation_is_read_as_far_as_it_goes() -> None:
    lines = LostLines(START, Color.WHITE, [["e4", "e5", "Nf3"], ["e2e4", "e5"]], by_ply=12)
    assert written(START, lines.moves(START)) == {"e2e4"}


def left_at(seed: int) -> int | None:
    """The ply at which White leaves the lost line, playing on as before otherwise."""
    settings, chance = Variety(), Random(seed)
    lines = LostLines(START, Color.WHITE, [LOST], settings.by_ply)
    position = START
    for ply, text in enumerate(LOST):
        if ply % 2 == 0 and aim_of(settings, lines, position, ply, chance) is not None:
            return ply
        position = position.play(uci.read(position, text))
    return None


def test_behaviour_16_a_lost_line_is_left_by_ply_twelve_at_different_places() -> None:
    plies = [left_at(seed) for seed in range(200)]
    assert all(ply is not None and ply < 12 for ply in plies)
    assert len(set(plies)) >= 5, "not always at the same move"
    assert plies == [left_at(seed) for seed in range(200)], "the same seed leaves it at the same move"


def test_without_a_lost_line_the_search_decides_unless_openings_shall_vary() -> None:
    empty = LostLines(START, Color.WHITE, [], by_ply=12)
    assert aim_of(Variety(), empty, START, 0, Random(1)) is None
    assert aim_of(Variety(), None, START, 0, Random(1)) is None
    varied = Variety(opening_plies=4, opening_loss_cp=30)
    assert aim_of(varied, None, START, 0, Random(1)) == Aim(frozenset(), 30)
    assert aim_of(varied, None, START, 4, Random(1)) is None


SCORES = {"e2e4": 40, "d2d4": 38, "c2c4": 25, "g1f3": 20, "a2a3": -10, "g2g4": -90}


def chosen(aim: Aim, seed: int) -> str | None:
    def score_cp(move: Move) -> int:
        return SCORES.get(uci.write(START, move, False), -300)

    move = other_move(aim, START.legal_moves(), score_cp, Random(seed))
    return None if move is None else uci.write(START, move, False)


def test_another_move_is_good_enough_and_not_one_of_the_lost_ones() -> None:
    shunned = frozenset({uci.read(START, "e2e4")})
    found = [chosen(Aim(shunned, 20), seed) for seed in range(60)]
    assert set(found) == {"d2d4", "c2c4", "g1f3"}
    assert found.count("d2d4") > found.count("g1f3"), "the better, the likelier"


def test_no_other_move_is_played_when_all_are_much_worse() -> None:
    shunned = frozenset(uci.read(START, text) for text in ("e2e4", "d2d4"))
    assert chosen(Aim(shunned, 10), 1) is None


def test_looking_may_be_cut_short() -> None:
    looked: list[Move] = []

    def score_cp(move: Move) -> int | None:
        looked.append(move)
        return 0 if len(looked) < 4 else None

    assert other_move(Aim(frozenset(), 20), START.legal_moves(), score_cp, Random(1)) is None
    assert len(looked) == 4
