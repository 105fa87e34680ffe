"""Matches: between settings, with other programs, and what goes wrong in them."""

from pathlib import Path

import pytest

from bot.search.adjudication import DRAWN_FROM_PLY, DRAWN_PLIES, WON_PLIES, Adjudicator, Verdict
from bot.search.bout import ADJUDICATION, Finished
from bot.search.contest import Before, Match, OtherOpenings, play_match
from bot.search.openings import openings, read_openings
from bot.search.players import Pace, PlayerFailed, score_of_mate
from bot.search.programs import Program, player
from bot.search.sprt import Sprt
from bot.search.tally import ILLEGAL, TIME, Faults, Result, Tally
from bot.search.wdl import Spread, win_in
from rules import variants
from rules.move import Color
from rules.position import Position
from tests.search.programs import OWN, program

RESIGNED = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
LEVEL = "4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1"


def match(first: str, second: str, key: str = "standard", games: int = 2, **more) -> Match:
    settings = {"pace": Pace(nodes=200), "seed": 7, **more}
    return Match(first, second, variants.by_key(key), games, **settings)


def play(wanted: Match) -> tuple[Tally, list[Finished]]:
    played: list[Finished] = []
    tally = play_match(wanted, lambda tally, finished: played.append(finished))
    return tally, played


@pytest.mark.parametrize("key", ["standard", "chess960", "atomic", "spark", "parlour"])
def test_two_settings_play_each_other(key: str) -> None:
    told: list[int] = []
    tally = play_match(
        match("centella", "centella:null_move=0,hash=1", key), lambda tally, finished: told.append(tally.games)
    )
    assert tally.games == 2
    assert (tally.first_faults, tally.second_faults) == (Faults(), Faults())
    assert told == [1, 2]


@pytest.mark.parametrize("key", ["standard", "chess960", "atomic", "spark", "parlour"])
def test_our_search_plays_a_program_that_speaks_uci(key: str) -> None:
    tally, _ = play(match("centella", OWN, key, pace=Pace(nodes=100)))
    assert (tally.games, tally.first_faults, tally.second_faults) == (2, Faults(), Faults())


def test_a_match_by_the_clock() -> None:
    tally, _ = play(match("centella", OWN, pace=Pace(base_ms=5000, increment_ms=100), openings=(RESIGNED,)))
    assert (tally.games, tally.first_faults, tally.second_faults) == (2, Faults(), Faults())


def test_a_clock_that_runs_out_loses() -> None:
    start = Position.start(variants.by_key("standard")).fen()
    tally, played = play(match("centella", "centella", games=1, pace=Pace(base_ms=1), openings=(start,)))
    assert played[0].result.fault == TIME
    assert tally.first_faults.time + tally.second_faults.time == 1


def test_the_better_side_wins_with_both_colors() -> None:
    tally, _ = play(match("centella", "centella", openings=(RESIGNED,)))
    assert (tally.wins, tally.losses, tally.pairs) == (1, 1, (0, 0, 1, 0, 0))


def test_several_games_at_a_time_are_the_same_games() -> None:
    alone, together = (play(match("centella", "centella", games=6, concurrency=many)) for many in (1, 3))
    assert alone[0].pairs == together[0].pairs
    moves = [
        {finished.bout.number: finished.game.uci_moves(False) for finished in played} for _, played in (alone, together)
    ]
    assert moves[0] == moves[1]
    assert len(moves[0]) == 6


def test_an_illegal_move_loses_and_is_counted(tmp_path: Path) -> None:
    cheat = program(tmp_path, 'print("bestmove e2e5", flush=True)')
    tally, played = play(match("centella", cheat))
    assert (tally.wins, tally.first_faults, tally.second_faults) == (2, Faults(), Faults(illegal=2))
    assert [finished.result.reason for finished in played] == [ILLEGAL, ILLEGAL]


def test_a_program_that_breaks_down_loses_and_is_started_again(tmp_path: Path) -> None:
    tally, _ = play(match(program(tmp_path, "sys.exit(3)"), "centella", games=3))
    assert (tally.losses, tally.first_faults, tally.second_faults) == (3, Faults(broken=3), Faults())


def test_a_program_that_hangs_loses_on_time(tmp_path: Path) -> None:
    tally, _ = play(match(program(tmp_path, "pass"), "centella", games=1, pace=Pace(base_ms=100)))
    assert (tally.losses, tally.first_faults) == (1, Faults(time=1))


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(PlayerFailed, match="no-such-engine"):
        play(match("centella", "no-such-engine"))


def test_a_program_is_given_its_options(tmp_path: Path) -> None:
    moody = program(tmp_path, 'print("bestmove", mood, flush=True)')
    mate = ("7k/8/6K1/8/8/8/8/R7 w - - 0 1",)
    assert play(match(f"{moody}; Mood=a1a8", "centella", openings=mate, games=1))[0].wins == 1
    assert play(match(f'{moody} ;Mood = "a1b8"', "centella", openings=mate, games=1))[0].first_faults.illegal == 1


def test_an_option_that_a_program_has_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlayerFailed, match="Courage"):
        play(match("centella", program(tmp_path, "pass") + ";Courage=3"))


def test_a_semicolon_within_quotes_is_no_end() -> None:
    read = Program.read("'/opt/a;b/engine' --x ;Skill Level=3;Path='c;d'; Elo = 2400")
    assert read.words == ("/opt/a;b/engine", "--x")
    assert read.options == {"Skill Level": "3", "Path": "c;d", "Elo": "2400"}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("  ", "a player is missing"),
        (";Elo=1", "no command"),
        ("engine;Elo", "'Elo' is not NAME=VALUE"),
        ("engine 'x", "quotation"),
        ("centella:courage=3", "courage"),
        ("centella:null_move=much", "'null_move=much' is not KEY=NUMBER"),
        ("centella:null_move=99999999999999", "null_move is 99999999999999, not between"),
        ("centella:hash=0", "hash is 0, not between 1 and"),
        ("centella:hash=99999999999999999999999", "not between 1 and"),
        ("centella:threads=99999999999", "not between 1 and"),
    ],
)
def test_a_text_that_names_no_player_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        player(text)


@pytest.mark.parametrize("moves", [1, 2, 7, -1, -3])
def test_a_programs_mate_is_our_win(moves: int) -> None:
    assert win_in(score_of_mate(moves)) == moves


def verdicts(*scores: int) -> list[Verdict | None]:
    """What an adjudicator says after each ply, White beginning."""
    adjudicator = Adjudicator(Spread(100.0, 160.0))
    return [adjudicator.hear(Color(ply % 2), score) for ply, score in enumerate(scores)]


def test_a_game_is_won_when_both_sides_have_long_agreed() -> None:
    found = verdicts(*[900, -900] * WON_PLIES)
    assert found[WON_PLIES - 1] == Verdict(Color.WHITE)
    assert found[: WON_PLIES - 1] == [None] * (WON_PLIES - 1)
    assert verdicts(*[-900, 900] * WON_PLIES)[WON_PLIES - 1] == Verdict(Color.BLACK)


def test_what_one_side_alone_believes_decides_nothing() -> None:
    assert set(verdicts(*[900, -200] * 100)) == {None}
    assert set(verdicts(*[900, 900] * 100)) == {None}


def test_a_level_game_is_drawn_late_and_not_before() -> None:
    found = verdicts(*[3, -3] * DRAWN_FROM_PLY)
    assert found.index(Verdict(None)) == DRAWN_FROM_PLY - 1
    late = verdicts(*[150, -150] * (DRAWN_FROM_PLY // 2), *[0] * DRAWN_PLIES)
    assert late.index(Verdict(None)) == DRAWN_FROM_PLY + DRAWN_PLIES - 1


@pytest.mark.parametrize("second", ["centella", OWN])
def test_games_are_adjudicated_on_request(second: str) -> None:
    without_queen = ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",)
    asked = play(match("centella", second, openings=without_queen, games=1, adjudicate=True))[1][0]
    assert (asked.result.points, asked.result.reason) == (1.0, ADJUDICATION)
    to_the_end = play(match("centella", second, openings=without_queen, games=1))[1][0]
    assert (to_the_end.result.points, to_the_end.result.reason) == (1.0, "checkmate")


def test_our_search_judges_for_a_program_that_tells_no_score(tmp_path: Path) -> None:
    # It shuffles its king, and says nothing.
    shuffle = "turns = globals().get('turns', 0) + 1; print('bestmove', 'h8g8' if turns % 2 else 'g8h8', flush=True)"
    fen = "7k/8/8/8/8/8/R1Q5/K7 w - - 0 1"
    tally, played = play(
        match("centella", program(tmp_path, shuffle), openings=(fen,), games=1, pace=Pace(nodes=50), adjudicate=True)
    )
    assert tally.wins == 1
    assert played[0].result.reason in (ADJUDICATION, ILLEGAL, "checkmate")


def test_a_blocked_game_is_adjudicated_a_draw() -> None:
    tally, played = play(match("centella", "centella", openings=(LEVEL,), games=1, adjudicate=True))
    assert tally.draws == 1
    assert played[0].result.reason in (ADJUDICATION, "repetition")


def test_a_match_stops_when_its_question_is_settled() -> None:
    tally, _ = play(match("centella:hash=1", "centella", games=400, pace=Pace(nodes=50), sprt=Sprt(0, 200)))
    assert 2 < tally.games < 20
    assert Sprt(0, 200).accepted(tally.pairs) == 0


def test_games_played_before_are_not_played_again() -> None:
    wanted = match("centella", "centella", games=4)
    whole, games = play(wanted)
    before = {
        finished.bout.number: Before(finished.bout.fen, finished.result)
        for finished in games
        if finished.bout.number != 1
    }
    tally, again = play(match("centella", "centella", games=4, before=before))
    assert [finished.bout.number for finished in again] == [1]
    assert again[0].game.uci_moves(False) == games[1].game.uci_moves(False)
    assert tally == whole


def test_games_played_before_must_have_begun_where_these_begin() -> None:
    before = {0: Before(RESIGNED, Result(1.0, 3, "checkmate"))}
    with pytest.raises(OtherOpenings, match="game 1 began from"):
        play(match("centella", "centella", before=before))


def test_openings_are_read_once_each_without_comments_and_counts() -> None:
    lines = ["# a comment", "", "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 3", *["8/8/8/8/8/8/8/K2k4 w - - 0 1"] * 2]
    assert read_openings(lines) == ("8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K2k4 w - - 0 1")


@pytest.mark.parametrize("key", ["standard", "atomic", "spark"])
def test_drawn_openings_differ_and_are_the_same_for_the_same_seed(key: str) -> None:
    variant = variants.by_key(key)
    first, second = (openings(variant, 7) for _ in range(2))
    drawn = [next(first) for _ in range(40)]
    assert drawn == [next(second) for _ in range(40)]
    assert len(set(drawn)) == 40
    assert all(Position.from_fen(variant, fen).legal_moves() for fen in drawn)


def test_listed_openings_are_all_taken_before_any_comes_again() -> None:
    listed = tuple(f"8/8/8/8/8/8/8/K{file}k{5 - file} w - - 0 1" for file in range(1, 5))
    drawn = openings(variants.by_key("standard"), 3, listed)
    assert {next(drawn) for _ in range(4)} == set(listed)
    assert {next(drawn) for _ in range(4)} == set(listed)
