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

from rules import uci
from tests.incidents.house import eventually
from tests.incidents.replay import ReplayedGame, ReplayServer, replayed

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
