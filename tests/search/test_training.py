"""Learning a network from records: it gets better, it can be had again, and it goes on where it was stopped."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands import CommandFailed
from bot.commands.train import add_parser
from bot.search.evaluation import for_game, netfile, networks
from bot.search.evaluation.netfile import NetworkError
from bot.search.training.gathering import Quota, gather
from bot.search.training.packing import Judged, Layout
from bot.search.training.records import header_bytes
from bot.search.training.selfplay import Settings
from rules import variants
from rules.position import Position

pytest.importorskip("torch", reason="learning is an extra")

from bot.search.training import learning, making, samples
from bot.search.training.learning import Epoch, Recipe


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some hundred games that are quickly played."""
    path = tmp_path_factory.mktemp("records") / "games"
    settings = Settings("atomic", 1, nodes=40, most_plies=80)
    gather(path, settings, "a test", Quota(games=250), 1, lambda so_far: None)
    return path


def recipe(epochs: int = 6, **changes: int) -> Recipe:
    return Recipe(width=64, heads=2, epochs=epochs, batch=256, rate=4e-3, **changes)


def make(records: Path, out: Path, wanted: Recipe, base: Path | None = None) -> making.Made:
    begun = base and netfile.read(base)
    return making.make([records], out, wanted, 1, "a test", lambda epoch: None, begun)


def test_what_is_learnt_holds_for_games_not_seen(records: Path, tmp_path: Path) -> None:
    learnt, held = samples.load([records])
    before = learning.Learner(learnt, held, recipe(), tmp_path / "none").held_out_loss()
    made = make(records, tmp_path / "a.net", recipe(epochs=3))
    assert made.epochs[-1].held_out_loss < 0.5 * before
    assert made.held_out_loss == pytest.approx(made.epochs[-1].held_out_loss, rel=1e-4)


def test_whole_numbers_say_nearly_the_same(records: Path, tmp_path: Path) -> None:
    made = make(records, tmp_path / "a.net", recipe(epochs=3))
    assert made.rounding_cp < 2
    assert made.whole_number_loss == pytest.approx(made.held_out_loss, rel=0.01)


def test_whole_numbers_are_not_blamed_for_what_endings_are_tempered_by(tmp_path: Path) -> None:
    layout = Layout(variants.STANDARD)
    knight_up = Position.from_fen(variants.STANDARD, "8/5k2/8/8/2p5/2K5/4NN2/8 w - - 0 1")
    rows = [layout.pack(knight_up, Judged(900, 2, 90, game)) for game in range(1, 51) for _ in range(20)]
    (tmp_path / "records").write_bytes(header_bytes(variants.STANDARD, {}) + b"".join(rows))
    made = make(tmp_path / "records", tmp_path / "a.net", recipe(epochs=10))
    learner_says = networks.load(made.path, variants.STANDARD).judge([knight_up])[0]
    in_a_search = networks.load(made.path, variants.STANDARD, hand=for_game(variants.STANDARD).evaluation)
    assert in_a_search.judge([knight_up])[0] < learner_says - 50
    assert made.rounding_cp < 2


def test_the_same_seed_makes_the_same_network(records: Path, tmp_path: Path) -> None:
    for name, seed in (("a.net", 1), ("again.net", 1), ("other.net", 2)):
        make(records, tmp_path / name, recipe(epochs=2, seed=seed))
    assert (tmp_path / "a.net").read_bytes() == (tmp_path / "again.net").read_bytes()
    assert (tmp_path / "a.net").read_bytes() != (tmp_path / "other.net").read_bytes()


def test_learning_goes_on_where_it_was_stopped(records: Path, tmp_path: Path) -> None:
    make(records, tmp_path / "whole.net", recipe(epochs=4))
    told: list[Epoch] = []

    class Stopped(Exception):
        pass

    def stop(epoch: Epoch) -> None:
        told.append(epoch)
        if epoch.number == 2:
            raise Stopped

    with pytest.raises(Stopped):
        making.make([records], tmp_path / "a.net", recipe(epochs=4), 1, "a test", stop)
    assert (tmp_path / "a.net.checkpoint").exists()
    making.make([records], tmp_path / "a.net", recipe(epochs=4), 1, "a test", told.append)
    assert [epoch.number for epoch in told] == [1, 2, 3, 4]
    assert (tmp_path / "a.net").read_bytes() == (tmp_path / "whole.net").read_bytes()
    assert not (tmp_path / "a.net.checkpoint").exists()


def test_a_checkpoint_of_another_recipe_is_not_gone_on_with(records: Path, tmp_path: Path) -> None:
    learnt, held = samples.load([records])
    learner = learning.Learner(learnt, held, recipe(epochs=1), tmp_path / "checkpoint")
    learner.learn(lambda epoch: None)
    assert len(learning.Learner(learnt, held, recipe(epochs=1), tmp_path / "checkpoint").epochs) == 1
    assert learning.Learner(learnt, held, recipe(epochs=1, seed=9), tmp_path / "checkpoint").epochs == []


def test_learning_goes_on_from_a_network(records: Path, tmp_path: Path) -> None:
    first = make(records, tmp_path / "first.net", recipe(epochs=3))
    # As good as no learning: what comes out must be what went in.
    still = make(records, tmp_path / "still.net", replace(recipe(epochs=1), rate=1e-9), tmp_path / "first.net")
    assert still.whole_number_loss == pytest.approx(first.whole_number_loss, rel=1e-3)
    more = make(records, tmp_path / "more.net", recipe(epochs=3), tmp_path / "first.net")
    assert more.epochs[0].loss < 0.8 * first.epochs[0].loss


def test_who_goes_on_from_a_network_keeps_its_form_and_tells_its_story(records: Path, tmp_path: Path) -> None:
    make(records, tmp_path / "first.net", recipe(epochs=1))
    made = make(records, tmp_path / "more.net", Recipe(width=128, epochs=1, seed=5), tmp_path / "first.net")
    first, more = netfile.read(tmp_path / "first.net"), netfile.read(made.path)
    assert (more.shape.width, more.shape.heads) == (64, 2)
    assert more.description["recipe"]["base"] == first.checksum
    assert more.description["base"] == first.description


def test_nothing_goes_on_from_a_network_of_another_game(records: Path, tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="is for spark, not for atomic"):
        make(records, tmp_path / "a.net", recipe(epochs=1), networks.SHIPPED / "spark.net")


def test_games_are_held_out_whole(records: Path) -> None:
    learnt, held = samples.load([records])
    layout = learnt.layout

    def games(of: samples.Samples) -> set[int]:
        return {layout.judged(row.tobytes()).game for row in of.rows}

    assert games(held)
    assert games(learnt).isdisjoint(games(held))


def test_nothing_is_learnt_from_lone_kings_for_no_network_is_asked_about_them(tmp_path: Path) -> None:
    layout = Layout(variants.STANDARD)
    fens = ["8/5k2/8/8/8/2K5/4R3/8 w - - 0 1", "8/5k2/8/8/2p5/2K5/4R3/8 w - - 0 1", "8/5k2/8/8/2p5/2K5/8/8 b - - 0 1"]
    positions = [Position.from_fen(variants.STANDARD, fen) for fen in fens]
    rows = [layout.pack(position, Judged(0, 1, 90, game)) for game in (49, 50) for position in positions]
    path = tmp_path / "records"
    path.write_bytes(header_bytes(variants.STANDARD, {}) + b"".join(rows))
    learnt, held = samples.load([path])
    assert [row.tobytes() for row in learnt.rows] == [rows[1]]
    assert [row.tobytes() for row in held.rows] == [rows[4]]


def test_a_network_tells_where_it_comes_from(records: Path, tmp_path: Path) -> None:
    make(records, tmp_path / "a.net", recipe(epochs=1))
    told = netfile.read(tmp_path / "a.net").description
    assert told["records"][0]["seed"] == 1
    assert told["recipe"]["seed"] == 1
    assert (told["positions"], told["held_out_positions"]) == tuple(map(len, samples.load([records])))
    beside = json.loads((tmp_path / "a.net.json").read_text())
    assert {name: beside[name] for name in told} == told
    assert beside["measured"]["epochs"][0]["number"] == 1


def test_the_losses_can_be_drawn(records: Path, tmp_path: Path) -> None:
    made = make(records, tmp_path / "a.net", recipe(epochs=2))
    making.draw(made, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_features_are_read_from_records_as_the_search_sees_them(records: Path, tmp_path: Path) -> None:
    made = make(records, tmp_path / "a.net", recipe(epochs=2))
    network = networks.load(made.path, variants.ATOMIC)
    learnt, held = samples.load([records])
    learner = learning.Learner(learnt, held, recipe(epochs=2), tmp_path / "none")
    learner.learn(lambda epoch: None)
    some = held.some(slice(0, 50))
    exact = learner.output(some).detach().numpy() * recipe().scale_cp
    positions = [some.layout.position(row.tobytes()) for row in some.rows]
    assert network.judge(positions) == pytest.approx(list(exact), abs=4)


def test_records_of_another_game_are_refused(records: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="records of atomic, not of spark"):
        train("spark", "--records", records, "--out", tmp_path / "a.net")


def train(*words: object) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    args = parser.parse_args(["train", *map(str, words)])
    return int(args.run(args))


@pytest.mark.parametrize(
    "option", [("--rate", "nan"), ("--rate", -1), ("--rate", 10**9), ("--scale", 65536), ("--seed", -1)]
)
def test_options_that_no_network_can_have_are_refused(records: Path, tmp_path: Path, option: tuple[object]) -> None:
    with pytest.raises(SystemExit):
        train("atomic", "--records", records, "--out", tmp_path / "a.net", *option)


@pytest.mark.parametrize("option", [("--width", 128), ("--heads", 2), ("--scale", 200), ("--refine",)])
def test_what_the_base_settles_is_not_chosen_again(records: Path, tmp_path: Path, option: tuple[object]) -> None:
    base = networks.SHIPPED / "atomic.net"
    with pytest.raises(CommandFailed, match=f"the base settles that: leave out {option[0]}"):
        train("atomic", "--records", records, "--out", tmp_path / "a.net", "--base", base, *option)


def test_a_loss_that_is_no_number_makes_no_network(records: Path, tmp_path: Path) -> None:
    with pytest.raises(learning.LearningFailed, match="lower rate"):
        make(records, tmp_path / "a.net", replace(recipe(epochs=1), rate=1e30))
    assert not (tmp_path / "a.net").exists()


@pytest.mark.parametrize("content", [b"", b"no checkpoint at all"])
def test_a_checkpoint_that_cannot_be_read_is_not_gone_on_with(records: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.net.checkpoint").write_bytes(content)
    assert [epoch.number for epoch in make(records, tmp_path / "a.net", recipe(epochs=1)).epochs] == [1]
