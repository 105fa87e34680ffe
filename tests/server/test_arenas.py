"""Arenas in their simplest form: section 7 of the contract, and what it says of them elsewhere."""
from __future__ import annotations

from typing import Any

import pytest

from bot.server.app import LocalLichess
from bot.server.arena import Arena, ArenaPlan, ArenaStatus
from bot.server.errors import Refused
from bot.server.terms import Countdown, Terms
from bot.server.users import User
from rules import variants
from rules.move import Color
from tests.server.players import Lines, Player

MINUTE_MS = 60_000
THEME = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2"
SCOPES = frozenset({"bot:play", "board:play", "challenge:read", "challenge:write", "tournament:write", "team:write"})
FORM = {"clockTime": 3, "clockIncrement": 2, "minutes": 20, "waitMinutes": 1, "conditions.bots": True}


def player(lichess: LocalLichess, name: str, bot: bool = True) -> Player:
    return Player(lichess, name, bot=bot, scopes=SCOPES)


def create(creator: Player, **fields: object) -> dict[str, Any]:
    response = creator.post("/api/tournament", json=FORM | {key.replace("__", "."): fields[key] for key in fields})
    assert response.status_code == 200, response.text
    arena: dict[str, Any] = response.json()
    return arena


def show(anyone: Player, arena: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = anyone.get(f"/api/tournament/{arena['id']}").json()
    return shown


def join(who: Player, arena: dict[str, Any], **fields: object) -> int:
    return who.post(f"/api/tournament/{arena['id']}/join", json=fields).status_code


def running(
    lichess: LocalLichess, *players: Player, **fields: object
) -> tuple[dict[str, Any], dict[str, Lines], dict[str, Any]]:
    """An arena of these players that has just begun: itself, their events, and the first one's game."""
    arena = create(players[0], **fields)
    for each in players:
        assert join(each, arena) == 200
    events = {each.name: each.events() for each in players}
    lichess.advance(MINUTE_MS)
    game = events[players[0].name].next_of("gameStart")["game"]
    return arena, events, game


def seats(lichess: LocalLichess, players: tuple[Player, ...], game_id: str) -> tuple[Player, Player]:
    """White and Black."""
    by_id = {each.name.lower(): each for each in players}
    white, black = lichess.call(lambda site: [seat.user_id for seat in site.tables[game_id].seats])
    return by_id[str(white)], by_id[str(black)]


# One arena by itself


def arena_of(*names: str, streakable: bool = True) -> Arena:
    terms = Terms(variants.STANDARD, None, Countdown(180, 0), rated=True)
    plan = ArenaPlan("Local Arena", terms, 20, MINUTE_MS, True, streakable, bots_allowed=True)
    arena = Arena("arena001", plan, "boss")
    for name in names:
        arena.join(User(name, "BOT", 0), "", 0, in_team=False, eager=False)
    return arena


def play(arena: Arena, white: str, black: str, winner: Color | None, *berserk: Color, started: bool = True) -> None:
    arena.begin_game("game", (white, black))
    arena.end_game((white, black), winner, set(berserk), MINUTE_MS, started=started)


def test_a_win_is_worth_two_a_draw_one_and_berserk_one_more_for_a_win() -> None:
    arena = arena_of("a", "b")
    play(arena, "a", "b", Color.WHITE, Color.WHITE, Color.BLACK)
    play(arena, "b", "a", None, Color.WHITE)
    assert {name: arena.scores(arena.entrants[name]) for name in "ab"} == {"a": [3, 1], "b": [0, 1]}


@pytest.mark.parametrize(("streakable", "scores"), [(True, [2, 2, 4, 2, 2]), (False, [2, 2, 2, 1, 2])])
def test_after_two_wins_everything_counts_double_until_one_is_missed(streakable: bool, scores: list[int]) -> None:
    arena = arena_of("a", "b", streakable=streakable)
    for winner in (Color.WHITE, Color.WHITE, Color.WHITE, None, Color.WHITE):
        play(arena, "a", "b", winner)
    assert arena.scores(arena.entrants["a"]) == scores


def test_a_game_that_ends_after_the_arena_does_not_count() -> None:
    arena = arena_of("a", "b")
    arena.begin_game("game", ("a", "b"))
    arena.end_game(("a", "b"), Color.WHITE, set(), 21 * MINUTE_MS, started=True)
    assert arena.scores(arena.entrants["a"]) == [] and arena.entrants["a"].game_id is None


def test_neighbours_play_with_colors_in_turn_and_no_pair_twice_in_a_row() -> None:
    arena = arena_of("a", "b", "c", "d")
    everybody = set("abcd")
    assert arena.pairs(everybody, MINUTE_MS) == [("a", "b"), ("c", "d")]
    play(arena, "a", "b", Color.WHITE)
    play(arena, "c", "d", Color.WHITE)
    assert arena.pairs(everybody, MINUTE_MS) == [("a", "c"), ("b", "d")]
    arena.begin_game("game", ("a", "c"))
    assert arena.pairs(everybody, MINUTE_MS) == [("b", "d")]
    assert arena.pairs({"b"}, MINUTE_MS) == []


def test_two_alone_play_each_other_again_and_again() -> None:
    arena = arena_of("a", "b")
    play(arena, "a", "b", Color.WHITE)
    assert arena.pairs({"a", "b"}, MINUTE_MS) == [("b", "a")]


def test_who_withdraws_is_forgotten_before_the_start_and_paused_after_it() -> None:
    arena = arena_of("a", "b")
    arena.withdraw("a", 0)
    assert list(arena.entrants) == ["b"]
    arena.withdraw("b", MINUTE_MS)
    assert arena.entrants["b"].paused
    arena.join(User("b", "BOT", 0), "", MINUTE_MS, in_team=False, eager=False)
    assert not arena.entrants["b"].paused


def test_nobody_joins_an_arena_that_is_over() -> None:
    arena = arena_of()
    assert arena.status(21 * MINUTE_MS - 1) is ArenaStatus.STARTED
    with pytest.raises(Refused, match="over"):
        arena.join(User("late", None, 0), "", 21 * MINUTE_MS, in_team=False, eager=False)


# Over the wire


def test_an_arena_is_described_as_on_lichess(lichess: LocalLichess) -> None:
    boss = player(lichess, "boss", bot=False)
    arena = create(boss, name="Rehearsal", rated=True)
    assert arena | {"id": "", "perf": ""} == {
        "nbPlayers": 0, "duels": [], "secondsToStart": 60, "standing": {"page": 1, "players": []},
        "id": "", "createdBy": "boss", "startsAt": "2026-09-21T14:14:20Z", "system": "arena",
        "fullName": "Rehearsal Arena", "minutes": 20, "perf": "", "clock": {"limit": 180, "increment": 2},
        "variant": "standard", "rated": True, "berserkable": True, "botsAllowed": True,
        "verdicts": {"list": [], "accepted": True},
    }
    assert show(boss, arena) == arena
    lichess.advance(MINUTE_MS)
    assert show(boss, arena)["secondsToFinish"] == 1_200
    lichess.advance(20 * MINUTE_MS)
    over = show(boss, arena)
    assert over["isFinished"] is True and over["podium"] == [] and over["stats"]["games"] == 0


def test_arenas_are_listed_by_where_they_stand(lichess: LocalLichess) -> None:
    boss = player(lichess, "boss", bot=False)
    early, late = create(boss), create(boss, waitMinutes=5)
    lichess.advance(MINUTE_MS)
    listed = boss.get("/api/tournament").json()
    assert {kind: [each["id"] for each in listed[kind]] for kind in listed} == {
        "created": [late["id"]], "started": [early["id"]], "finished": []
    }
    assert listed["started"][0]["status"] == 20 and isinstance(listed["started"][0]["startsAt"], int)


def test_a_game_of_an_arena_says_so_and_has_a_time_for_the_first_move(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    arena, _, game = running(lichess, *players)
    assert (game["source"], game["tournamentId"]) == ("arena", arena["id"])
    lichess.advance(1_000)
    full = players[0].game(game["id"]).next()
    assert full["tournamentId"] == arena["id"]
    assert full["state"]["expiration"] == {"idleMillis": 1_000, "millisToMove": 21_000}


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"clockTime": 1, "clockIncrement": 0}, 16),
        ({"clockTime": 3, "clockIncrement": 0}, 21),
        ({"clockTime": 10, "clockIncrement": 0}, 25),
        ({"clockTime": 30, "clockIncrement": 0}, 30),
        ({"clockTime": 1, "clockIncrement": 0, "variant": "chess960"}, 20),
    ],
)
def test_who_does_not_move_in_time_loses_and_is_paused(
    lichess: LocalLichess, fields: dict[str, object], seconds: int
) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    arena, events, game = running(lichess, *players, **fields)
    white, black = seats(lichess, players, game["id"])
    lines = black.game(game["id"])
    lichess.advance(seconds * 1000 - 1)
    assert not lichess.call(lambda site: site.tables[game["id"]].over)
    lichess.advance(1)
    last = lines.next_of("gameState")
    assert (last["status"], last["winner"]) == ("noStart", "black")
    assert events[black.name].next_of("gameFinish")["game"]["status"] == {"id": 37, "name": "noStart"}
    rows = {row["name"]: row for row in show(white, arena)["standing"]["players"]}
    assert (rows[white.name]["withdraw"], rows[black.name]["score"]) == (True, 2)


def test_the_second_player_has_a_time_for_the_first_move_too(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    _, _, game = running(lichess, *players)
    white, _ = seats(lichess, players, game["id"])
    lines = white.game(game["id"])
    lichess.advance(20_000)
    white.move(game["id"], "e2e4")
    lichess.advance(20_999)
    states = [lines.next_of("gameState")]
    assert states[0]["expiration"] == {"idleMillis": 0, "millisToMove": 21_000}
    lichess.advance(1)
    last = lines.next_of("gameState")
    assert (last["status"], last["winner"]) == ("noStart", "white")


def test_players_are_paired_again_after_their_game(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    arena, events, game = running(lichess, *players)
    white, black = seats(lichess, players, game["id"])
    white.move(game["id"], "e2e4"), black.move(game["id"], "e7e5")
    white.command(game["id"], "resign")
    lichess.advance(2_000)
    again = events[players[0].name].next_of("gameStart")["game"]
    assert again["id"] != game["id"] and seats(lichess, players, again["id"]) == (black, white)
    leader = show(white, arena)["standing"]["players"][0]
    assert leader == {
        "name": black.name, "title": "BOT", "rank": 1, "rating": 1500, "score": 2, "sheet": {"scores": "2"}
    }
    lichess.advance(20 * MINUTE_MS)
    over = show(white, arena)
    assert [row["nb"] for row in over["podium"]] == [{"game": 2, "berserk": 0, "win": 1}] * 2
    assert over["stats"] | {"moves": 0} == {
        "games": 2, "moves": 0, "whiteWins": 0, "blackWins": 2, "draws": 0, "berserks": 0, "averageRating": 1500
    }
    games = white.get(f"/api/tournament/{arena['id']}/games", headers={"Accept": "application/x-ndjson"})
    assert [line.split('"')[3] for line in games.text.splitlines()] == [game["id"], again["id"]]


def test_an_arena_allows_neither_aborting_nor_takebacks_nor_talk(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    _, _, game = running(lichess, *players)
    white, black = seats(lichess, players, game["id"])
    assert white.command(game["id"], "abort").status_code == 400
    white.move(game["id"], "e2e4"), black.move(game["id"], "e7e5")
    lines = black.game(game["id"])
    white.command(game["id"], "takeback/yes")
    white.command(game["id"], "chat", data={"room": "player", "text": "hello"})
    assert white.post(f"/api/round/{game['id']}/add-time/15").status_code == 400
    white.command(game["id"], "resign")
    assert [line.get("status") for line in lines.rest()] == [None, "resign"]


def test_resigning_before_the_first_move_loses(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    _, events, game = running(lichess, *players)
    white, black = seats(lichess, players, game["id"])
    white.command(game["id"], "resign")
    finished = events[black.name].next_of("gameFinish")["game"]
    assert (finished["status"]["name"], finished["winner"]) == ("resign", "black")


def test_people_go_berserk_before_they_move_and_bots_do_not(lichess: LocalLichess) -> None:
    players = player(lichess, "person", bot=False), player(lichess, "twobot")
    _, _, game = running(lichess, *players, clockTime=10, clockIncrement=1)
    person, bot = players
    lines = bot.game(game["id"])
    assert bot.command(game["id"], "berserk").json() == {"error": "No such command"}
    assert person.command(game["id"], "berserk").json() == {"ok": True}
    assert person.command(game["id"], "berserk").status_code == 400
    white, black = seats(lichess, players, game["id"])
    white.move(game["id"], "e2e4"), black.move(game["id"], "e7e5"), white.move(game["id"], "g1f3")
    black.move(game["id"], "b8c6")
    assert lines.next()["type"] == "gameFull"
    states = [lines.next_of("gameState") for _ in range(4)]
    own, other = ("wtime", "btime") if white is person else ("btime", "wtime")
    assert (states[0][own], states[-1][own], states[-1][other]) == (300_000, 300_000, 601_000)
    assert {(state["winc"], state["binc"]) for state in states} == {(1_000, 1_000)}


def test_berserk_takes_no_time_where_the_increment_is_most_of_it(lichess: LocalLichess) -> None:
    players = player(lichess, "person", bot=False), player(lichess, "twobot")
    _, _, game = running(lichess, *players, clockTime=5, clockIncrement=10)
    person, _ = players
    assert person.command(game["id"], "berserk").json() == {"ok": True}
    state = person.game(game["id"]).next()["state"]
    assert (state["wtime"], state["btime"]) == (300_000, 300_000)


def test_where_berserk_is_not_allowed_nobody_goes(lichess: LocalLichess) -> None:
    players = player(lichess, "person", bot=False), player(lichess, "twobot")
    _, _, game = running(lichess, *players, clockTime=10, berserkable=False)
    assert players[0].command(game["id"], "berserk").status_code == 400


def test_a_themed_arena_starts_all_its_games_from_its_position(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    arena, _, game = running(lichess, *players, position=THEME)
    assert arena["position"] == {"name": "Custom position", "fen": THEME}
    assert (arena["variant"], arena["rated"], arena["perf"]["key"]) == ("standard", False, "blitz")
    full = players[0].game(game["id"]).next()
    assert (full["variant"]["key"], full["initialFen"]) == ("fromPosition", THEME)


def test_bots_join_only_arenas_for_bots(lichess: LocalLichess) -> None:
    boss, bot = player(lichess, "boss", bot=False), player(lichess, "onebot")
    arena = create(boss, conditions__bots=False)
    assert "botsAllowed" not in arena
    refused = bot.post(f"/api/tournament/{arena['id']}/join")
    assert (refused.status_code, refused.json()) == (400, {"error": "Bot players are not allowed"})
    assert join(boss, arena) == 200


def test_a_password_and_a_team_keep_others_out(lichess: LocalLichess) -> None:
    boss, bot = player(lichess, "boss", bot=False), player(lichess, "onebot")
    private = create(boss, password="tal")
    assert private["private"] is True and "tal" not in str(private)
    assert [join(bot, private), join(bot, private, password="petrosian")] == [400, 400]
    assert join(bot, private, password="tal") == 200
    for_team = create(boss, conditions__teamMember__teamId="rehearsers")
    assert [join(bot, for_team), join(boss, for_team)] == [400, 200]
    assert bot.post("/team/rehearsers/join").json() == {"ok": True}
    assert join(bot, for_team) == 200
    assert bot.post("/team/nobody/join").status_code == 404


def test_who_reads_no_events_is_not_paired_unless_eager_and_then_for_a_minute(lichess: LocalLichess) -> None:
    boss, one, two = (player(lichess, name) for name in ("boss", "onebot", "twobot"))
    arena = create(boss)
    join(one, arena), join(two, arena)
    lichess.advance(MINUTE_MS)
    assert one.get("/api/account/playing").json()["nowPlaying"] == []
    one.post(f"/api/tournament/{arena['id']}/join", params={"pairMeAsap": "true"})
    join(two, arena, pairMeAsap=True)
    lichess.advance(2_000)
    assert len(one.get("/api/account/playing").json()["nowPlaying"]) == 1


def test_withdrawing_stops_the_pairing(lichess: LocalLichess) -> None:
    players = player(lichess, "onebot"), player(lichess, "twobot")
    arena, events, game = running(lichess, *players)
    players[0].post(f"/api/tournament/{arena['id']}/withdraw")
    players[1].command(game["id"], "resign")
    lichess.advance(10_000)
    assert players[0].get("/api/account/playing").json()["nowPlaying"] == []


def test_who_becomes_a_bot_leaves_all_arenas(lichess: LocalLichess) -> None:
    newcomer = player(lichess, "newcomer", bot=False)
    arena = create(newcomer)
    join(newcomer, arena)
    assert show(newcomer, arena)["nbPlayers"] == 1
    assert newcomer.post("/api/bot/account/upgrade").json() == {"ok": True}
    assert show(newcomer, arena)["nbPlayers"] == 0


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"clockTime": "x"}, "clockTime"),
        ({"clockTime": 0, "clockIncrement": 0}, "global"),
        ({"clockTime": 2.2}, "clockTime"),
        ({"clockIncrement": 61}, "clockIncrement"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": None}, "minutes"),
        ({"waitMinutes": 721}, "waitMinutes"),
        ({"startDate": 1}, "startDate"),
        ({"position": "nonsense"}, "position"),
        ({"variant": "ludo"}, "variant"),
        ({"name": "x" * 31}, "name"),
    ],
)
def test_a_wrong_field_is_named(lichess: LocalLichess, fields: dict[str, object], wrong: str) -> None:
    refused = player(lichess, "boss", bot=False).post("/api/tournament", json=FORM | fields)
    assert refused.status_code == 400 and list(refused.json()["error"]) == [wrong]


def test_arenas_need_their_scope_and_an_id(lichess: LocalLichess, housebot: Player) -> None:
    boss = player(lichess, "boss", bot=False)
    arena = create(boss)
    assert housebot.post("/api/tournament", json=FORM).status_code == 403
    for action in ("join", "withdraw"):
        assert housebot.post(f"/api/tournament/{arena['id']}/{action}").status_code == 403
        assert boss.post(f"/api/tournament/nowhere1/{action}").status_code == 404
    assert boss.get("/api/tournament/nowhere1").status_code == 404
