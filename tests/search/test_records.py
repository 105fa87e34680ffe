"""Records of positions, and the games that fill them."""

import multiprocessing
import random
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from bot.search.evaluation import netfile, networks
from bot.search.evaluation.netfile import NetworkError
from bot.search.training import records, selfplay
from bot.search.training.gathering import Gathered, Quota, gather, provenance
from bot.search.training.packing import Judged, Layout
from bot.search.training.records import RecordsError
from bot.search.training.selfplay import SelfPlayer, Settings
from rules import draws, variants
from rules.game import Game
from rules.position import Position
from rules.variant import Variant
from tests.search.networks import write

FEW_NODES = 60


def quick(key: str = "atomic", seed: int = 1) -> Settings:
    return Settings(key, seed, nodes=FEW_NODES, most_plies=60)


def fill(path: Path, games: int, settings: Settings, workers: int = 1) -> Gathered:
    return gather(path, settings, "a test", Quota(games=games), workers, lambda so_far: None)


def random_positions(variant: Variant, games: int) -> list[Position]:
    chance = random.Random(variant.key)
    found = []
    for _ in range(games):
        game = Game.start(variant, draws.for_game(variant, with_bot=True))
        while game.outcome is None and len(game.moves) < 150:
            game.play(chance.choice(game.position.legal_moves()))
        found += game.positions
    return found


@pytest.mark.parametrize("variant", variants.ALL, ids=lambda variant: variant.key)
def test_a_record_gives_its_position_back(variant: Variant) -> None:
    layout = Layout(variant)
    for ply, position in enumerate(random_positions(variant, games=6)):
        judged = Judged(random.Random(ply).randint(-32000, 32000), ply % 3, ply, 2**32 - 1 - ply)
        record = layout.pack(position, judged)
        again = layout.position(record)
        assert layout.judged(record) == judged
        assert again.key == position.key
        assert again.fen().split()[:-1] == position.fen().split()[:-1]


@pytest.mark.parametrize(("key", "most_bytes"), [("standard", 40), ("atomic", 40), ("spark", 40), ("threeCheck", 40)])
def test_records_are_small(key: str, most_bytes: int) -> None:
    assert Layout(variants.by_key(key)).size <= most_bytes


def test_more_men_than_a_game_can_have_are_refused() -> None:
    crowded = Position.from_fen(variants.STANDARD, "rnbqkbnr/pppppppp/8/8/N7/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    with pytest.raises(ValueError, match="33 men do not go into a record of 32"):
        Layout(variants.STANDARD).pack(crowded, Judged(0, 1, 0, 0))


@pytest.mark.parametrize("key", ["atomic", "crazyhouse", "spark", "horde"])
def test_games_keep_quiet_positions_only(key: str, tmp_path: Path) -> None:
    fill(tmp_path / "games", 6, quick(key))
    layout = Layout(variants.by_key(key))
    kept = [record for game in records.games(tmp_path / "games") for record in game]
    assert kept
    assert not any(layout.position(record).checkers() for record in kept)


def test_all_positions_of_a_game_agree_on_who_won() -> None:
    settings = quick("atomic")
    layout = Layout(variants.ATOMIC)
    player = SelfPlayer(settings)
    for number in range(10):
        white_points = set()
        for record in player.records(number):
            judged = layout.judged(record)
            white_points.add(judged.result if layout.position(record).turn == 0 else 2 - judged.result)
            assert judged.game == number
        assert len(white_points) <= 1


def test_a_game_does_not_depend_on_who_plays_it(tmp_path: Path) -> None:
    fill(tmp_path / "one", 6, quick(), workers=1)
    fill(tmp_path / "two", 6, quick(), workers=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    fill(tmp_path / "other", 6, quick(seed=2))
    assert (tmp_path / "one").read_bytes() != (tmp_path / "other").read_bytes()


@pytest.mark.parametrize("cut_bytes", [1, 17, 36, 36 * 20 + 5])
def test_a_file_that_was_cut_short_ends_up_as_if_it_had_not_been(tmp_path: Path, cut_bytes: int) -> None:
    whole = tmp_path / "whole"
    fill(whole, 24, quick())
    broken = tmp_path / "broken"
    broken.write_bytes(whole.read_bytes()[:-cut_bytes])
    assert sum(map(len, records.games(broken))) == sum(map(len, records.games(whole))) - -(-cut_bytes // 36)
    fill(broken, 24, quick())
    assert broken.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("quota", [Quota(games=5), Quota(positions=20)])
def test_a_file_that_holds_enough_is_left_alone(tmp_path: Path, quota: Quota) -> None:
    path = tmp_path / "games"
    fill(path, 24, quick())
    whole = path.read_bytes()
    for _ in range(2):
        gather(path, quick(), "a test", quota, 1, lambda so_far: None)
        assert path.read_bytes() == whole


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "killed"
    words = ["selfplay", "atomic", "--games", "100000", "--nodes", str(FEW_NODES), "--workers", "2", "--out", str(path)]
    with subprocess.Popen([sys.executable, "-m", "bot", *words], stderr=subprocess.PIPE) as process:
        while not path.exists() or path.stat().st_size < 40_000:
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    settings = Settings("atomic", 1, nodes=FEW_NODES)
    description = records.read_header(path).description
    made_by = description["made_by"]
    sofar = gather(path, settings, made_by, Quota(games=1), 1, lambda so_far: None)
    gather(path, settings, made_by, Quota(games=sofar.games + 3), 1, lambda so_far: None)
    fresh = tmp_path / "fresh"
    gather(fresh, settings, made_by, Quota(games=sofar.games + 3), 2, lambda so_far: None)
    assert path.read_bytes() == fresh.read_bytes()


def test_a_file_made_otherwise_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games"
    fill(path, 2, quick())
    with pytest.raises(RecordsError, match="made with another seed"):
        fill(path, 2, quick(seed=7))
    with pytest.raises(RecordsError, match="made with another game"):
        fill(path, 2, quick("spark"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "no file of records"),
        (b"something else altogether", "no file of records"),
        (records.header_bytes(variants.ATOMIC, {})[:9], "no file of records"),
        (records.header_bytes(variants.ATOMIC, {})[:-1], "the header is damaged"),
        (records.MAGIC + b"\x63" + records.header_bytes(variants.ATOMIC, {})[9:], "version 99"),
        (records.header_bytes(variants.ATOMIC, {}).replace(b"atomic", b"tragic"), "the header is damaged"),
        (records.header_bytes(variants.ATOMIC, {}).replace(b"atomic", b"threeCheck"[:6]), "the header is damaged"),
    ],
)
def test_what_is_no_file_of_records_is_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(RecordsError, match=complaint):
        records.whole_records(path)


def test_provenance_tells_counts_and_settings(tmp_path: Path) -> None:
    path = tmp_path / "games"
    fill(path, 12, quick(seed=3))
    told = provenance(path)
    assert (told["game"], told["seed"], told["nodes"], told["made_by"]) == ("atomic", 3, FEW_NODES, "a test")
    assert told["positions"] == sum(map(len, records.games(path)))
    assert sum(told["results"].values()) == told["games_kept"] <= told["games_played"] <= 12


def test_workers_end_with_the_games(tmp_path: Path) -> None:
    games = selfplay.play(quick(), 0, 2)
    assert [number for number, _ in islice(games, 3)] == [0, 1, 2]
    games.close()
    assert not [child for child in multiprocessing.active_children() if child.name.startswith("selfplay-")]


def test_records_tell_which_network_judged(tmp_path: Path) -> None:
    path = write(tmp_path / "atomic.net", variants.ATOMIC)
    judged_by = [Settings("atomic", 1, network=name).described()["network"] for name in (str(path), networks.NONE)]
    assert judged_by == [netfile.read(path).checksum, "none"]
    assert len(judged_by[0]) == 32
    with pytest.raises(NetworkError, match=r"nowhere\.net: No such file"):
        Settings("atomic", 1, network=str(tmp_path / "nowhere.net")).described()
