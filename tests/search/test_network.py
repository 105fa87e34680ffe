"""Networks: what they see, that their sums stay right, and which files are refused."""

import hashlib
import random
from pathlib import Path

import pytest

from bot.search.driver import Driver
from bot.search.evaluation import for_game, netfile, networks
from bot.search.evaluation.netfile import NetworkError
from bot.search.evaluation.network import Network, builds
from bot.search.evaluation.sharing import Profiles
from bot.search.players import own_thinker
from bot.search.stopping import StopFlag
from bot.search.table import Table
from bot.search.thinker import Limits, Thinker
from rules import draws, variants
from rules.game import Game
from rules.move import Color, Role
from rules.position import Position
from rules.variant import Variant
from tests.search.networks import file_of, numbers, slowly, walk, write

JUDGED_APART = [variant for variant in variants.ALL if networks.game_of(variant) == variant.key]


def key_of(variant: Variant) -> str:
    return str(variant.key)


@pytest.mark.parametrize("variant", variants.ALL, ids=key_of)
def test_a_score_is_what_the_book_says(variant: Variant, tmp_path: Path) -> None:
    found = numbers(variant)
    (tmp_path / "a.net").write_bytes(file_of(variant, found))
    network = networks.load(tmp_path / "a.net", variant)
    positions = walk(variant, 200, seed=1)[::5]
    assert network.judge(positions) == [slowly(found, position) for position in positions]


@pytest.mark.parametrize("width", [64, 128])
@pytest.mark.parametrize("variant", variants.ALL, ids=key_of)
def test_sums_brought_up_to_date_are_those_of_a_fresh_start(variant: Variant, width: int, tmp_path: Path) -> None:
    network = networks.load(write(tmp_path / "a.net", variant, width), variant)
    positions = walk(variant, 1500, seed=2)
    fresh = [network.judge([position])[0] for position in positions]
    deeper = list(range(len(positions)))
    assert network.judge_line(positions, deeper) == fresh
    chance = random.Random(3)
    anywhere = [chance.randrange(12) for _ in positions]
    assert network.judge_line(positions, anywhere) == fresh
    order = chance.sample(range(len(positions)), len(positions))
    assert network.judge_line([positions[i] for i in order], anywhere) == [fresh[i] for i in order]


def test_the_plain_build_is_always_there() -> None:
    assert builds()[-1] == "baseline"


@pytest.mark.parametrize("build", builds())
@pytest.mark.parametrize("width", [64, 128, 192, 256])
@pytest.mark.parametrize("key", ["atomic", "crazyhouse", "threeCheck"])
def test_all_builds_give_the_same_scores(key: str, width: int, build: str, tmp_path: Path) -> None:
    variant = variants.by_key(key)
    path = write(tmp_path / "a.net", variant, width)
    positions = walk(variant, 600, seed=4)
    network = networks.load(path, variant, build)
    assert network.instructions == build
    assert network.judge(positions) == networks.load(path, variant, "baseline").judge(positions)


@pytest.mark.parametrize("key", ["atomic", "crazyhouse", "spark", "standard"])
def test_all_builds_search_the_same_tree(key: str, tmp_path: Path) -> None:
    variant = variants.by_key(key)
    path = write(tmp_path / "a.net", variant)
    game = Game.start(variant, draws.for_game(variant, with_bot=True))
    nodes = set()
    for build in builds():
        driver = Driver(Table(1), variant, networks.load(path, variant, build), dict(for_game(variant).options))
        driver.place(game.positions, game.policy, 1)
        found = driver.think({"depth": 6}, StopFlag())
        nodes.add((found["nodes"], found["score"], tuple(found["line"])))
    assert len(nodes) == 1


def test_a_build_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no build 'mmx'; this processor can run .*baseline"):
        networks.load(write(tmp_path / "a.net", variants.ATOMIC), variants.ATOMIC, "mmx")


def refining(path: Path, variant: Variant, digest: str) -> Path:
    path.write_bytes(file_of(variant, numbers(variant), refines=digest))
    return path


@pytest.mark.parametrize("variant", JUDGED_APART, ids=key_of)
def test_a_network_that_refines_adds_to_what_the_hand_evaluation_says(variant: Variant, tmp_path: Path) -> None:
    hand = for_game(variant, networks.NONE).evaluation
    network = networks.load(refining(tmp_path / "a.net", variant, hand.digest()), variant, hand=hand)
    alone = networks.load(write(tmp_path / "b.net", variant), variant)
    positions = [position for position in walk(variant, 300, seed=5)[::7] if not has_bare_king(position)]
    expected = [a + b for a, b in zip(alone.judge(positions), hand.judge(positions), strict=True)]
    assert network.judge(positions) == expected


def has_bare_king(position: Position) -> bool:
    sides = [[piece.role for piece in position.pieces().values() if piece.color == color] for color in Color]
    return any(set(roles) <= {Role.KING} for roles in sides)


def test_a_network_that_refines_says_nothing_of_a_bare_king(tmp_path: Path) -> None:
    variant = variants.ATOMIC
    hand = for_game(variant, networks.NONE).evaluation
    network = networks.load(refining(tmp_path / "a.net", variant, hand.digest()), variant, hand=hand)
    positions = [Position.from_fen(variant, f"5k2/4K3/8/2R5/8/R7/8/8 {turn} - - 0 1") for turn in "wb"]
    assert network.judge(positions) == hand.judge(positions)


def test_a_network_that_judges_alone_leaves_bare_kings_to_the_hand_evaluation(tmp_path: Path) -> None:
    variant = variants.STANDARD
    hand = for_game(variant, networks.NONE).evaluation
    network = networks.load(write(tmp_path / "a.net", variant), variant, hand=hand)
    fens = ("8/5k2/8/8/8/2K5/4R3/8 w - - 0 1", "8/5k1p/8/8/8/2K5/4R3/8 w - - 0 1")
    bare, in_company = (Position.from_fen(variant, fen) for fen in fens)
    assert network.judge([bare]) == hand.judge([bare])
    assert network.judge([in_company]) != hand.judge([in_company])


def test_a_network_that_refines_other_weights_is_refused(tmp_path: Path) -> None:
    path = refining(tmp_path / "a.net", variants.ATOMIC, for_game(variants.SPARK).evaluation.digest())
    with pytest.raises(NetworkError, match="refines other weights"):
        for_game(variants.ATOMIC, str(path))
    with pytest.raises(NetworkError, match="refines other weights"):
        networks.load(path, variants.ATOMIC)


def test_numbers_that_could_overflow_the_sums_are_refused(tmp_path: Path) -> None:
    found = numbers(variants.ATOMIC)
    found.rows[7][3] = netfile.MOST_ROW + 1
    (tmp_path / "a.net").write_bytes(file_of(variants.ATOMIC, found))
    with pytest.raises(NetworkError, match="weights beyond 505"):
        networks.load(tmp_path / "a.net", variants.ATOMIC)


ATOMIC_FILE = file_of(variants.ATOMIC, numbers(variants.ATOMIC))


def edited(at: int, new: bytes) -> bytes:
    return ATOMIC_FILE[:at] + new + ATOMIC_FILE[at + len(new) :]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "no network: the file is empty"),
        (b"no network at all", "this is no network"),
        (ATOMIC_FILE[:30], "this is no network"),
        (edited(8, b"\x02"), "version 2 of the format, where 1 can be read"),
        (edited(14, b"\x41"), "cannot be run"),
        (edited(10, b"\x7f"), "cannot be run"),
        (ATOMIC_FILE[:-1], "cut short, or not whole"),
        (ATOMIC_FILE[:5000], "cut short, or not whole"),
        (ATOMIC_FILE + b"\0", "cut short, or not whole"),
        (edited(4000, b"\x55\x55"), "the checksum is wrong"),
    ],
)
def test_a_file_that_is_not_whole_is_refused_in_one_line(content: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "a.net").write_bytes(content)
    with pytest.raises(NetworkError) as caught:
        networks.load(tmp_path / "a.net", variants.ATOMIC)
    assert complaint in str(caught.value)
    assert str(tmp_path / "a.net") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_description_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    at = ATOMIC_FILE.index(b'{"')
    body = ATOMIC_FILE[at:].replace(b'{"', b'["', 1)
    # The checksum, which stands last before the description, is right.
    sum_of_it = hashlib.blake2b(body, digest_size=16).digest()
    (tmp_path / "a.net").write_bytes(ATOMIC_FILE[: at - 16] + sum_of_it + body)
    with pytest.raises(NetworkError, match="its description cannot be read"):
        netfile.read(tmp_path / "a.net")


def test_a_missing_file_is_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="No such file"):
        networks.load(tmp_path / "none.net", variants.ATOMIC)


@pytest.mark.parametrize("key", ["standard", "spark", "crazyhouse", "horde"])
def test_a_network_of_another_game_is_refused(key: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.net", variants.ATOMIC)
    with pytest.raises(NetworkError, match=f"for atomic, not for {key}"):
        networks.load(path, variants.by_key(key))
    game = Game.start(variants.by_key(key), draws.for_game(variants.by_key(key), with_bot=True))
    with pytest.raises(NetworkError, match="for atomic"):
        own_thinker(f"centella:network={path}").think(game, Limits(nodes=100))


def test_a_network_that_sees_otherwise_is_refused(tmp_path: Path) -> None:
    at = netfile.features_at()
    (tmp_path / "a.net").write_bytes(edited(at, b"\x00\x11"))
    with pytest.raises(NetworkError, match="learn it anew"):
        networks.load(tmp_path / "a.net", variants.ATOMIC)


@pytest.mark.parametrize("key", ["standard", "chess960", "fromPosition", "parlour"])
def test_the_orthodox_games_share_a_network(key: str, tmp_path: Path) -> None:
    path = write(tmp_path / "standard.net", variants.STANDARD)
    assert networks.chosen(variants.by_key(key), str(tmp_path)) == path
    assert isinstance(for_game(variants.by_key(key), str(tmp_path)).evaluation, Network)


def test_games_see_what_is_theirs() -> None:
    digests = {networks.features_of(variant).digest() for variant in JUDGED_APART}
    names = {networks.features_of(variant).name for variant in JUDGED_APART}
    assert len(digests) == len(names) == 6


def test_what_a_word_chooses(tmp_path: Path) -> None:
    path = write(tmp_path / "atomic.net", variants.ATOMIC)
    assert networks.chosen(variants.ATOMIC, "none") is None
    assert networks.chosen(variants.ATOMIC, str(tmp_path)) == path
    assert networks.chosen(variants.SPARK, str(tmp_path)) is None
    assert networks.chosen(variants.SPARK, str(path)) == path
    with pytest.raises(NetworkError, match="no network is named"):
        networks.chosen(variants.ATOMIC, "")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NetworkError, match=r"empty: there is no network GAME\.net in this folder"):
        networks.chosen(variants.ATOMIC, str(tmp_path / "empty"))
    shipped = networks.chosen(variants.ATOMIC, "auto")
    assert shipped is None or shipped == networks.SHIPPED / "atomic.net"


def test_a_search_uses_the_network_it_is_given(tmp_path: Path) -> None:
    path = write(tmp_path / "atomic.net", variants.ATOMIC)
    game = Game.start(variants.ATOMIC, draws.for_game(variants.ATOMIC, with_bot=True))
    by_hand = Thinker(1, network="none").think(game, Limits(depth=7))
    learnt = Thinker(1, network=str(path)).think(game, Limits(depth=7))
    assert (by_hand.nodes, by_hand.score_cp) != (learnt.nodes, learnt.score_cp)
    assert own_thinker(f"centella:network={path},hash=1").think(game, Limits(depth=7)).nodes == learnt.nodes


def test_thinkers_share_a_network_that_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "atomic.net", variants.ATOMIC)
    profiles = Profiles(str(path))
    game = Game.start(variants.ATOMIC, draws.for_game(variants.ATOMIC, with_bot=True))
    first = Thinker(1, network=profiles).think(game, Limits(nodes=500))
    path.unlink()
    assert Thinker(1, network=profiles).think(game, Limits(nodes=500)).score_cp == first.score_cp
    with pytest.raises(NetworkError):
        Thinker(1, network=str(path)).think(game, Limits(nodes=500))
