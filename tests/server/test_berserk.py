"""Every call of berserk's clients that a bot or a person at a board makes, each answered as berserk expects."""
from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import berserk
import chess.pgn
import pytest
from berserk.types.account import AccountInformation
from berserk.types.bots import ChallengeEvent, GameEvent
from berserk.types.challenges import ChallengeJson

from bot.server.app import LocalLichess
from rules.move import Color
from tests.server.berserk_scene import Scene, valid
from tests.server.players import Match, Player, until

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


@pytest.fixture
def scene(lichess: LocalLichess, housebot: Player, rival: Player, fusebox: Player) -> Scene:
    return Scene(lichess, housebot, rival, fusebox)


# Streams


@pytest.mark.parametrize("api", ["bots", "board"])
def test_stream_incoming_events(scene: Scene, api: str) -> None:
    game_id = scene.match("e2e4")
    client, player, other = scene.bot, scene.housebot, scene.rival
    if api == "board":
        client, player, other = scene.person, scene.rival, scene.housebot
    waiting_id = other.challenge(player)["id"]
    events = getattr(client, api).stream_incoming_events()
    started, waiting = next(events), next(events)
    assert valid(GameEvent, started)["game"]["gameId"] == game_id
    assert valid(ChallengeEvent, waiting)["challenge"]["id"] == waiting_id
    other.post(f"/api/challenge/{waiting_id}/cancel")
    cancelled = next(events)
    assert (valid(ChallengeEvent, cancelled)["type"]) == "challengeCanceled"
    player.post(f"/api/challenge/{other.challenge(player)['id']}/decline")
    next(events)
    assert valid(ChallengeEvent, next(events))["challenge"]["declineReasonKey"] == "generic"
    other.command(game_id, "resign")
    assert valid(GameEvent, next(events))["type"] == "gameFinish"


@pytest.mark.parametrize("api", ["bots", "board"])
def test_stream_game_state(scene: Scene, api: str) -> None:
    game_id = scene.match()
    client = getattr(scene.bot if api == "bots" else scene.person, api)
    lines: Iterator[dict[str, Any]] = client.stream_game_state(game_id)
    full = next(lines)
    assert full["createdAt"] == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
    assert full["state"]["wtime"] == 600_000
    scene.housebot.move(game_id, "e2e4")
    state = next(lines)
    assert (state["type"], state["wtime"], state["winc"]) == ("gameState", timedelta(minutes=10), timedelta(seconds=2))
    scene.rival.command(game_id, "abort")
    assert [line["status"] for line in lines] == ["aborted", "aborted"]


def test_the_times_of_correspondence_fit_into_berserks(scene: Scene) -> None:
    none = {"clock__limit": None, "clock__increment": None}
    for fields in ({"days": 14}, {}):
        game_id = scene.match(**(none | fields))
        lines = scene.bot.bots.stream_game_state(game_id)
        assert "clock" not in next(lines)
        scene.housebot.move(game_id, "e2e4")
        assert next(lines)["btime"] in (timedelta(days=14), timedelta(milliseconds=2_147_483_647))


# Commands in a game: what is done before, the call, and what is to be seen of it afterwards

Call = Callable[[Any, str], object]
COMMANDS: dict[str, tuple[tuple[str, ...], Call, dict[str, object]]] = {
    "make_move": ((), lambda api, game_id: api.make_move(game_id, "e2e4"), {"moves": "e2e4"}),
    "abort_game": ((), lambda api, game_id: api.abort_game(game_id), {"status": "aborted"}),
    "resign_game": (("e2e4", "e7e5"), lambda api, game_id: api.resign_game(game_id), {"status": "resign"}),
}
BOARD_COMMANDS: dict[str, tuple[tuple[str, ...], Call, dict[str, object]]] = {
    "offer_draw": (("e2e4", "e7e5"), lambda api, game_id: api.offer_draw(game_id), {"bdraw": True}),
    "handle_draw_offer": (
        ("e2e4", "e7e5"), lambda api, game_id: api.handle_draw_offer(game_id, accept=True), {"bdraw": True}
    ),
    "offer_takeback": (("e2e4", "e7e5"), lambda api, game_id: api.offer_takeback(game_id), {"btakeback": True}),
    "handle_takeback_offer": (
        ("e2e4", "e7e5"), lambda api, game_id: api.handle_takeback_offer(game_id, accept=True), {"btakeback": True}
    ),
}
ANSWERS: dict[str, tuple[str, Call, dict[str, object]]] = {
    "accept_draw": ("draw/yes", lambda api, game_id: api.accept_draw(game_id), {"status": "draw"}),
    "decline_draw": ("draw/yes", lambda api, game_id: api.decline_draw(game_id), {"status": "started", "wdraw": None}),
    "accept_takeback": ("takeback/yes", lambda api, game_id: api.accept_takeback(game_id), {"moves": ""}),
    "decline_takeback": (
        "takeback/yes", lambda api, game_id: api.decline_takeback(game_id), {"moves": "e2e4 e7e5", "wtakeback": None}
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_bots_commands(scene: Scene, name: str) -> None:
    moves, call, expected = COMMANDS[name]
    game_id = scene.match(*moves)
    call(scene.bot.bots, game_id)
    assert {key: scene.state(game_id).get(key) for key in expected} == expected


@pytest.mark.parametrize("name", [*COMMANDS, *BOARD_COMMANDS])
def test_board_commands(scene: Scene, name: str) -> None:
    moves, call, expected = (COMMANDS | BOARD_COMMANDS)[name]
    color = "black" if moves else "white"
    match = Match(scene.rival if color == "white" else scene.housebot,
                  scene.housebot if color == "white" else scene.rival, clock__limit=600)
    match.play(*moves)
    call(scene.person.board, match.id)
    assert {key: scene.state(match.id).get(key) for key in expected} == expected


@pytest.mark.parametrize("name", ANSWERS)
def test_board_answers_to_offers(scene: Scene, name: str) -> None:
    offer, call, expected = ANSWERS[name]
    game_id = scene.match("e2e4", "e7e5")
    scene.housebot.command(game_id, offer)
    call(scene.person.board, game_id)
    assert {key: scene.state(game_id).get(key) for key in expected} == expected


@pytest.mark.parametrize("api", ["bots", "board"])
@pytest.mark.parametrize("spectator", [False, True])
def test_post_message(scene: Scene, api: str, spectator: bool) -> None:
    game_id = scene.match()
    getattr(scene.bot if api == "bots" else scene.person, api).post_message(game_id, "hi 😀", spectator=spectator)
    name = "housebot" if api == "bots" else "Rival"
    assert scene.chat(game_id) == [("spectator" if spectator else "player", name, "hi 😀")]


def test_board_get_game_chat(scene: Scene) -> None:
    game_id = scene.match()
    scene.housebot.command(game_id, "chat", data={"room": "player", "text": "good luck"})
    assert scene.person.board.get_game_chat(game_id) == [{"text": "good luck", "user": "housebot"}]


def test_board_claim_victory(scene: Scene) -> None:
    game_id = scene.match("e2e4", "e7e5")
    lines = scene.housebot.game(game_id)
    lines.close()
    until(lambda: not scene.lichess.call(lambda site: site.tables[game_id].presence.present(Color.WHITE)))
    with pytest.raises(berserk.exceptions.ResponseError):
        scene.person.board.claim_victory(game_id)
    scene.lichess.advance(81_000)
    scene.person.board.claim_victory(game_id)
    assert scene.state(game_id)["winner"] == "black"


def test_a_refusal_is_an_error_with_the_servers_words(scene: Scene) -> None:
    game_id = scene.match()
    with pytest.raises(berserk.exceptions.ResponseError, match="400") as raised:
        scene.bot.bots.make_move(game_id, "e2e5")
    assert raised.value.cause == {"error": "Piece on e2 cannot move to e5"}
    assert raised.value.status_code == 400


def test_bots_get_online_bots(scene: Scene) -> None:
    streams = [scene.housebot.events(), scene.fusebox.events()]
    bots = list(scene.bot.bots.get_online_bots(limit=1))
    assert [bot["id"] for bot in bots] == ["housebot"] and isinstance(bots[0]["createdAt"], datetime)
    assert {bot["id"] for bot in scene.bot.bots.get_online_bots()} == {"housebot", "fusebox"} and len(streams) == 2


# Challenges


@pytest.mark.parametrize("api", ["bots", "challenges"])
def test_accepting_and_declining(scene: Scene, api: str) -> None:
    client = getattr(scene.bot, api)
    accept = client.accept_challenge if api == "bots" else client.accept
    decline = client.decline_challenge if api == "bots" else client.decline
    accepted, declined = scene.rival.challenge(scene.housebot)["id"], scene.rival.challenge(scene.housebot)["id"]
    accept(accepted)
    decline(declined, reason="tooFast")
    assert scene.state(accepted)["status"] == "started"
    shown = scene.rival.get(f"/api/challenge/{declined}/show").json()
    assert valid(ChallengeJson, shown)["declineReasonKey"] == "toofast"


def test_challenges_get_mine(scene: Scene) -> None:
    incoming, outgoing = scene.rival.challenge(scene.housebot)["id"], scene.housebot.challenge(scene.fusebox)["id"]
    mine = valid(dict[str, list[ChallengeJson]], scene.bot.challenges.get_mine())
    assert {key: [each["id"] for each in mine[key]] for key in mine} == {"in": [incoming], "out": [outgoing]}


@pytest.mark.parametrize(
    ("fields", "show"),
    [
        ({"clock_limit": 180, "clock_increment": 2}, "3+2"),
        ({"clock_limit": 600, "clock_increment": 0, "variant": "antichess", "color": "black"}, "10+0"),
        ({"clock_limit": 60, "clock_increment": 1, "position": chess.STARTING_FEN.replace("KQkq", "-")}, "1+1"),
        ({"days": 3}, None),
        ({}, None),
    ],
)
def test_challenges_create(scene: Scene, fields: dict[str, Any], show: str | None) -> None:
    made = scene.bot.challenges.create("rival", rated=False, **fields)
    assert valid(ChallengeJson, made)["direction"] == "out"
    assert made["timeControl"].get("show") == show


def test_challenges_create_with_accept(scene: Scene) -> None:
    with pytest.deprecated_call():
        begun = scene.bot.challenges.create_with_accept(
            "rival", rated=False, token=scene.rival.token, clock_limit=600, clock_increment=0, color="black"
        )
    assert begun["game"]["source"] == "api" and begun["game"]["status"]["name"] == "started"
    assert scene.housebot.game(begun["game"]["id"]).next()["black"]["id"] == "housebot"
    with pytest.deprecated_call(), pytest.raises(berserk.exceptions.ResponseError):
        scene.bot.challenges.create_with_accept("rival", rated=False, token=scene.fusebox.token)


def test_challenges_create_ai(scene: Scene) -> None:
    game = scene.bot.challenges.create_ai(level=1, clock_limit=60, clock_increment=1, color="white", variant="atomic")
    assert (game["source"], game["variant"]["key"], game["player"]) == ("ai", "atomic", "white")


def test_challenges_create_open(scene: Scene) -> None:
    challenge = scene.bot.challenges.create_open(clock_limit=300, clock_increment=3, rated=False, name="Anybody?")
    assert challenge["urlWhite"].endswith("?color=white") and challenge["name"] == "Anybody?"
    for client in (scene.bot, scene.person):
        client.challenges.accept(challenge["id"])
    assert scene.state(challenge["id"])["status"] == "started"


def test_challenges_cancel(scene: Scene) -> None:
    waiting, begun, late = scene.housebot.challenge(scene.rival)["id"], scene.match(), scene.match("e2e4", "e7e5")
    scene.bot.challenges.cancel(waiting)
    assert scene.housebot.get(f"/api/challenge/{waiting}/show").json()["status"] == "canceled"
    scene.bot.challenges.cancel(begun)
    assert scene.state(begun)["status"] == "aborted"
    with pytest.raises(berserk.exceptions.ResponseError):
        scene.bot.challenges.cancel(late)
    scene.bot.challenges.cancel(late, opponent_token=scene.rival.token)
    assert scene.state(late)["status"] == "aborted"


def test_challenges_start_clocks(scene: Scene) -> None:
    game_id = scene.match()
    scene.bot.challenges.start_clocks(game_id, scene.rival.token, scene.housebot.token)
    scene.lichess.advance(5_000)
    assert scene.state(game_id)["wtime"] == 595_000


def test_challenges_add_time_to_opponent_clock(scene: Scene) -> None:
    game_id = scene.match()
    scene.bot.challenges.add_time_to_opponent_clock(game_id, 30)
    assert scene.state(game_id)["btime"] == 630_000


# Games


def test_games_export_as_pgn(scene: Scene) -> None:
    game_id = scene.match(*MATE)
    game = chess.pgn.read_game(io.StringIO(scene.bot.games.export(game_id, as_pgn=True)))
    assert game is not None and (game.headers["GameId"], game.headers["Result"]) == (game_id, "0-1")
    assert [move.uci() for move in game.mainline_moves()] == list(MATE)
    without = scene.bot.games.export(game_id, as_pgn=True, moves=False, clocks=False, opening=False)
    assert "1. f3" not in without and "[Opening" not in without
    bare = scene.bot.games.export(game_id, as_pgn=True, tags=False, clocks=False, evals=False, literate=False)
    assert bare.startswith("1. f3 e5 2. g4 Qh4# 0-1")


def test_games_export_as_json(scene: Scene) -> None:
    game = scene.bot.games.export(scene.match(*MATE), as_pgn=False)
    assert (game["status"], game["winner"], game["moves"]) == ("mate", "black", "f3 e5 g4 Qh4#")
    assert game["createdAt"].tzinfo is UTC and len(game["clocks"]) == 4


@pytest.mark.parametrize("as_pgn", [False, True])
def test_games_export_by_player(scene: Scene, as_pgn: bool) -> None:
    ids = [scene.match(*MATE), scene.match(*MATE, variant="kingOfTheHill")]
    games = list(scene.bot.games.export_by_player("rival", as_pgn=as_pgn, max=5, finished=True))
    assert [game_id in str(game) for game, game_id in zip(games, reversed(ids), strict=True)] == [True, True]


@pytest.mark.parametrize("as_pgn", [False, True])
def test_games_export_multi(scene: Scene, as_pgn: bool) -> None:
    ids = [scene.match(*MATE), scene.match()]
    games = list(scene.bot.games.export_multi(*ids, as_pgn=as_pgn))
    assert [game_id in str(game) for game, game_id in zip(games, ids, strict=True)] == [True, True]


def test_games_export_ongoing_by_player(scene: Scene) -> None:
    game_id = scene.match("e2e4", "e7e5", "g1f3", "b8c6")
    (game,) = scene.bot.games.export_ongoing_by_player("rival", as_pgn=False)
    assert (game["id"], game["moves"]) == (game_id, "e4")


def test_games_get_ongoing(scene: Scene) -> None:
    ids = {scene.match() for _ in range(11)}
    games = scene.bot.games.get_ongoing(count=50)
    assert {game["gameId"] for game in games} == ids
    assert len(scene.bot.games.get_ongoing()) == 10


# Accounts


def test_account_get(scene: Scene) -> None:
    scene.match(*MATE)
    account = valid(AccountInformation, scene.bot.account.get())
    assert (account["title"], account["count"]["all"], account["perfs"]["rapid"]["games"]) == ("BOT", 1, 1)
    assert "title" not in valid(AccountInformation, scene.person.account.get())


def test_account_upgrade_to_bot(scene: Scene) -> None:
    token = scene.lichess.mint("newcomer", bot=False, scopes=frozenset({"bot:play"}))
    client = scene.client(token)
    client.account.upgrade_to_bot()
    assert client.account.get()["title"] == "BOT"
    scene.match(*MATE)
    with pytest.raises(berserk.exceptions.ResponseError) as raised:
        scene.bot.account.upgrade_to_bot()
    assert raised.value.status_code == 400


def test_oauth_test_tokens(scene: Scene) -> None:
    tested = scene.bot.oauth.test_tokens(scene.housebot.token, "lip_wrong")
    assert tested["lip_wrong"] is None
    assert tested[scene.housebot.token] == {
        "userId": "housebot", "scopes": "bot:play,challenge:read,challenge:write", "expires": None
    }


def test_tournaments_and_relations_too(scene: Scene) -> None:
    scopes = frozenset({"tournament:write", "follow:write", "follow:read"})
    client = scene.client(scene.lichess.mint("boss", bot=False, scopes=scopes))
    arena = client.tournaments.create_arena(clockTime=3, clockIncrement=0, minutes=20)
    client.tournaments.join_arena(arena["id"], should_pair_immediately=True)
    shown = client.tournaments.get_tournament(arena["id"])
    assert shown["nbPlayers"] == 1 and isinstance(shown["startsAt"], datetime)
    assert [each["id"] for each in client.tournaments.get()["created"]] == [arena["id"]]
    client.relations.follow("rival")
    assert [user["id"] for user in client.relations.get_users_followed()] == ["rival"]
    client.relations.unfollow("rival")
    assert client.users.get_realtime_statuses("rival", with_game_ids=True) == [{"name": "Rival", "id": "rival"}]
    assert client.users.get_public_data("rival")["following"] is False
