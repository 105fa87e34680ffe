"""What is kept of a match: PGN that other programs read, and notes by which a killed match goes on."""

import io
import json
import random
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import chess.pgn
import pytest

from bot.__main__ import main
from bot.matchbook import BookError, Matchbook
from bot.search.contest import Match
from bot.search.players import Pace
from bot.search.training import records
from bot.search.training.packing import Layout
from rules import variants
from rules.move import Color
from tests.search.programs import OWN, program

QUICK = ("--nodes", "100", "--seed", "5")


def centella(*words: object) -> int:
    return main(["match", *map(str, words)])


def games_in(path: Path) -> list[chess.pgn.Game]:
    text = io.StringIO(path.read_text())
    return list(iter(lambda: chess.pgn.read_game(text), None))


@pytest.mark.parametrize("key", ["standard", "chess960", "atomic", "crazyhouse", "threeCheck", "horde"])
def test_every_game_is_pgn_that_others_read(tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.pgn"
    assert centella("centella", "centella:hash=1", "--variant", key, "--games", 4, *QUICK, "--pgn", path) == 0
    games = games_in(path)
    assert [game.headers["Round"] for game in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert [game.headers["White"] for game in games] == ["centella", "centella:hash=1"] * 2
    points = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}
    white = [points[game.headers["Result"]] for game in games]
    first = white[0] + (1 - white[1]) + white[2] + (1 - white[3])
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"score {100 * first / 4:.1f}% ±")
    for game in games:
        assert game.errors == []
        assert game.headers["Variant"] == variants.by_key(key).pgn_name
        nodes = list(game.mainline())
        assert len(nodes) > 4
        assert all(node.eval() is not None and node.eval_depth() is not None for node in nodes)
        assert all(node.emt() is not None for node in nodes)


def test_scores_are_told_from_whites_side(tmp_path: Path) -> None:
    openings = tmp_path / "openings.epd"
    openings.write_text("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    path = tmp_path / "games.pgn"
    centella("centella", "centella", "--games", 1, *QUICK, "--openings", openings, "--pgn", path)
    (game,) = games_in(path)
    assert game.headers["FEN"].startswith("rnb1kbnr/")
    assert game.headers["Termination"] == "adjudication"
    assert all(node.eval().white().score(mate_score=10_000) > 300 for node in game.mainline())
    assert "adjudication" in list(game.mainline())[-1].comment


def test_sparks_games_stand_in_its_own_notation(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    assert centella("centella", "centella", "--variant", "spark", "--games", 2, *QUICK, "--pgn", path) == 0
    text = path.read_text()
    assert text.count(f'[Variant "{variants.by_key("spark").pgn_name}"]') == 2
    assert ">" in text.replace("[%", "")
    assert text.count("[%eval") == text.count("[%emt") > 10


def test_positions_to_learn_from_are_kept_of_our_own_search(tmp_path: Path) -> None:
    path, notes = tmp_path / "records", tmp_path / "notes"
    words = ["centella", OWN, "--variant", "atomic", "--games", 2, *QUICK, "--records", path, "--resume", notes]
    assert centella(*words) == 0
    layout = Layout(variants.ATOMIC)
    first, second = records.games(path)
    assert len(first) > 3
    for number, (color, game) in enumerate(zip(Color, (first, second), strict=True)):
        assert {layout.position(record).turn for record in game} == {color}
        assert not any(layout.position(record).checkers() for record in game)
        assert {layout.judged(record).game for record in game} == {number}
    points = [json.loads(line)["points"] for line in notes.read_text().splitlines()[1:]]
    assert [layout.judged(game[0]).result for game in (first, second)] == [2 * each for each in points]
    whole = path.read_bytes()
    notes.write_text("".join(notes.read_text().splitlines(keepends=True)[:2]))
    path.write_bytes(whole[:-7])
    assert centella(*words) == 0
    assert path.read_bytes() == whole


def test_records_of_another_match_are_not_mixed_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["centella", "centella", "--games", 2, *QUICK, "--records", tmp_path / "records"]
    assert centella(*words) == 0
    assert centella(*words) == 2
    assert "has something in it" in capsys.readouterr().err


def test_a_players_fault_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cheat = program(tmp_path, 'print("bestmove e2e5", flush=True)')
    path = tmp_path / "games.pgn"
    assert centella("centella", cheat, "--games", 2, *QUICK, "--pgn", path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{cheat}: illegal moves 2, lost on time 0, broken down 0"
    assert lines[-1] == "score 100.0% ±0.0 2/0/0"
    assert {game.headers["Termination"] for game in games_in(path)} == {"rules infraction"}


def test_a_killed_match_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cut off the notes and the games at random bytes, as a kill between any two writes would."""
    notes, path = tmp_path / "notes", tmp_path / "games.pgn"
    words = ["centella", "centella:null_move=0", "--games", 6, *QUICK, "--resume", notes, "--pgn", path]
    assert centella(*words) == 0
    score = capsys.readouterr().out
    noted, games = notes.read_bytes(), path.read_bytes()
    moves = [list(game.mainline_moves()) for game in games_in(path)]
    chance = random.Random(1)
    for _ in range(6):
        cut = chance.randrange(len(noted))
        whole = noted[:cut].count(b"\n")
        then = json.loads(noted.splitlines()[whole - 1])["lengths"]["pgn"] if whole else 0
        notes.write_bytes(noted[:cut])
        path.write_bytes(games[: chance.randrange(then, len(games) + 1)])
        if not whole:
            path.write_bytes(b"")
        assert centella(*words) == 0
        assert capsys.readouterr().out == score
        assert [list(game.mainline_moves()) for game in games_in(path)] == moves


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("second", ["centella:hash=2", OWN])
def test_a_match_ended_from_outside_counts_no_game_twice(
    tmp_path: Path, number: signal.Signals, second: str, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, path = tmp_path / "notes", tmp_path / "games.pgn"
    words = ["centella", second, *QUICK, "--concurrency", 2, "--resume", notes, "--pgn", path, "--games"]
    command = [sys.executable, "-m", "bot", "match", *map(str, words), "1000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while not notes.exists() or notes.read_bytes().count(b"\n") < 3:
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f"ended by itself with {process.wait(0.02)}")
        process.send_signal(number)
        out, _ = process.communicate()
    noted = [json.loads(line)["number"] for line in notes.read_bytes().split(b"\n")[1:-1]]
    if number == signal.SIGTERM:
        assert process.returncode == 0
        # A game that was just being counted may be noted and not told.
        assert len(noted) - 1 <= games_of(out) <= len(noted)
    pairs = max(noted) // 2 + 2
    assert centella(*words, 2 * pairs) == 0
    rounds = {game.headers["Round"] for game in games_in(path)}
    assert rounds == {f"{pair}.{leg}" for pair in range(1, pairs + 1) for leg in (1, 2)}
    assert len(games_in(path)) == games_of(capsys.readouterr().out) == 2 * pairs


def games_of(out: str) -> int:
    """How many games the last line of a match tells of."""
    return sum(map(int, out.splitlines()[-1].split()[-1].split("/")))


def test_a_match_that_is_over_is_only_told_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["centella", "centella:hash=2", "--games", 2, *QUICK, "--resume", tmp_path / "notes"]
    assert centella(*words) == 0
    score = capsys.readouterr().out
    assert centella(*words) == 0
    assert capsys.readouterr().out == score
    assert (tmp_path / "notes").read_text().count("\n") == 3


def test_a_match_may_be_made_longer(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for games in (2, 4):
        assert centella("centella", "centella", "--games", games, *QUICK, "--resume", notes) == 0
    assert [json.loads(line).get("number") for line in notes.read_text().splitlines()] == [None, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (("--nodes", 200), "pace 100 nodes a move, not 200 nodes a move"),
        (("--seed", 6), "seed 5, not 6"),
        (("--variant", "atomic"), "variant standard, not atomic"),
        (("--no-adjudicate",), "adjudicate True, not False"),
        (("--sprt", "0,8"), "sprt unset, not 0,8"),
        (("--pgn", "other.pgn"), "pgn unset, not other.pgn"),
    ],
)
def test_another_match_is_not_mixed_in(
    tmp_path: Path, change: tuple[object, ...], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["centella", "centella", "--games", 2, *QUICK, "--resume", tmp_path / "notes"]
    assert centella(*words) == 0
    noted = (tmp_path / "notes").read_bytes()
    assert centella(*words, *change) == 2
    assert wrong in capsys.readouterr().err
    assert (tmp_path / "notes").read_bytes() == noted


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("score 50%\n", ":1: not the note"),
        ("{}\n", "not the notes of a match"),
        ("one long line without an end", ":1: not the note"),
    ],
)
def test_a_file_that_holds_no_notes_is_left_alone(tmp_path: Path, text: str, wrong: str) -> None:
    notes = tmp_path / "notes"
    notes.write_text(text)
    wanted = Match("centella", "centella", variants.by_key("standard"), 2, Pace(nodes=100))
    with pytest.raises(BookError, match=wrong):
        Matchbook(wanted, notes, ()).take_up(wanted)
    assert notes.read_text() == text


def test_a_match_that_was_killed_before_its_first_note_was_whole_begins_anew(tmp_path: Path) -> None:
    words = ["centella", "centella", "--games", 2, *QUICK, "--resume", tmp_path / "notes"]
    assert centella(*words) == 0
    noted = (tmp_path / "notes").read_text().splitlines(keepends=True)
    for length in (0, 5, 60):
        (tmp_path / "notes").write_text(noted[0][:length])
        assert centella(*words) == 0
        assert (tmp_path / "notes").read_text().startswith(noted[0])


@pytest.mark.parametrize("other", ["--records", "--resume"])
def test_one_file_does_not_serve_two_ends(tmp_path: Path, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one"
    assert centella("centella", "centella", "--games", 2, *QUICK, "--pgn", one, other, tmp_path / "." / "one") == 2
    assert "one: wanted for two things at once" in capsys.readouterr().err
    assert not one.exists()


@pytest.mark.parametrize("output", ["--pgn", "--resume"])
def test_a_full_disk_is_told_with_the_file(
    tmp_path: Path, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    words = ["centella", "centella", "--games", 2, *QUICK, "--resume", notes]
    assert centella(*words) == 0
    # A file that cannot grow stands in for a disk that is full.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (notes.stat().st_size, limits[1]))
    try:
        longer = ["centella", "centella", "--games", 4, *QUICK]
        path = notes if output == "--resume" else tmp_path / "games.pgn"
        assert centella(*longer, output, path) != 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert f"centella: {path}: " in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"points": "x"}, {"points": 3}, {"number": "1"}, {"plies": None}])
def test_notes_that_somebody_has_edited_are_refused(
    tmp_path: Path, change: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    words = ["centella", "centella", "--games", 2, *QUICK, "--resume", notes]
    assert centella(*words) == 0
    *others, last = notes.read_text().splitlines(keepends=True)
    notes.write_text("".join(others) + json.dumps({**json.loads(last), **change}) + "\n")
    assert centella(*words) == 2
    assert "not the notes of a match" in capsys.readouterr().err


def test_games_that_are_missing_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes, path = tmp_path / "notes", tmp_path / "games.pgn"
    words = ["centella", "centella", "--games", 2, *QUICK, "--resume", notes, "--pgn", path]
    assert centella(*words) == 0
    path.write_bytes(path.read_bytes()[:100])
    assert centella(*words) == 2
    assert "shorter than" in capsys.readouterr().err


def test_games_are_added_to_those_that_a_file_has(tmp_path: Path) -> None:
    notes, path = tmp_path / "notes", tmp_path / "games.pgn"
    for first in ("centella:hash=1", "centella:hash=2"):
        assert centella(first, "centella", "--games", 2, *QUICK, "--pgn", path) == 0
    assert centella("centella:hash=3", "centella", "--games", 2, *QUICK, "--pgn", path, "--resume", notes) == 0
    # Only the settings are left: all games of this match are played again, those of the others stay.
    notes.write_text(notes.read_text().splitlines(keepends=True)[0])
    assert centella("centella:hash=3", "centella", "--games", 2, *QUICK, "--pgn", path, "--resume", notes) == 0
    assert [game.headers["White"] for game in games_in(path)] == [
        *("centella:hash=1", "centella", "centella:hash=2", "centella", "centella:hash=3", "centella"),
    ]


def test_a_test_tells_its_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert centella("centella:hash=1", "centella", "--games", 100, *QUICK, "--sprt", "0,200") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("SPRT [0, 200]: LLR -")
    assert lines[-2].endswith("within (-2.94, 2.94): accepted +0 Elo")
    assert lines[-3].startswith("Elo ")
    assert lines[-4].startswith("pairs of games by points 0 to 2: 0 ")


@pytest.mark.parametrize("text", ["8,0", "5", "x,y", "0,inf", "0,100000", "nan,8"])
def test_a_test_needs_two_hypotheses(text: str) -> None:
    with pytest.raises(SystemExit):
        centella("centella", "centella", "--games", 2, *QUICK, "--sprt", text)


@pytest.mark.parametrize(
    "pace",
    [("--tc", "inf"), ("--tc", "10+inf"), ("--tc", "1e18"), ("--movetime", 10**17), ("--nodes", 10**20)],
)
def test_more_time_than_can_be_counted_is_refused(pace: tuple[str, object]) -> None:
    with pytest.raises(SystemExit):
        centella("centella", "centella", "--games", 2, *pace)
