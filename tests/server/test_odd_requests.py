"""Requests that no sane client sends: refused, never a failure of the server."""
from __future__ import annotations

import random
from typing import Any

import pytest

from bot.server.app import LocalLichess
from tests.server.players import Match, Player

WORDS = (
    *("", "%C3%A9", "%00", "%ED%A0%80", "a" * 300, "9" * 5_000, "true", "yes", "null", "{}", "0", "-1", "1e5", "NaN"),
    *("e2e4", "../..", "%2e%2e", "x y", "😀", "standard", "spark", "fromPosition", "[]", "k7/8/8/8/8/8/8/K7 w - - 0 1"),
    *("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", "٣", "²"),
)
FIELDS = (
    *("clock.limit", "clock.increment", "days", "rated", "color", "variant", "fen", "rules", "turn.limit"),
    *("drawPolicy", "reason", "room", "text", "nonsense"),
)
PATHS = (
    *("/api/challenge/fusebox", "/api/challenge/{word}", "/api/challenge/{game}/accept"),
    "/api/challenge/{word}/decline",
    *("/api/bot/game/{game}/move/{word}", "/api/bot/game/{game}/{word}/{word}", "/api/bot/game/{game}/chat"),
    *("/api/board/game/{game}/draw/{word}", "/api/bot/game/{game}/takeback/{word}", "/api/token/test"),
    *("/api/account/playing?nb={word}", "/api/bot/online?nb={word}", "/api/users/status?ids={word}"),
    *("/api/user/{word}", "/game/export/{word}", "/game/export/{game}?clocks={word}", "/{word}"),
)
KINDS = ("application/json", "text/plain", "application/x-www-form-urlencoded")


def odd_body(chance: random.Random) -> dict[str, Any]:
    """Options of a request with a body that makes little sense."""
    if chance.random() < 0.1:
        return {"data": chance.randbytes(30), "headers": {"Content-Type": chance.choice(KINDS)}}
    word = chance.choice(WORDS)
    values = (word, None, 1, [word], {"a": 1}, True, -5.5)
    fields = {name: chance.choice(values) for name in chance.sample(FIELDS, 4)}
    return {"json": fields} if chance.random() < 0.5 else {"data": {name: str(fields[name]) for name in fields}}


@pytest.mark.parametrize("seed", range(5))
def test_nothing_odd_breaks_the_server(
    lichess: LocalLichess, housebot: Player, fusebox: Player, rival: Player, seed: int
) -> None:
    chance = random.Random(seed)
    match = Match(housebot, fusebox)
    for _ in range(200):
        player = chance.choice((housebot, fusebox, rival))
        path = chance.choice(PATHS).format(game=match.id, word=chance.choice(WORDS))
        method = chance.choice(("GET", "POST", "POST", "DELETE"))
        options = odd_body(chance)
        response = player.http.request(method, lichess.url + path, timeout=10, **options)
        assert response.status_code < 500, (method, path, options)
    assert housebot.get("/api/account").status_code == 200
