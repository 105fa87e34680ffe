"""`centella rules`: what it prints, and its exit codes."""

from pathlib import Path

import pytest

from bot.__main__ import main

FILES = Path(__file__).resolve().parent.parent / "conformance"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Ran:
    """What a command printed and returned."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = main(["rules", *arguments])
        printed = capsys.readouterr()
        self.out, self.err = printed.out.splitlines(), printed.err.splitlines()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> object:
    return lambda *arguments: Ran(capsys, *arguments)


def test_perft_checks_every_count_of_a_file(run, tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(f"# start\n\n{START} ;D1 20 ;D2 400\n4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n")
    ran = run("perft", "standard", "--epd", str(file))
    assert ran.out[-1].startswith("positions 2 counts 3 mismatches 0 nodes/s ")
    assert ran.code == 0


def test_perft_tells_a_wrong_count_and_a_position_that_is_refused(run, tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(f"{START} ;D1 20 ;D2 401\n8/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n")
    ran = run("perft", "standard", "--epd", str(file))
    assert ran.out[0] == f"line 1: {START}: depth 2: 400, expected 401"
    assert "There is no black king" in ran.out[1]
    assert ran.out[-1].startswith("positions 2 counts 3 mismatches 2 ")
    assert ran.code == 1


def test_perft_can_leave_out_large_counts(run) -> None:
    ran = run("perft", "atomic", "--epd", str(FILES / "perft/atomic.epd"), "--most", "1000")
    assert " mismatches 0 " in ran.out[-1]
    assert not ran.out[-1].startswith("positions 21 counts 101 ")


def test_perft_counts_from_a_position_move_by_move(run) -> None:
    ran = run("perft", "standard", "--depth", "3")
    assert "e2e4: 600" in ran.out
    assert ran.out[-1].startswith("depth 3 nodes 8902 ")
    assert ran.code == 0


def test_a_perft_file_that_is_none_is_told_with_its_line(run, tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(f"{START} ;D1 twenty\n")
    ran = run("perft", "standard", "--epd", str(file))
    told = f"centella: {file}: line 1: 'D1 twenty' is not a depth and a count, such as D3 8902"
    assert (ran.code, ran.err) == (2, [told])


def test_verify_agrees_with_the_shared_rows(run) -> None:
    ran = run("verify", str(FILES / "spark/invalid.jsonl"), "--variant", "spark")
    assert ran.out[0] == "line 1: refused: There is no white king (no white king)"
    assert (ran.out[-1], ran.code) == ("rows 15 mismatches 0", 0)


WRONG = [
    ('{"fen": "%s", "moves": ["e2e4"], "status": "mate"}', "status ongoing, expected mate"),
    ('{"fen": "%s", "moves": ["e2e5"], "status": "ongoing"}', "'e2e5': That man does not move like that"),
    ('{"fen": "%s", "status": "ongoing", "insufficient": {"white": true}}', "white can win, expected the contrary"),
    ('{"fen": "%s", "status": "ongoing", "policy": "fantasy"}', "unknown draw policy 'fantasy'"),
    (
        '{"fen": "%s", "uci": "e2e4", "written": "e3"}',
        "e2e4 is written e4, expected e3; e3 is read as e2e3, expected e2e4",
    ),
    ('{"fen": "%s", "written": "e3"}', "the row has a written move, but no key uci"),
    ('{"fen": "%s", "why": "it is the start"}', "not refused: it is the start"),
    ('{"fen": "%s"}', "the row has none of the keys status, written and why"),
    ('{"status": "mate"}', "fen: Field required"),
    ("[", "Invalid JSON"),
    ('{"fen": "8/8/8/8/8/8/8/4K3 w - - 0 1", "status": "ongoing"}', "There is no black king"),
    ('{"variant": "fantasy", "fen": "%s", "status": "ongoing"}', None),
]


@pytest.mark.parametrize(("row", "remark"), WRONG)
def test_verify_tells_every_kind_of_disagreement(run, tmp_path: Path, row: str, remark: str | None) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(row.replace("%s", START) + "\n")
    ran = run("verify", str(file), "--variant", "standard")
    if remark is None:
        assert (ran.out, ran.code) == (["rows 0 mismatches 0"], 0)
        return
    assert ran.out[0].startswith(f"line 1: MISMATCH: {remark}")
    assert (ran.out[-1], ran.code) == ("rows 1 mismatches 1", 1)


def test_without_a_variant_a_row_must_name_one_that_we_have(run, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [
        f'{{"fen": "{START}", "status": "ongoing"{more}}}'
        for more in ("", ', "variant": "chss"', ', "variant": "atomic"')
    ]
    file.write_text("\n".join(rows))
    ran = run("verify", str(file))
    assert ran.out[0] == "line 1: MISMATCH: the row names no variant: give one with --variant"
    assert ran.out[1].startswith("line 2: MISMATCH: unknown variant 'chss'")
    assert (ran.out[-1], ran.code) == ("rows 3 mismatches 2", 1)


def test_check_passes_a_good_position_and_shows_oddities(run) -> None:
    assert run("check", "standard", START).out == [f"ok: {START}"]
    ran = run("check", "standard", "7k/8/8/8/8/8/8/r3K2r w - - 0 1")
    assert ran.out[0] == "oddity: No move can have given this check: a1 h1"
    assert ran.code == 0


@pytest.mark.parametrize("text", ["4k3/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", ""])
def test_check_fails_a_bad_position(run, text: str) -> None:
    ran = run("check", "standard", text)
    assert ran.out[0].startswith("error: ")
    assert ran.code == 1


def test_check_fails_an_unknown_game_as_well(run) -> None:
    ran = run("check", "chss", START)
    assert (ran.code, len(ran.err)) == (1, 1)


def test_a_fen_may_be_given_in_pieces(run) -> None:
    assert run("check", "standard", *START.split()).code == 0


def test_moves_prints_a_move_a_line_in_the_form_of_the_game(run) -> None:
    castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert "e1g1" in run("moves", "standard", castling).out
    assert "e1h1" in run("moves", "chess960", castling).out
    assert run("moves", "spark", "8/8/8/3k4/4K3/8/8/8 w - - 0 1").out.count("e4d5") == 1


def test_show_draws_the_board(run) -> None:
    ran = run("show", "atomic", "8/8/8/8/8/8/3P4/4K3 b - - 0 1")
    assert ran.out[6] == "2 . . . P . . . ."
    assert "over: The king has exploded, white wins" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["moves", "chss", START],
        ["moves", "standard", "nonsense"],
        ["show", "spark", START],
        ["perft", "chss"],
        ["perft", "standard", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        ["perft", "standard", "--epd", "/no/such/file"],
        ["verify", "/no/such/file"],
        ["verify", str(FILES / "policies.jsonl"), "--variant", "chss"],
    ],
)
def test_a_wrong_argument_is_one_clear_line_and_exit_two(run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.code, len(ran.err), ran.out) == (2, 1, [])
