"""Tuning: weights that were put wrong are found again, from games alone, and the same way each time."""

import builtins
import importlib.util
import random
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bot.__main__ import main
from bot.search.evaluation import for_game
from bot.search.evaluation.mobile import Mobile
from bot.search.evaluation.weights import atomic, standard
from bot.search.training import examples
from bot.search.training.examples import Examples
from bot.search.training.packing import Judged, Layout
from bot.search.training.records import RecordsError, header_bytes
from bot.search.training.trace import Knob, Trace, trace, white_scores, with_changes
from bot.search.training.tuning import Epoch, Recipe, Tuner, fitted_scale
from bot.search.training.weightsfile import module_text
from rules import draws, variants
from rules.game import Game
from rules.position import Position
from rules.variant import Variant

TRUE = {name: standard.WEIGHTS[name] for name, _, _ in Mobile.LAYOUT}
# A bishop for a pawn less, a queen for too much, mobility that counts for nothing.
WRONG = {
    **TRUE,
    "material": ((82, 100), (335, 300), (250, 220), (470, 540), (1150, 1130), (0, 0)),
    "rook_reach": ((0, 0),) * 15,
}
SCALE_CP = 250


def played(key: str, games: int) -> list[list[Position]]:
    """Positions of games at random, game by game."""
    variant = variants.by_key(key)
    chance = random.Random(f"tune {key}")
    found = []
    for _ in range(games):
        game = Game.start(variant, draws.for_game(variant, with_bot=True))
        while game.outcome is None and len(game.moves) < 80:
            game.play(chance.choice(game.position.legal_moves()))
        found.append(game.positions[8:])
    return found


def write_records(path: Path, variant: Variant, games: list[list[Position]], weights, kind) -> Path:
    """Games whose scores are those of some weights, and whose results follow from the scores by chance."""
    layout, chance = Layout(variant), random.Random(5)
    evaluation = kind(weights)
    content = header_bytes(variant, {"made_by": "a test"})
    for number, positions in enumerate(games):
        for ply, (position, score) in enumerate(zip(positions, evaluation.judge(positions), strict=True)):
            won = chance.random() < 1 / (1 + np.exp(-score / SCALE_CP))
            content += layout.pack(position, Judged(max(-2000, min(2000, score)), 2 * won, ply, number))
    path.write_bytes(content)
    return path


@pytest.fixture(scope="module")
def games() -> list[list[Position]]:
    return played("standard", 160)


@pytest.fixture(scope="module")
def known(games: list[list[Position]], tmp_path_factory: pytest.TempPathFactory) -> Examples:
    path = write_records(tmp_path_factory.mktemp("tune") / "records", variants.STANDARD, games, TRUE, Mobile)
    return examples.load([path], variants.STANDARD, 100_000, 0.2, seed=1)


@pytest.fixture(scope="module")
def wrong_trace(known: Examples) -> Trace:
    return trace(Mobile(WRONG), WRONG, known.positions, 20, lambda done, total: None)


def test_the_shares_of_all_weights_add_up_to_the_evaluation(known: Examples, wrong_trace: Trace) -> None:
    moved = {Knob("material", role, phase): change for role, change in ((2, 100.0), (4, -150.0)) for phase in (0, 1)}
    changes = np.array([moved.get(knob, 0.0) for knob in wrong_trace.knobs])
    expected = white_scores(Mobile(with_changes(WRONG, moved)), known.positions)
    assert np.abs(wrong_trace.scores(changes) - expected).max() <= 3


def test_the_gradient_is_that_of_the_scores(wrong_trace: Trace) -> None:
    chance = np.random.default_rng(1)
    by_score = chance.normal(size=len(wrong_trace.base_cp)).astype(np.float32)
    step = chance.normal(size=len(wrong_trace.knobs))
    rise = np.dot(wrong_trace.scores(step) - wrong_trace.base_cp, by_score)
    assert np.dot(wrong_trace.gradient(by_score), step) == pytest.approx(rise, rel=1e-3, abs=1.0)


def test_weights_that_hardly_occur_are_left_alone(wrong_trace: Trace) -> None:
    # A pawn never stands on its first or last rank.
    assert not any(knob.group == "squares" and knob.place < 4 for knob in wrong_trace.knobs)
    assert all(len(known) >= 20 for known in wrong_trace.positions)


def test_weights_that_were_put_wrong_are_found_again(known: Examples, wrong_trace: Trace) -> None:
    recipe = Recipe(epochs=400, result_share=0.0, expected_move_cp=200)
    tuned = Tuner(known, wrong_trace, recipe).tune(lambda epoch: None)
    assert tuned.after.held_out < tuned.before.held_out / 20
    found = with_changes(WRONG, tuned.changes)
    # Part of it may be laid on their squares.
    assert found["material"][2][0] > WRONG["material"][2][0] + 25
    assert found["material"][4][0] < WRONG["material"][4][0] - 40
    unlike = np.abs(white_scores(Mobile(found), known.positions) - white_scores(Mobile(TRUE), known.positions))
    before = np.abs(wrong_trace.base_cp - white_scores(Mobile(TRUE), known.positions))
    assert unlike[known.held_out].mean() < before[known.held_out].mean() / 3


def test_labels_of_pure_chance_do_not_move_the_weights_far(known: Examples, wrong_trace: Trace) -> None:
    """Forty results drawn by lot are learnt by heart unless something holds against it."""
    few = np.arange(len(known.positions))
    results = np.random.default_rng(3).integers(0, 2, len(few)).astype(np.float32)
    lots = Examples(known.positions, known.scores_cp, results, known.held_out, known.games)
    tuned = Tuner(lots, wrong_trace, Recipe(result_share=1.0)).tune(lambda epoch: None)
    assert max(map(abs, tuned.changes.values())) < 30
    assert tuned.after.held_out <= tuned.before.held_out


def test_tuning_stops_when_games_held_out_are_predicted_no_better(known: Examples, wrong_trace: Trace) -> None:
    told: list[Epoch] = []
    tuned = Tuner(known, wrong_trace, Recipe(epochs=400, result_share=1.0, patience=5)).tune(told.append)
    assert told[-1].number == tuned.after.number + 5 < 400
    assert tuned.after.held_out == min(epoch.held_out for epoch in told)


def test_the_scale_is_found_by_which_results_were_drawn() -> None:
    chance = np.random.default_rng(1)
    scores = chance.normal(scale=400, size=60_000).astype(np.float32)
    results = (chance.random(len(scores)) < 1 / (1 + np.exp(-scores / 170))).astype(np.float32)
    assert fitted_scale(scores, results) == pytest.approx(170, abs=20)


def test_games_are_held_out_whole_and_the_same_for_the_same_seed(games: list[list[Position]], tmp_path: Path) -> None:
    path = write_records(tmp_path / "records", variants.STANDARD, games, TRUE, Mobile)
    first, again, other = (examples.load([path], variants.STANDARD, 100_000, 0.2, seed) for seed in (1, 1, 2))
    assert (first.held_out == again.held_out).all()
    assert not np.array_equal(first.held_out, other.held_out)
    assert first.games == len(games)
    ends = np.cumsum([len(positions) for positions in games])
    assert all(len(set(part)) <= 1 for part in np.split(first.held_out, ends))
    assert 0.1 < first.held_out.mean() < 0.3


def test_results_and_scores_are_whites(games: list[list[Position]], known: Examples) -> None:
    assert known.scores_cp == pytest.approx(np.clip(white_scores(Mobile(TRUE), known.positions), -2000, 2000))
    assert set(known.results) == {0.0, 1.0}
    assert known.results[known.scores_cp > 500].mean() > 0.8
    assert known.results[known.scores_cp < -500].mean() < 0.2


@pytest.mark.parametrize("key", ["standard", "atomic", "spark", "antichess", "racingKings", "crazyhouse"])
def test_an_evaluation_gives_its_weights_back(key: str) -> None:
    evaluation = for_game(variants.by_key(key)).evaluation
    positions = [position for game in played(key, 3) for position in game]
    assert type(evaluation)(evaluation.table()).judge(positions) == evaluation.judge(positions)


def test_the_table_of_an_evaluation_is_that_of_its_module() -> None:
    assert for_game(variants.ATOMIC).evaluation.table() == atomic.WEIGHTS


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("tuned_weights", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_weights_are_written_as_the_modules_that_hold_them(tmp_path: Path) -> None:
    text = module_text("Standard chess.", standard.WEIGHTS)
    (tmp_path / "written.py").write_text(text)
    assert module_at(tmp_path / "written.py").WEIGHTS == standard.WEIGHTS
    assert text == Path(standard.__file__).read_text()


def test_the_command_writes_weights_that_can_be_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variant = variants.ATOMIC
    shared = for_game(variant).evaluation
    wrong = {**shared.table(), "material": ((95, 120), (300, 300), (200, 235), (310, 370), (560, 620), (0, 0))}
    path = write_records(tmp_path / "records", variant, played("atomic", 40), wrong, type(shared))
    outs = []
    for name in ("one.py", "two.py"):
        out = tmp_path / name
        words = ["tune", "atomic", "--records", str(path), "--out", str(out), "--epochs", "15", "--holdout", "0.2"]
        assert main(words) == 0
        outs.append(out.read_text())
    assert outs[0] == outs[1]
    weights = module_at(tmp_path / "one.py").WEIGHTS
    type(shared)(weights)
    # A knight was worth more in these games.
    assert weights["material"][1][0] > atomic.WEIGHTS["material"][1][0]
    assert max(abs(a - b) for a, b in zip(weights["material"][4], atomic.WEIGHTS["material"][4], strict=True)) < 30
    last = capsys.readouterr().out.splitlines()[-1]
    before, after = map(float, last.removeprefix("error ").split(" -> "))
    assert after < before


def test_records_of_another_game_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_records(tmp_path / "records", variants.STANDARD, played("standard", 2), TRUE, Mobile)
    assert main(["tune", "atomic", "--records", str(path), "--out", str(tmp_path / "out.py")]) == 2
    assert "records of standard, not of atomic" in capsys.readouterr().err


def test_a_single_game_is_too_few(tmp_path: Path) -> None:
    path = write_records(tmp_path / "records", variants.STANDARD, played("standard", 1), TRUE, Mobile)
    with pytest.raises(RecordsError, match="too few games"):
        examples.load([path], variants.STANDARD, 1000, 0.2, 1)


def test_without_numpy_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def without_numpy(name: str, *rest: object) -> ModuleType:
        if name == "numpy":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_numpy)
    assert main(["tune", "atomic", "--records", "none", "--out", str(tmp_path / "out.py")]) == 2
    assert "centella[tune]" in capsys.readouterr().err
