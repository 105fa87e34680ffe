"""The evaluation: the same for both sides, blind to what does not matter, and strict about its weights."""

import random

import pytest

from bot.search.evaluation import for_game
from bot.search.evaluation.mobile import Mobile
from bot.search.evaluation.weights import standard
from rules import variants
from rules.position import Position
from tests.search.thinking import game

VARIANTS = [pytest.param(variant, id=variant.key) for variant in variants.ALL]


def random_positions(key: str, count: int) -> list[Position]:
    chance = random.Random(f"evaluation {key}")
    found: list[Position] = []
    while len(found) < count:
        played = game(key)
        while played.outcome is None and len(played.moves) < 120:
            found.append(played.position)
            played.play(chance.choice(played.position.legal_moves()))
    return found[:count]


def mirrored(position: Position) -> Position:
    """The same position with the colors exchanged."""
    placement, turn, castling, square, *rest = position.fen().split()
    placement, _, pocket = placement.partition("[")
    board = "/".join(reversed(placement.split("/"))).swapcase()
    board += f"[{pocket.swapcase()}" if pocket else ""
    castling = "-" if castling == "-" else "".join(sorted(castling.swapcase()))
    square = square if square == "-" else square[0] + str(9 - int(square[1]))
    rest = ["+".join(reversed(field.split("+"))) for field in rest]
    fen = " ".join([board, "b" if turn == "w" else "w", castling, square, *rest])
    return Position.from_fen(position.variant, fen)


@pytest.mark.parametrize(
    "key", ["standard", "chess960", "parlour", "atomic", "spark", "crazyhouse", "kingOfTheHill", "threeCheck"]
)
def test_both_sides_are_judged_alike(key: str) -> None:
    positions = random_positions(key, 400)
    evaluation = for_game(variants.by_key(key)).evaluation
    assert evaluation.judge(positions) == evaluation.judge([mirrored(position) for position in positions])


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_legal_position_is_beyond_the_scale(variant) -> None:
    scores = for_game(variant).evaluation.judge(random_positions(variant.key, 400))
    assert all(abs(score) < 31000 for score in scores)


@pytest.mark.parametrize("variant", VARIANTS)
def test_remembered_pawns_change_nothing(variant) -> None:
    positions = random_positions(variant.key, 200)
    evaluation = for_game(variant).evaluation
    together = evaluation.judge(positions)
    assert together == [evaluation.judge([position])[0] for position in positions]


@pytest.mark.parametrize("key", ["standard", "parlour", "atomic", "spark"])
def test_a_queen_too_many_is_worth_much(key: str) -> None:
    variant = variants.by_key(key)
    castling = "KQkq" if variant.has_castling else "-"
    position = Position.from_fen(variant, f"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {castling} - 0 1")
    assert for_game(variant).evaluation.judge([position])[0] > 300


@pytest.mark.parametrize(
    ("fen", "least", "most"),
    [
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", -50, 50),
        ("8/8/4k3/8/8/3RK3/6b1/8 w - - 0 1", -50, 120),
        ("8/8/4k3/8/8/3QK3/8/8 w - - 0 1", 500, 3000),
        ("8/8/4k3/1P6/8/4K3/8/8 w - - 0 1", 60, 800),
    ],
)
def test_endings_are_known_for_what_they_are(fen: str, least: int, most: int) -> None:
    variant = variants.by_key("standard")
    score = for_game(variant).evaluation.judge([Position.from_fen(variant, fen)])[0]
    assert least <= score <= most


@pytest.mark.parametrize(("key", "checks"), [("kingOfTheHill", ""), ("threeCheck", "3+3 ")])
def test_a_knight_is_an_advantage_where_it_needs_no_mate(key: str, checks: str) -> None:
    position = Position.from_fen(variants.by_key(key), f"8/4k3/8/8/8/8/4K3/3N4 w - - {checks}0 1")
    assert for_game(position.variant).evaluation.judge([position])[0] > 150


@pytest.mark.parametrize(
    ("key", "better", "worse"),
    [
        ("threeCheck", "4k3/8/8/8/8/8/4P3/4K3 w - - 1+3 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 3+1 0 1"),
        ("threeCheck", "4k3/8/8/8/8/8/4P3/4K3 w - - 1+3 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 2+3 0 1"),
        ("kingOfTheHill", "4k3/pppp4/8/8/8/2K5/4PPPP/8 w - - 0 1", "4k3/pppp4/8/8/8/8/4PPPP/2K5 w - - 0 1"),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/6K1[QN] w - - 0 1", "6k1/5ppp/8/8/8/8/8/6K1[QNqn] w - - 0 1"),
        ("crazyhouse", "6k1/8/8/ppp5/8/8/5PPP/6K1[QN] w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/6K1[QN] w - - 0 1"),
        ("racingKings", "8/8/1K6/8/8/8/6k1/8 w - - 0 1", "8/8/8/1K6/8/8/6k1/8 w - - 0 1"),
        ("racingKings", "8/8/1K6/8/8/8/6k1/8 w - - 0 1", "8/r7/1K6/8/8/8/6k1/7R w - - 0 1"),
    ],
)
def test_each_game_knows_what_it_is_about(key: str, better: str, worse: str) -> None:
    variant = variants.by_key(key)
    positions = [Position.from_fen(variant, fen) for fen in (better, worse)]
    first, second = for_game(variant).evaluation.judge(positions)
    assert first > second + 20


def test_horde_begins_about_even() -> None:
    assert abs(for_game(variants.HORDE).evaluation.judge([Position.start(variants.HORDE)])[0]) < 60


def test_an_evaluation_to_be_measured_by_is_known_by_its_name() -> None:
    profile = for_game(variants.SPARK)
    assert profile.with_rival("material").evaluation.judge([Position.start(variants.SPARK)]) == [0]
    with pytest.raises(ValueError, match="no evaluation 'best' of this game; there is material, untuned"):
        profile.with_rival("best")


def test_weights_must_fit_the_layout() -> None:
    groups = {name: standard.WEIGHTS[name] for name, _, _ in Mobile.LAYOUT}
    with pytest.raises(ValueError, match="tempo"):
        Mobile({name: pairs for name, pairs in groups.items() if name != "tempo"})
    with pytest.raises(ValueError, match="rook_reach"):
        Mobile({**groups, "rook_reach": groups["rook_reach"][1:]})
