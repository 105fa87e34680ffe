"""The recorded streams, told to the bot again: it makes the calls that the contract asks for, and no others.

After each line of a game stream:

- a state that awaits a move of ours, for moves that we have not answered yet: exactly one legal move
- the same moves again, whatever flags they carry: no move
- a takeback offered that was not offered before: one answer to it
- a draw offered: nothing has to be sent, since the next move refuses it
- an opponent gone, with seconds to go: nothing; a claim only when they are over
- chat, system lines, unknown lines: nothing
- a final state, once or twice: nothing more, and one record
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import uci, variants
from tests.incidents.house import eventually
from tests.incidents.replay import ReplayedGame, ReplayServer, recorded, replayed

GAMES = {
    # the moves that are awaited of us, the calls beside them, and the record
    "aborted_before_first_move": (0, [], "*", "aborted"),
    "atomic_variant_end": (12, [], "1-0", "variantEnd"),
    "blitz_takeback_draw_chat_gone": (22, ["takeback/yes", "takeback/yes"], "1/2-1/2", "draw"),
    "chess960_castling": (16, [], "0-1", "resign"),
    "correspondence_two_connections": (10, [], "0-1", "resign"),
    "crazyhouse_drops": (31, [], "0-1", "mate"),
    "from_position_black_to_move": (25, [], "1-0", "mate"),
    "threefold_auto_draw": (9, [], "1/2-1/2", "draw"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_recorded_game_is_followed_by_the_calls_it_asks_for(name: str, tmp_path: Path) -> None:
    moves_asked, others, result, status = GAMES[name]
    game = ReplayedGame(name)
    site = ReplayServer([game], [game.start_event])
    conduct = {"resign": {"allow": False}, "draws": {"accept": False}}
    with replayed(site, tmp_path, conduct=conduct, chat={"commands": False}) as (records, _):
        eventually(lambda: bool(records.ended_games()), "the game is recorded")
        (record,) = records.ended_games()
    assert (record.result, record.status) == (result, status)
    assert [call for call in game.calls if not call.startswith("move/")] == others
    assert len(game.moves) == len(game.awaited) == moves_asked
    for sent, moves in zip(game.moves, game.awaited, strict=True):
        position = game.game_at(moves).position
        assert position.is_legal(uci.read(position, sent)), (sent, moves)


ANSWERS = {
    "pEnD1ng7": "accept",  # replayed on connecting, without compat
    "h0mAnB1z": "accept",
    "b0tBul1t": "accept",  # canceled later
    "n1n3s1xO": "accept",
    "fP0sB1kM": "accept",
    "unL1m1tD": "accept",  # no clock at all
    "c0rr3dAy": "accept",  # by the day
    "h0rd3Fen": "accept",
    "uLtr4Zh0": "decline tooFast",  # too fast for bots: to accept it would fail
    "r3mAtch2": "accept",  # a rematch
    "r3mAtch3": "accept",  # another, canceled later
}
"""What must follow each challenge of the recorded event stream; to our own, told back to us, nothing."""


def test_every_line_of_the_recorded_event_stream_is_followed_by_the_calls_it_asks_for(tmp_path: Path) -> None:
    games = [ReplayedGame("blitz_takeback_draw_chat_gone"), ReplayedGame("correspondence_two_connections")]
    site = ReplayServer(games, recorded("event_stream_challenges"))
    anything = {"rated": tuple(variant.key for variant in variants.ALL), "alternate_colors": False}
    accept = {"max_games": 50, "humans": anything, "bots": anything}
    with replayed(site, tmp_path, accept=accept, chat={"commands": False}) as (records, server):
        assert site.told.wait(30)
        started = {"qT7mLr2x", "c0Rr3sp9", "h0mAnB1z", "r3mAtch2", "n1n3s1xO", "0p3nCh4l", "RwA1gAm3"}
        # the site knows only the first two of them: the others are looked up, and filed as vanished
        eventually(lambda: {record.game_id for record in records.ended_games()} == started, "every game is recorded")
        asked = {request.path for request in server.requests}
    assert site.answers == ANSWERS
    assert {f"/api/bot/game/stream/{game_id}" for game_id in started} <= asked
    assert all(len(game.moves) == len(game.awaited) > 0 for game in games)


def test_what_nobody_knows_is_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = ReplayedGame("aborted_before_first_move")
    odd = ['{"type":"celebration","cake":true}', '{"type":"challengeUpdated"}', '{"no":"type"}', game.start_event]
    site = ReplayServer([game], odd)
    with replayed(site, tmp_path) as (records, _):
        eventually(lambda: bool(records.ended_games()), "the game after them is played")
    assert any("ignored an event of type 'celebration'" in message for message in caplog.messages)


def test_an_unknown_status_is_an_end(tmp_path: Path) -> None:
    game = ReplayedGame("aborted_before_first_move")
    for part in game.parts:
        part[:] = [line.replace('"status":"aborted"', '"status":"struckByLightning","winner":"white"') for line in part]
    site = ReplayServer([game], [game.start_event])
    with replayed(site, tmp_path) as (records, _):
        eventually(lambda: bool(records.ended_games()), "the game is recorded")
        (record,) = records.ended_games()
    assert (record.status, record.result, record.reason) == ("struckByLightning", "1-0", None)
