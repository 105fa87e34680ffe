"""What a player can do in a game: section 6 of the contract, and how games end: section 11."""
from __future__ import annotations

import pytest

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from tests.server.players import Lines, Match, Player

BACK_AND_FORTH = ("g1f3", "g8f6", "f3g1", "f6g8")


def states(lines: Lines, count: int) -> list[dict[str, object]]:
    return [lines.next_of("gameState") for _ in range(count)]


@pytest.fixture
def match(rival: Player, housebot: Player) -> Match:
    return Match(rival, housebot)


@pytest.fixture
def lines(match: Match, housebot: Player) -> Lines:
    """The stream as the bot reads it, its first line read."""
    stream = housebot.game(match.id)
    assert stream.next()["type"] == "gameFull"
    return stream


@pytest.mark.parametrize(
    ("uci", "error"),
    [
        ("zz9", "Invalid UCI: zz9"),
        ("e2e9", "Invalid UCI: e2e9"),
        ("e2e5", "Piece on e2 cannot move to e5"),
        ("Q@e4", "Cannot drop Q on e4"),
    ],
)
def test_a_move_that_cannot_be_made_is_refused(match: Match, rival: Player, uci: str, error: str) -> None:
    refused = rival.command(match.id, f"move/{uci}")
    assert (refused.status_code, refused.json()) == (400, {"error": error})


def test_nobody_moves_out_of_turn_or_after_the_end(match: Match, rival: Player, housebot: Player) -> None:
    expected = {"error": "Not your turn, or game already over"}
    assert housebot.command(match.id, "move/e7e5").json() == expected
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    refused = rival.command(match.id, "move/e2e4")
    assert (refused.status_code, refused.json()) == (400, expected)


def test_unknown_games_and_commands_are_not_found(match: Match, housebot: Player, lichess: LocalLichess) -> None:
    stranger = Player(lichess, "stranger")
    for player, path, error in (
        (housebot, "nosuchgm/move/e7e5", "No such game"),
        (stranger, f"{match.id}/move/e7e5", "Not your game"),
        (housebot, f"{match.id}/dance", "No such command"),
        (housebot, f"{match.id}/dance/twice", "No such command"),
    ):
        refused = player.post(f"/api/bot/game/{path}")
        assert (refused.status_code, refused.json()) == (404, {"error": error})


def test_a_promotion_without_its_letter_is_a_queen(housebot: Player, fusebox: Player) -> None:
    match = Match(housebot, fusebox, fen="8/P6k/8/8/8/8/7K/8 w - - 0 1")
    match.play("a7a8", "h7h6")
    assert housebot.game(match.id).next()["state"]["moves"] == "a7a8q h7h6"


def test_both_forms_of_castling_are_taken_and_the_standard_one_is_told(housebot: Player, fusebox: Player) -> None:
    moves = ("g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7")
    match = Match(housebot, fusebox)
    match.play(*moves, "e1h1", "e8g8")
    assert housebot.game(match.id).next()["state"]["moves"].split()[-2:] == ["e1g1", "e8g8"]
    atomic = Match(housebot, fusebox, variant="atomic")
    atomic.play(*moves, "e1g1", "e8h8")
    assert housebot.game(atomic.id).next()["state"]["moves"].split()[-2:] == ["e1h1", "e8h8"]


def test_under_two_plies_a_game_is_aborted_also_by_resigning(housebot: Player, rival: Player) -> None:
    first, second = Match(rival, housebot), Match(rival, housebot)
    stream = housebot.game(first.id)
    first.play("e2e4")
    assert housebot.command(first.id, "resign").json() == {"ok": True}
    last = stream.rest()[-1]
    assert last["status"] == "aborted" and "winner" not in last
    second.play("e2e4")
    assert housebot.command(second.id, "abort").json() == {"ok": True}
    again = housebot.command(second.id, "abort")
    assert (again.status_code, again.json()) == (400, {"error": "This game can no longer be aborted"})
    assert housebot.get("/api/account").json()["count"]["all"] == 0


def test_after_two_plies_a_game_is_resigned_and_not_aborted(match: Match, housebot: Player, lines: Lines) -> None:
    match.play("e2e4", "e7e5")
    assert housebot.command(match.id, "abort").status_code == 400
    housebot.command(match.id, "resign")
    last = lines.rest()[-1]
    assert (last["status"], last["winner"]) == ("resign", "white")
    again = housebot.command(match.id, "resign")
    assert (again.status_code, again.json()) == (400, {"error": "This game cannot be resigned"})


def test_a_draw_is_offered_and_accepted(match: Match, rival: Player, housebot: Player, lines: Lines) -> None:
    match.play("e2e4", "e7e5")
    rival.command(match.id, "draw/yes")
    states(lines, 2)
    assert lines.next() == {"type": "chatLine", "room": "player", "username": "lichess", "text": "White offers draw"}
    assert lines.next()["wdraw"] is True
    housebot.command(match.id, "draw/1")
    assert lines.next()["text"] == "Draw offer accepted"
    last = lines.next()
    assert (last["status"], last["wdraw"]) == ("draw", True) and "winner" not in last


def test_refusing_a_draw_sends_no_state(match: Match, rival: Player, housebot: Player, lines: Lines) -> None:
    match.play("e2e4", "e7e5")
    rival.command(match.id, "draw/yes")
    housebot.command(match.id, "draw/no")
    states(lines, 3)
    assert lines.next()["text"] == "Black declines draw"
    assert lines.nothing_yet()
    rival.move(match.id, "g1f3")
    assert "wdraw" not in lines.next()


def test_a_move_refuses_a_draw_but_still_shows_the_flag(
    match: Match, rival: Player, housebot: Player, lines: Lines
) -> None:
    match.play("e2e4", "e7e5")
    rival.command(match.id, "draw/true")
    rival.move(match.id, "g1f3")
    housebot.move(match.id, "b8c6")
    assert [state.get("wdraw") for state in states(lines, 5)] == [None, None, True, True, True]
    assert lines.next()["text"] == "Black declines draw"
    rival.move(match.id, "f1c4")
    assert "wdraw" not in lines.next()


def test_an_own_offer_is_withdrawn(match: Match, rival: Player, lines: Lines) -> None:
    match.play("e2e4", "e7e5")
    rival.command(match.id, "draw/yes")
    rival.command(match.id, "draw/no")
    assert states(lines, 3)[-1]["wdraw"] is True
    assert "wdraw" not in lines.next_of("gameState")


def test_draws_are_offered_after_two_plies_and_then_every_twenty(match: Match, rival: Player, lines: Lines) -> None:
    assert rival.command(match.id, "draw/yes").json() == {"ok": True}
    assert lines.nothing_yet()
    quiet = ("b1c3", "b8c6", "a1b1", "a8b8", "c3a4", "c6a5", "b1a1", "b8a8", "h2h3", "h7h6")
    match.play("e2e4", "e7e5")
    rival.command(match.id, "draw/yes")
    match.play(*quiet, "a4c3", "a5c6", "a1b1", "a8b8", "a2a3", "a7a6", "g2g3", "g7g6")
    seen = [line for line in (lines.next() for _ in range(23)) if line["type"] == "chatLine"]
    assert [line["text"] for line in seen] == ["White offers draw", "Black declines draw"]
    rival.command(match.id, "draw/yes")
    match.play("c3d5", "d7d6")
    assert all("wdraw" not in state for state in states(lines, 2))
    rival.command(match.id, "draw/yes")
    assert lines.next()["text"] == "White offers draw"


def test_a_draw_offered_to_a_side_that_cannot_win_ends_the_game(rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, fen="7k/8/8/8/8/8/P6K/8 w - - 0 1")
    stream = housebot.game(match.id)
    match.play("h2h3", "h8h7")
    rival.command(match.id, "draw/yes")
    last = stream.rest()[-1]
    assert last["status"] == "insufficientMaterialClaim" and "winner" not in last


def test_a_move_that_offers_a_draw_accepts_one_instead(match: Match, rival: Player, housebot: Player) -> None:
    match.play("e2e4", "e7e5")
    rival.move(match.id, "g1f3", offeringDraw="true")
    lines = housebot.game(match.id)
    assert lines.next()["state"]["wdraw"] is True
    housebot.move(match.id, "b8c6", offeringDraw="true")
    last = lines.rest()[-1]
    assert (last["status"], last["moves"]) == ("draw", "e2e4 e7e5 g1f3")


def test_with_a_bot_the_third_occurrence_is_a_draw_after_the_move_itself(match: Match, lines: Lines) -> None:
    match.play(*BACK_AND_FORTH, *BACK_AND_FORTH)
    last, final = lines.rest()[-2:]
    assert last["moves"] == final["moves"] == " ".join(BACK_AND_FORTH * 2)
    assert (last["status"], final["status"]) == ("started", "draw")


def test_people_claim_the_third_occurrence_and_the_fifth_comes_by_itself(lichess: LocalLichess, rival: Player) -> None:
    other = Player(lichess, "setupfan", bot=False)
    claimed, left = Match(rival, other), Match(rival, other)
    claimed.play(*BACK_AND_FORTH, *BACK_AND_FORTH)
    lines = other.game(claimed.id)
    rival.command(claimed.id, "draw/yes")
    assert lines.rest()[-1]["status"] == "draw"
    lines = other.game(left.id)
    left.play(*BACK_AND_FORTH * 4)
    seen = lines.rest()
    assert [line.get("status") for line in seen[-2:]] == ["started", "draw"] and len(seen) == 17


def test_a_takeback_on_the_own_turn_undoes_two_plies(
    match: Match, rival: Player, housebot: Player, lines: Lines
) -> None:
    match.play("e2e4", "e7e5", "g1f3", "b8c6")
    rival.command(match.id, "takeback/yes")
    states(lines, 4)
    assert lines.next()["text"] == "White proposes takeback"
    assert lines.next()["wtakeback"] is True
    housebot.command(match.id, "takeback/yes")
    assert lines.next()["text"] == "Black accepts takeback"
    state = lines.next()
    assert state["moves"] == "e2e4 e7e5" and "wtakeback" not in state
    rival.move(match.id, "f1c4")
    assert lines.next()["moves"] == "e2e4 e7e5 f1c4"


def test_a_takeback_on_the_others_turn_undoes_one_ply(match: Match, rival: Player, housebot: Player) -> None:
    match.play("e2e4", "e7e5", "g1f3")
    rival.command(match.id, "takeback/yes")
    housebot.command(match.id, "takeback/yes")
    assert housebot.game(match.id).next()["state"]["moves"] == "e2e4 e7e5"


def test_a_move_refuses_a_takeback_and_a_state_without_the_flag_follows(
    match: Match, rival: Player, housebot: Player, lines: Lines
) -> None:
    match.play("e2e4", "e7e5", "g1f3")
    rival.command(match.id, "takeback/yes")
    housebot.move(match.id, "b8c6")
    assert [state.get("wtakeback") for state in states(lines, 5)] == [None, None, None, True, True]
    assert lines.next()["text"] == "Black declines takeback"
    assert "wtakeback" not in lines.next()


def test_after_refusals_takebacks_have_to_wait(
    lichess: LocalLichess, match: Match, rival: Player, housebot: Player, lines: Lines
) -> None:
    match.play("e2e4", "e7e5")
    states(lines, 2)
    for wait_ms in (10_000, 40_000):
        rival.command(match.id, "takeback/yes")
        housebot.command(match.id, "takeback/no")
        assert [lines.next_of("gameState").get("wtakeback") for _ in range(2)] == [True, None]
        lichess.advance(wait_ms - 1)
        assert rival.command(match.id, "takeback/yes").json() == {"ok": True}
        lichess.advance(1)
    rival.command(match.id, "takeback/yes")
    assert lines.next_of("gameState")["wtakeback"] is True


def test_a_proposal_can_be_withdrawn_and_means_nothing_before_both_have_moved(
    match: Match, rival: Player, lines: Lines
) -> None:
    match.play("e2e4")
    assert rival.command(match.id, "takeback/yes").json() == {"ok": True}
    match.black.move(match.id, "e7e5")
    assert [state.get("wtakeback") for state in states(lines, 2)] == [None, None]
    rival.command(match.id, "takeback/yes")
    rival.command(match.id, "takeback/no")
    assert [state.get("wtakeback") for state in states(lines, 2)] == [True, None]


def test_chat_reaches_its_room_and_can_be_read_again(match: Match, rival: Player, housebot: Player) -> None:
    to_bot, to_person = housebot.game(match.id), rival.game(match.id)
    to_bot.next(), to_person.next()
    housebot.command(match.id, "chat", json={"room": "spectator", "text": "welcome"})
    rival.command(match.id, "chat", data={"room": "player", "text": "hf 😀 çok iyi"})
    assert to_bot.next() == {"type": "chatLine", "room": "spectator", "username": "housebot", "text": "welcome"}
    line = {"type": "chatLine", "room": "player", "username": "Rival", "text": "hf 😀 çok iyi"}
    assert to_bot.next() == to_person.next() == line
    assert housebot.get(f"/api/bot/game/{match.id}/chat").json() == [{"text": "hf 😀 çok iyi", "user": "Rival"}]


@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ({"room": "player", "text": "x" * 141}, {"text": ["Maximum length is 140"]}),
        ({"room": "player", "text": "😀" * 71}, {"text": ["Maximum length is 140"]}),
        ({"room": "player", "text": "  "}, {"text": ["This field is required"]}),
        ({"room": "kitchen", "text": "x"}, {"room": ["Invalid value"]}),
    ],
)
def test_a_line_that_cannot_be_said_is_refused(
    match: Match, housebot: Player, lines: Lines, form: dict[str, str], wrong: dict[str, list[str]]
) -> None:
    refused = housebot.command(match.id, "chat", data=form)
    assert (refused.status_code, refused.json()) == (400, wrong | {"error": wrong})
    assert housebot.command(match.id, "chat", data={"room": "player", "text": "😀" * 70}).status_code == 200
    assert lines.next()["text"] == "😀" * 70


def test_half_a_character_does_no_harm(match: Match, housebot: Player, lines: Lines) -> None:
    body = '{"room": "player", "text": "\\ud83d!"}'
    sent = housebot.command(match.id, "chat", data=body, headers={"Content-Type": "application/json"})
    assert sent.status_code == 200 and lines.next()["text"] == "\ufffd!"
    assert housebot.get(f"/api/bot/game/{match.id}/chat").status_code == 200


def test_the_move_after_the_limit_of_plies_is_not_played() -> None:
    with LocalLichess(ServerSettings(port=0, game_limit_plies=2)) as lichess:
        match = Match(Player(lichess, "housebot"), Player(lichess, "fusebox"))
        match.play("e2e4", "e7e5", "g1f3")
        full = match.white.game(match.id).next()
    assert (full["state"]["status"], full["state"]["moves"]) == ("draw", "e2e4 e7e5")
    assert ServerSettings().game_limit_plies == 600


def test_the_fifty_move_rule_needs_no_claim(housebot: Player, fusebox: Player) -> None:
    match = Match(housebot, fusebox, fen="7k/8/8/8/8/8/R6K/8 w - - 98 80")
    lines = housebot.game(match.id)
    match.play("a2a3", "h8g8")
    assert [line["status"] for line in lines.rest()[1:]] == ["started", "draw"]
