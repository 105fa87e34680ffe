"""Games that Lichess does not have, on the wire: spark, parlour, turn time, the engine's draws."""
from __future__ import annotations

import random

import pytest

from bot import wire
from bot.server.app import LocalLichess
from rules import draws, variants
from rules.game import Game
from tests.server.players import Match, Player

KINGS_AND_ROOK = "8/8/8/3k4/8/3K4/7R/8 w - - 0 1"


def spark_moves_to_the_end(seed: int) -> tuple[list[str], Game]:
    """A random game of Spark to its end."""
    chance = random.Random(seed)
    game = Game.start(variants.SPARK, draws.SPARK)
    while game.outcome is None:
        game.play(chance.choice(game.position.legal_moves()))
    return game.uci_moves(rook_castling=True), game


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_spark_is_played_to_its_own_ends(housebot: Player, fusebox: Player, seed: int) -> None:
    moves, game = spark_moves_to_the_end(seed)
    match = Match(housebot, fusebox, variant="spark")
    lines = housebot.game(match.id)
    full = lines.next()
    assert full["variant"] == {"key": "spark", "name": "Spark Chess", "short": "Spark"}
    assert (full["initialFen"], full["perf"]) == ("startpos", {"name": "Spark Chess"})
    match.play(*moves)
    last = lines.rest()[-1]
    assert game.outcome is not None
    winner = game.outcome.winner
    assert last["status"] == game.outcome.status and last["reason"] == game.outcome.reason
    assert last.get("winner") == (None if winner is None else winner.wire)
    assert wire.read(wire.GameState, last).reason == game.outcome.reason
    exported = housebot.get(f"/game/export/{match.id}", headers={"Accept": "application/json"}).json()
    assert exported["moves"].split() == game.san_moves() and exported["reason"] == last["reason"]


def test_capturing_the_king_ends_spark_by_the_variant(housebot: Player, fusebox: Player) -> None:
    match = Match(housebot, fusebox, variant="spark", fen="8/8/8/3k4/8/3K4/3R4/8 w - - 0 1")
    lines = fusebox.game(match.id)
    assert lines.next()["initialFen"].startswith("8/8/8/3k4")
    match.play("d3c3", "d5e5", "d2d1", "e5d5", "d1d5")
    last = lines.rest()[-1]
    assert (last["status"], last["winner"], last["reason"]) == ("variantEnd", "white", "kingCaptured")


def test_the_reason_is_told_for_every_end_of_an_own_game(housebot: Player, fusebox: Player) -> None:
    match = Match(housebot, fusebox, variant="parlour")
    match.play("e2e4", "e7e5")
    lines = fusebox.game(match.id)
    housebot.command(match.id, "resign")
    assert lines.rest()[-1]["reason"] == "resignation"


def test_repetition_ends_nothing_in_parlour(housebot: Player, fusebox: Player) -> None:
    match = Match(housebot, fusebox, variant="parlour")
    match.play(*("g1f3", "g8f6", "f3g1", "f6g8") * 4, "e2e4")


def test_turn_time_is_asked_for_in_seconds(lichess: LocalLichess, housebot: Player, fusebox: Player) -> None:
    terms = {"clock__limit": None, "clock__increment": None, "variant": "parlour", "turn__limit": 30}
    challenge = housebot.challenge(fusebox, **terms)
    assert challenge["timeControl"] == {"type": "turn", "limit": 30, "show": "30s/move"}
    assert challenge["speed"] == "rapid"
    fusebox.accept(challenge["id"])
    lichess.advance(12_340)
    full = housebot.game(challenge["id"]).next()
    assert full["secondsPerTurn"] == 30 and "clock" not in full
    assert (full["state"]["wtime"], full["state"]["btime"]) == (17_660, 30_000)
    assert wire.read(wire.GameFull, full).seconds_per_turn == 30


@pytest.mark.parametrize("seconds", [4, 601])
def test_turn_time_has_limits(housebot: Player, fusebox: Player, seconds: int) -> None:
    form = {"variant": "parlour", "turn.limit": str(seconds)}
    refused = housebot.post("/api/challenge/fusebox", data=form)
    assert refused.json()["error"] == {"turn.limit": ["Invalid value"]}


def test_the_system_plays_for_who_lets_the_turn_pass_and_always_the_same(
    lichess: LocalLichess, housebot: Player, fusebox: Player
) -> None:
    terms = {"clock__limit": None, "clock__increment": None, "variant": "parlour", "turn__limit": 30}
    played = []
    for _ in range(2):
        match = Match(housebot, fusebox, **terms)
        lines = fusebox.game(match.id)
        lines.next()
        lichess.advance(30_000)
        chat, state = lines.next(), lines.next()
        assert (chat["username"], chat["room"]) == ("lichess", "player") and state["moves"] in chat["text"]
        assert (state["wtime"], state["btime"], state["status"]) == (30_000, 30_000, "started")
        played.append(state["moves"])
        assert lichess.call(lambda site, game_id=match.id: len(site.tables[game_id].automatic)) == 1
        fusebox.move(match.id, "e7e5")
        lichess.advance(1_000)
        housebot.move(match.id, "a2a3" if "a2" not in state["moves"] else "h2h3")
        assert lichess.call(lambda site, game_id=match.id: len(site.tables[game_id].automatic)) == 0
        housebot.command(match.id, "resign")
        exported = housebot.get(f"/game/export/{match.id}", headers={"Accept": "application/json"}).json()
        assert exported["systemMoves"] == {"white": 1, "black": 0} and exported["secondsPerTurn"] == 30
    assert played[0] == played[1] != ""


def test_an_abandoned_game_with_turn_time_plays_itself_to_the_end(
    lichess: LocalLichess, housebot: Player, fusebox: Player
) -> None:
    start = "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"
    terms = {"clock__limit": None, "clock__increment": None, "turn__limit": 5, "variant": "parlour", "fen": start}
    match = Match(housebot, fusebox, **terms)
    lichess.advance(5_000 * 120)
    last = housebot.game(match.id).rest()
    assert len(last) == 1 and last[0]["state"]["status"] in ("mate", "draw", "stalemate")


def test_the_engines_draws_can_be_asked_for(housebot: Player, fusebox: Player) -> None:
    challenge = housebot.challenge(fusebox, drawPolicy="engine", fen="7k/8/8/8/8/8/8/K2NN3 w - - 0 1")
    assert challenge["drawPolicy"] == "engine"
    fusebox.accept(challenge["id"])
    full = housebot.game(challenge["id"]).next()
    assert full["drawPolicy"] == "engine" and wire.read(wire.GameFull, full).draw_policy == "engine"


def test_spark_keeps_its_own_material_draws(housebot: Player, fusebox: Player) -> None:
    match = Match(housebot, fusebox, variant="spark", fen=KINGS_AND_ROOK.replace("7R", "6rR"))
    lines = housebot.game(match.id)
    match.play("h2g2", "d5d6", "d3e3", "d6d7")
    housebot.command(match.id, "draw/yes")
    fusebox.command(match.id, "draw/yes")
    last = lines.rest()[-1]
    assert (last["status"], last["reason"]) == ("draw", "agreement")
