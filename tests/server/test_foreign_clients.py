"""Other people's bots against the local Lichess, unchanged: whole games, and each difference that they would notice."""
from __future__ import annotations

from typing import Any

import chess
import chess.variant
import pytest

from bot.server.app import LocalLichess
from bot.server.quotas import Limits, Quota
from rules import variants
from rules.move import Color
from tests.server.conftest import Serve
from tests.server.foreign_client import BotLiLike, LichessBotLike, Rehearsal
from tests.server.players import Match, Player, until

LICHESS_GAMES = [variant.key for variant in variants.ALL if variant.lichess]
CASTLING_START = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 8"
PATIENCE_S = 60


@pytest.fixture
def slashbot(lichess: LocalLichess) -> LichessBotLike:
    return LichessBotLike(lichess.url, lichess.mint("slashbot"))


@pytest.fixture
def hastybot(lichess: LocalLichess) -> BotLiLike:
    return BotLiLike(lichess.url, lichess.mint("hastybot"))


# Whole games


@pytest.mark.timeout(150)
def test_they_play_whole_games_of_everything_that_lichess_has_against_each_other() -> None:
    with LocalLichess() as lichess:
        slash = LichessBotLike(lichess.url, lichess.mint("slashbot"))
        hasty = BotLiLike(lichess.url, lichess.mint("hastybot"))
        games = len(LICHESS_GAMES)
        rehearsals = [Rehearsal(slash, "slashbot", games), Rehearsal(hasty, "hastybot", games)]
        until(lambda: lichess.call(lambda site: site.audience.online("slashbot") and site.audience.online("hastybot")))
        fates = []
        for index, key in enumerate(LICHESS_GAMES):
            if key == "fromPosition":
                terms = {"variant": "standard", "fen": CASTLING_START, "rated": False}
                slash.challenge("hastybot", **{"clock.limit": 600, "clock.increment": 2, "color": "white"}, **terms)
            else:
                fates.append(hasty.challenge("slashbot", key, 600, 2, ("white", "black")[index % 2]))
        for fate in fates:
            assert [next(fate)["status"], next(fate)] == ["created", {"done": "accepted"}]
        for rehearsal in rehearsals:
            assert rehearsal.over.wait(PATIENCE_S), (rehearsal.finished, rehearsal.problems)
            assert rehearsal.problems == []
        tables = lichess.call(lambda site: list(map(site.tables.get, rehearsals[0].finished)))
        assert sorted(table.terms.variant.key for table in tables) == sorted(LICHESS_GAMES)
        for table in tables:
            assert table.over and table.verdict.reason is not None
            for rehearsal in rehearsals:
                board = rehearsal.boards[table.id]
                assert len(board.move_stack) == table.plies
                placement = table.game.position.fen().split()[0].partition("[")[0]
                assert board.board_fen(promoted=None) == placement.replace("~", "")


# Who am I


def test_the_token_is_tested_by_its_exact_text(slashbot: LichessBotLike, hastybot: BotLiLike) -> None:
    assert slashbot.check_token()["title"] == "BOT"
    assert "bot:play" in hastybot.scopes().split(",")


def test_a_wrong_token_is_null_which_botli_cannot_index(lichess: LocalLichess) -> None:
    stranger = BotLiLike(lichess.url, "lip_stranger")
    with pytest.raises(TypeError):
        stranger.scopes()


def test_an_address_may_end_with_a_slash_but_its_path_is_lost(lichess: LocalLichess, slashbot: LichessBotLike) -> None:
    assert slashbot.url.endswith("/") and slashbot.get("/api/account").status_code == 200
    prefixed = LichessBotLike(lichess.url + "/lichess", slashbot.token)
    assert prefixed.check_token()["id"] == "slashbot"


def test_the_server_can_be_pinged(hastybot: BotLiLike) -> None:
    assert hastybot.get("/__ping").status_code == 200


def test_the_status_of_an_opponent_is_the_first_of_the_list(lichess: LocalLichess, hastybot: BotLiLike) -> None:
    Player(lichess, "Rival", bot=False)
    assert hastybot.status_of("rival") == {"name": "Rival", "id": "rival"}
    with pytest.raises(IndexError):
        hastybot.status_of("nobody")


def test_online_bots_have_the_ratings_that_matchmaking_reads(slashbot: LichessBotLike, lichess: LocalLichess) -> None:
    fusebox = Player(lichess, "fusebox")
    events = fusebox.events()
    match = Match(fusebox, Player(lichess, "otherbot"))
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    (bot,) = slashbot.online_bots()
    assert bot["username"] == "fusebox" and bot["perfs"]["blitz"]["rating"] > 0
    assert isinstance(bot["perfs"]["blitz"]["games"], int) and "disabled" not in bot and "tosViolation" not in bot
    assert events.next_of("gameFinish")


def test_lichess_bot_skips_whom_it_blocks(lichess: LocalLichess) -> None:
    slash = LichessBotLike(lichess.url, lichess.mint("slashbot", scopes=frozenset({"bot:play", "follow:write"})))
    lichess.mint("fusebox")
    assert slash.get("/api/user/fusebox").json()["blocking"] is False
    slash.post("/api/rel/block/fusebox").raise_for_status()
    assert slash.get("/api/user/fusebox").json()["blocking"] is True


# Challenges


def test_lichess_bot_challenges_with_json_and_botli_with_a_form(
    lichess: LocalLichess, slashbot: LichessBotLike, hastybot: BotLiLike
) -> None:
    terms: dict[str, object] = {"rated": True, "clock.limit": 60, "clock.increment": 1, "color": "random"}
    by_json = slashbot.challenge("hastybot", **terms, variant="standard")
    by_form = next(hastybot.challenge("slashbot", "standard", 60, 1, "random"))
    assert by_json.keys() - {"direction"} == by_form.keys() - {"direction"}
    assert (by_json["rated"], by_form["rated"]) == (True, False)


def test_botli_waits_in_the_reply_for_what_becomes_of_its_challenge(
    lichess: LocalLichess, slashbot: LichessBotLike, hastybot: BotLiLike
) -> None:
    fate = hastybot.challenge("slashbot", "atomic", 60, 1, "white")
    challenge_id = next(fate)["id"]
    lichess.advance(55_000)
    slashbot.decline(challenge_id, "variant")
    assert list(fate) == [{"done": "declined"}]


@pytest.mark.parametrize(("limit_s", "increment_s", "wrong"), [(70, 0, "clock.limit"), (60, 61, "clock.increment")])
def test_botli_finds_a_wrong_clock_beside_the_error(
    slashbot: LichessBotLike, hastybot: BotLiLike, limit_s: int, increment_s: int, wrong: str
) -> None:
    (answer,) = hastybot.challenge("slashbot", "standard", limit_s, increment_s, "random")
    assert wrong in answer and wrong in answer["error"]


def test_both_read_the_daily_limit_and_how_long_it_lasts(serve: Serve) -> None:
    lichess = serve(limits=Limits(bot_games=Quota(1, 86_400_000)))
    slash = LichessBotLike(lichess.url, lichess.mint("slashbot"))
    Match(Player(lichess, "slashbot"), Player(lichess, "fusebox"))
    lichess.mint("hastybot")
    terms = {"clock.limit": 60, "clock.increment": 1}
    own = slash.post("/api/challenge/hastybot", json=terms)
    assert (own.status_code, own.json()["ratelimit"]["key"]) == (429, "bot.vsBot.day")
    hasty = BotLiLike(lichess.url, lichess.mint("hastybot"))
    theirs = hasty.post("/api/challenge/slashbot", data=terms)
    assert (theirs.status_code, theirs.json()["ratelimit"]["seconds"]) == (400, 86_400)


@pytest.mark.parametrize("reason", ["later", "tooFast", "TOOSLOW", "timecontrol", "noBot", "nonsense", ""])
def test_a_reason_is_understood_in_any_spelling(
    lichess: LocalLichess, slashbot: LichessBotLike, reason: str
) -> None:
    rival = Player(lichess, "rival", bot=False)
    events = rival.events()
    challenge = rival.challenge(Player(lichess, "slashbot"))
    slashbot.decline(challenge["id"], reason)
    key = events.next_of("challengeDeclined")["challenge"]["declineReasonKey"]
    assert key == (reason.lower() if reason not in ("nonsense", "") else "generic")


# Streams


@pytest.mark.parametrize("wait_ms", [0, 6_500, 30_000])
def test_the_first_line_of_a_game_can_always_be_parsed(
    lichess: LocalLichess, slashbot: LichessBotLike, wait_ms: int
) -> None:
    match = Match(Player(lichess, "rival", bot=False), Player(lichess, "slashbot"))
    lines = slashbot.stream(f"/api/bot/game/stream/{match.id}")
    lichess.advance(wait_ms)
    assert next(lines).startswith(b'{"id":')


def test_no_stream_is_silent_for_nine_seconds(lichess: LocalLichess) -> None:
    rival, slash = Player(lichess, "rival", bot=False), Player(lichess, "slashbot")
    match = Match(rival, slash)
    streams = {"events": slash.events(), "game": slash.game(match.id)}
    for lines in streams.values():
        lines.next()
    for _ in range(5):
        lichess.advance(8_900)
        for lines in streams.values():
            assert lines.raw() is not None


def test_a_game_that_is_over_is_one_line_and_the_end(lichess: LocalLichess, slashbot: LichessBotLike) -> None:
    match = Match(Player(lichess, "rival", bot=False), Player(lichess, "slashbot"))
    match.white.command(match.id, "abort")
    (line,) = slashbot.stream(f"/api/bot/game/stream/{match.id}")
    assert b'"status":"aborted"' in line


def test_lichess_bot_sees_nine_of_its_games(lichess: LocalLichess, slashbot: LichessBotLike) -> None:
    bot, rival = Player(lichess, "slashbot"), Player(lichess, "rival", bot=False)
    for _ in range(10):
        Match(rival, bot)
    assert len(slashbot.ongoing()) == 9


def test_a_game_without_a_clock_has_none_at_all_which_botli_cannot_read(
    lichess: LocalLichess, hastybot: BotLiLike
) -> None:
    terms = {"days": 3, "clock__limit": None, "clock__increment": None}
    match = Match(Player(lichess, "rival", bot=False), Player(lichess, "hastybot"), **terms)
    with pytest.raises(KeyError, match="clock"):
        hastybot.follow_game(match.id, None)  # type: ignore[arg-type]


def test_a_machine_has_neither_name_nor_id_nor_rating(lichess: LocalLichess, hastybot: BotLiLike) -> None:
    form = {"level": "2", "color": "white", "clock.limit": "60", "clock.increment": "1"}
    game_id = hastybot.post("/api/challenge/ai", data=form).json()["id"]
    full = Player(lichess, "hastybot").game(game_id).next()
    assert full["black"] == {"aiLevel": 2} and full["black"].get("name", "AI") == "AI"


@pytest.mark.parametrize("key", LICHESS_GAMES)
def test_the_board_is_found_by_the_name_of_the_game(lichess: LocalLichess, key: str) -> None:
    terms = {"fen": CASTLING_START} if key == "fromPosition" else {"variant": key}
    match = Match(Player(lichess, "slashbot"), Player(lichess, "hastybot"), **terms)
    full: dict[str, Any] = Player(lichess, "slashbot").game(match.id).next()
    boards = [LichessBotLike._board(full, ""), BotLiLike._board(full)]
    ours = lichess.call(lambda site: site.tables[match.id].game.position)
    for board in boards:
        assert len(list(board.legal_moves)) == len(ours.legal_moves())


@pytest.mark.parametrize(("everywhere", "written"), [(False, "e1g1"), (True, "e1h1")])
def test_either_way_of_writing_castling_is_read_by_both(serve: Serve, everywhere: bool, written: str) -> None:
    lichess = serve(rook_castling=everywhere)
    match = Match(Player(lichess, "slashbot"), Player(lichess, "hastybot"))
    match.play("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1", "e8h8")
    full: dict[str, Any] = Player(lichess, "slashbot").game(match.id).next()
    assert written in full["state"]["moves"]
    for board in (LichessBotLike._board(full, full["state"]["moves"]), BotLiLike._board(full)):
        assert board.king(chess.WHITE) == chess.G1 and board.king(chess.BLACK) == chess.G8


# Commands


def test_every_path_is_spelled_as_they_spell_it(lichess: LocalLichess, slashbot: LichessBotLike) -> None:
    rival, bot = Player(lichess, "rival", bot=False), Player(lichess, "slashbot")
    match = Match(rival, bot)
    match.play("e2e4", "e7e5", "g1f3")
    game = f"/api/bot/game/{match.id}"
    for path in ("draw/yes", "draw/no", "draw/1", "draw/0", "takeback/yes", "takeback/no", "takeback/1", "takeback/0"):
        assert slashbot.post(f"{game}/{path}").json() == {"ok": True}, path
    slashbot.move(match.id, chess.Move.from_uci("b8c6"), offering_draw=False)
    slashbot.chat(match.id, "good luck 😀"), slashbot.chat(match.id, "hello", room="spectator")
    assert slashbot.get(f"{game}/chat").json()[-1] == {"text": "good luck 😀", "user": "slashbot"}
    params = {"literate": "true", "clocks": "true", "evals": "false", "opening": "true", "division": "false"}
    assert slashbot.get(f"/game/export/{match.id}", params=params).text.startswith("[Event ")
    assert slashbot.post(f"{game}/resign").json() == {"ok": True}
    assert slashbot.post(f"{game}/abort").status_code == 400
    assert slashbot.post(f"{game}/dance").json() == {"error": "No such command"}


def test_a_draw_offered_with_a_move_is_offered_first(lichess: LocalLichess, slashbot: LichessBotLike) -> None:
    rival, bot = Player(lichess, "rival", bot=False), Player(lichess, "slashbot")
    match = Match(rival, bot)
    match.play("e2e4", "e7e5", "g1f3")
    rival.command(match.id, "draw/yes")
    slashbot.move(match.id, chess.Move.from_uci("b8c6"), offering_draw=True)
    state = bot.game(match.id).next()["state"]
    assert (state["status"], state["moves"]) == ("draw", "e2e4 e7e5 g1f3")


def test_a_move_sent_twice_is_refused_the_second_time(lichess: LocalLichess, slashbot: LichessBotLike) -> None:
    match = Match(Player(lichess, "slashbot"), Player(lichess, "rival", bot=False))
    move = chess.Move.from_uci("e2e4")
    assert [slashbot.move(match.id, move), slashbot.move(match.id, move)] == [True, False]


def test_botli_claims_the_game_of_an_opponent_who_has_gone(lichess: LocalLichess, hastybot: BotLiLike) -> None:
    rival, bot = Player(lichess, "rival", bot=False), Player(lichess, "hastybot")
    match = Match(rival, bot)
    lines, leaving = bot.game(match.id), rival.game(match.id)
    match.play("e2e4", "e7e5")
    leaving.close()
    until(lambda: not lichess.call(lambda site: site.tables[match.id].presence.present(Color.WHITE)))
    seconds = []
    while not seconds or seconds[-1]:
        lichess.advance(5_000)
        seconds.append(lines.next_of("opponentGone")["claimWinInSeconds"])
    assert seconds == [36, 31, 26, 21, 16, 11, 6, 1, 0]
    assert hastybot.claim_victory(match.id).json() == {"ok": True}
    assert lines.next_of("gameState")["winner"] == "black"


def test_a_move_against_a_machine_is_answered_within_botlis_second() -> None:
    with LocalLichess() as lichess:
        hasty = BotLiLike(lichess.url, lichess.mint("hastybot"))
        form = {"level": "1", "color": "white", "clock.limit": "60", "clock.increment": "1"}
        game_id = hasty.post("/api/challenge/ai", data=form).json()["id"]
        assert hasty.move(game_id, chess.Move.from_uci("e2e4"))
