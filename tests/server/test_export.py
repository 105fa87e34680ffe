"""Games as PGN and JSON: section 7 of the contract; and the PGN writer itself."""
from __future__ import annotations

import io
from datetime import UTC, datetime

import chess.pgn
import chess.variant

from bot import directory, pgn, wire
from bot.server.app import LocalLichess
from rules import draws, variants
from rules.game import Game
from tests.server.players import Match, Player

HEADER = pgn.PgnHeader(
    event='Casual "quoted" game',
    site="http://127.0.0.1/x",
    game_id="abcdefgh",
    started_at=datetime(2026, 11, 30, 23, 5, 9, tzinfo=UTC),
    white=pgn.PgnPlayer("Rival", rating=1500, rating_change=-3),
    black=pgn.PgnPlayer("centella", title="BOT"),
    result="0-1",
    time_control="300+3",
    termination="Normal",
)


def read_back(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    return game


def test_a_finished_game_is_exported_with_clocks(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, rated=True)
    match.play("f2f3", "e7e5")
    lichess.advance(61_500)
    match.play("g2g4", "d8h4")
    text = housebot.get(f"/game/export/{match.id}").text
    game = read_back(text)
    assert game.end().board().is_checkmate()
    assert [node.clock() for node in game.mainline()] == [180, 180, 120, 180]
    tags = [line.split()[0][1:] for line in text.split("\n\n")[0].splitlines()]
    assert tags == [
        *("Event", "Site", "Date", "Round", "White", "Black", "Result", "GameId", "UTCDate", "UTCTime"),
        *("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff", "BlackTitle", "Variant", "TimeControl"),
        *("ECO", "Opening", "Termination"),
    ]
    headers = game.headers
    assert (headers["Event"], headers["Result"], headers["TimeControl"]) == ("Rated Blitz game", "0-1", "180+2")
    assert headers["UTCDate"] == "2026.09.21" and headers["Termination"] == "Normal"


def test_json_has_seconds_and_centiseconds(lichess: LocalLichess, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("e2e4", "e7e5", "g1f3")
    lichess.advance(250_000)
    exported = housebot.get(f"/game/export/{match.id}", headers={"Accept": "application/json"}).json()
    assert exported["clock"] == {"initial": 180, "increment": 2, "totalTime": 260}
    assert exported["clocks"] == [18_000, 18_000, 18_200]
    assert (exported["status"], exported["winner"], exported["moves"]) == ("outoftime", "white", "e4 e5 Nf3")
    assert exported["players"]["black"]["user"] == {"name": "housebot", "id": "housebot", "title": "BOT"}
    assert wire.read(directory.ExportedGame, exported).winner == "white"
    text = housebot.get(f"/game/export/{match.id}?clocks=false&tags=false").text
    assert text == "1. e4 e5 2. Nf3 1-0\n"
    both = housebot.get(f"/game/export/{match.id}?pgnInJson=true", headers={"Accept": "application/json"}).json()
    assert read_back(both["pgn"]).headers["Termination"] == "Time forfeit"


def test_a_running_game_lags_three_plies_behind(rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
    game = read_back(rival.get(f"/game/export/{match.id}").text)
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]
    assert (game.headers["Result"], game.headers["Termination"]) == ("*", "Unterminated")


def test_other_starts_have_their_fen(rival: Player, housebot: Player) -> None:
    fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 8"
    match = Match(rival, housebot, fen=fen)
    housebot.move(match.id, "e8h8")
    rival.move(match.id, "e1a1")
    rival.command(match.id, "resign")
    text = rival.get(f"/game/export/{match.id}").text
    game = read_back(text)
    assert game.board().fen() == fen and game.headers["SetUp"] == "1"
    assert [node.san() for node in game.mainline()] == ["O-O", "O-O-O"]
    assert text.split("\n\n")[0].splitlines()[-2:] == [f'[FEN "{fen}"]', '[SetUp "1"]']


def test_python_chess_reads_every_lichess_game_that_we_write() -> None:
    for variant, moves in (
        (variants.by_key("atomic"), "g1f3 f7f6 f3d4 e7e6 d4b5 a7a6 b5c7"),
        (variants.by_key("chess960"), "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1"),
        (variants.by_key("crazyhouse"), "e2e4 d7d5 e4d5 d8d5 P@e4"),
        (variants.by_key("threeCheck"), "e2e4 e7e5 f1c4 b8c6 c4f7"),
    ):
        game = Game.replay(variant, draws.for_game(variant, with_bot=True), None, moves.split())
        back = read_back(pgn.write(game, HEADER))
        # Chess960's start number 518 needs no FEN, but python-chess then takes it for standard chess.
        assert [node.san().rstrip("+#") for node in back.mainline()] == [san.rstrip("+#") for san in game.san_moves()]


def test_a_game_that_lichess_lacks_is_written_in_our_own_form() -> None:
    moves = "e2e3 e7e6 a2f3 d8h4 h2h3 h4f2 b2b3 f2e1"
    game = Game.replay(variants.SPARK, draws.SPARK, None, moves.split())
    assert game.outcome is not None
    text = pgn.write(game, HEADER, clocks_cs=[366_100, 18_000])
    tags, movetext = text.split("\n\n")
    assert '[Event "Casual \\"quoted\\" game"]' in tags and '[Variant "Spark"]' in tags
    assert '[WhiteRatingDiff "-3"]' in tags and '[BlackElo "?"]' in tags and "FEN" not in tags
    assert " ".join(movetext.split()) == (
        "1. e3 { [%clk 1:01:01] } 1... e6 { [%clk 0:03:00] } 2. a2>f3 2... Qh4 3. h3 3... Qxf2 "
        "4. b3 4... Qxe1# 0-1"
    )


def test_long_games_are_wrapped_and_black_may_begin() -> None:
    fen = "4k3/p7/8/8/8/8/P7/4K3 b - - 0 7"
    game = Game.start(variants.SPARK, draws.SPARK, fen)
    for uci in ("e8d8", "e1d1", "d8c8", "d1c1", "c8b8", "c1b1", "b8a8", "b1a1", "a7a6", "a2a3", "a6a5", "a3a4"):
        game.play_uci(uci)
    text = pgn.write(game, HEADER, with_tags=False)
    assert text.startswith("7... Kd8 8. Kd1 Kc8")
    assert max(map(len, text.splitlines())) <= 80
