"""Sources on the web, played by small servers on loopback: what is asked, what is taken, who gets the token."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from bot.config import Network
from bot.config.sources import ChessDb, Cloud, Explorer, OnlineTables
from bot.lichess import Lichess
from bot.sources.chessdb import ChessDbSource
from bot.sources.cloud import CloudSource
from bot.sources.endgame import WON_CP
from bot.sources.explorer import ExplorerSource
from bot.sources.online_tables import OnlineTablesSource
from bot.sources.source import MoveSource, Question, SourceFailed
from bot.transport import LichessSession
from rules import variants
from tests.bot.asking import question
from tests.bot.loopback import Exchange, Loopback, loopback

TABLE_FEN = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"
OPENING = {
    "white": 10, "draws": 5, "black": 5,
    "moves": [
        {"uci": "e2e4", "san": "e4", "white": 50, "draws": 10, "black": 40, "averageRating": 2000},
        {"uci": "d2d4", "san": "d4", "white": 30, "draws": 10, "black": 10, "averageRating": 2000},
        {"uci": "a2a3", "san": "a3", "white": 2, "draws": 0, "black": 0, "averageRating": 2000},
    ],
    "topGames": [], "opening": None,
}  # fmt: skip
CLOUD = {
    "fen": "", "knodes": 13683, "depth": 30,
    "pvs": [{"moves": "e2e4 e7e5", "cp": 30}, {"moves": "d2d4 d7d5", "cp": 22}, {"moves": "g2g4 d7d5", "cp": -90}],
}  # fmt: skip
KNOWN = {
    "status": "ok", "ply": 20,
    "moves": [
        {"uci": "e2e4", "san": "e4", "score": 1, "rank": 2, "note": "! (30-00)", "winrate": "50.08"},
        {"uci": "d2d4", "san": "d4", "score": 0, "rank": 1, "note": "* (30-00)", "winrate": "50.00"},
        {"uci": "g2g4", "san": "g4", "score": -120, "rank": 0, "note": "? (30-00)", "winrate": "30.00"},
    ],
}  # fmt: skip
LOOKED = {
    "dtz": 17, "dtm": 17, "category": "win", "checkmate": False,
    "moves": [{"uci": "b1b4", "san": "Qb4", "category": "loss"}, {"uci": "b1b7", "san": "Qb7+", "category": "draw"}],
}  # fmt: skip


def site_of(server: Loopback, token: str | None = "secret") -> Lichess:
    return Lichess(server.url, token, Network(limited_pause_s=7))


def explorer(url: str, site: Lichess, **terms: Any) -> ExplorerSource:
    return ExplorerSource(Explorer(url=url, **terms), site.session_to(url, 1), random.Random(3))


def cloud(url: str, site: Lichess, **terms: Any) -> CloudSource:
    return CloudSource(Cloud(url=url, **terms), site.session_to(url, 1), random.Random(3))


def chessdb(url: str, site: Lichess, **terms: Any) -> ChessDbSource:
    return ChessDbSource(ChessDb(url=url, **terms), site.session_to(url, 1), random.Random(3))


def tables(url: str, site: Lichess, **terms: Any) -> OnlineTablesSource:
    return OnlineTablesSource(OnlineTables(url=url, **terms), site.session_to(url, 1))


Make = Callable[..., MoveSource]
EVERY: list[tuple[Make, dict[str, Any]]] = [(explorer, OPENING), (cloud, CLOUD), (chessdb, KNOWN), (tables, LOOKED)]


@contextmanager
def answering(value: object, status: int = 200, kind: str = "application/json") -> Iterator[Loopback]:
    def answer(exchange: Exchange) -> None:
        if kind == "application/json":
            exchange.reply_json(value, status)
        else:
            exchange.reply(status, str(value), kind)

    with loopback(answer) as server:
        yield server


def found(make: Make, value: object, asked: Question | None = None, **terms: Any) -> set[str | None]:
    """The moves that come of eight questions."""
    with answering(value) as server:
        source = make(server.url, site_of(server), **terms)
        suggestions = [source.suggest(asked or question()) for _ in range(8)]
        source.close()
    return {suggestion and suggestion.uci for suggestion in suggestions}


def test_the_explorer_gives_moves_that_were_played_often_enough() -> None:
    assert found(explorer, OPENING) == {"e2e4", "d2d4"}
    assert found(explorer, OPENING, selection="popular") == {"e2e4"}
    assert found(explorer, OPENING, selection="score") == {"d2d4"}
    assert found(explorer, OPENING, selection="score", least_games=1) == {"a2a3"}
    assert found(explorer, OPENING, least_games=1000) == {None}
    assert found(explorer, {"moves": []}) == {None}


def test_the_explorer_is_asked_about_the_position_the_speeds_and_the_ratings() -> None:
    with answering(OPENING) as server:
        site = site_of(server)
        asked = question("e2e4", variant=variants.ATOMIC)
        explorer(server.url, site, game_speeds=("blitz", "rapid"), ratings=(2200, 2500)).suggest(asked)
        explorer(server.url, site, games_of="masters").suggest(question())
        addresses = [urlsplit(request.path) for request in server.requests]
    assert [address.path for address in addresses] == ["/lichess", "/masters"]
    wanted = parse_qs(addresses[0].query)
    assert wanted["fen"] == [asked.position.fen()]
    assert (wanted["variant"], wanted["speeds"], wanted["ratings"]) == (["atomic"], ["blitz,rapid"], ["2200,2500"])


def test_the_explorer_knows_the_games_of_one_player() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.chunk(b'{"moves":[{"uci":"c2c4","white":20,"draws":0,"black":1}]}\n')
        exchange.chunk(b"")

    with loopback(answer) as server:
        source = explorer(server.url, site_of(server), games_of="player", player="rival")
        suggestion = source.suggest(question())
        wanted = parse_qs(urlsplit(server.requests[0].path).query)
    assert suggestion is not None and suggestion.uci == "c2c4"
    assert (wanted["player"], wanted["color"]) == (["rival"], ["white"])


def test_masters_play_chess_only_and_our_own_games_are_unknown_there() -> None:
    with answering({}) as server:
        masters, everybody = (explorer(server.url, site_of(server), games_of=of) for of in ("masters", "everybody"))
        assert masters.plays(variants.STANDARD) and not masters.plays(variants.ATOMIC)
        assert everybody.plays(variants.ATOMIC) and not everybody.plays(variants.SPARK)


def test_the_cloud_gives_the_best_move_or_one_nearly_as_good() -> None:
    assert found(cloud, CLOUD) == {"e2e4"}
    assert found(cloud, CLOUD, loss_cp=10) == {"e2e4", "d2d4"}
    assert found(cloud, CLOUD, least_depth=40) == {None}
    assert found(cloud, CLOUD | {"pvs": []}) == {None}


def test_the_clouds_scores_are_those_of_white() -> None:
    with answering(CLOUD | {"pvs": [{"moves": "e7e5", "cp": 30}]}) as server:
        suggestion = cloud(server.url, site_of(server)).suggest(question("e2e4"))
        assert suggestion is not None and suggestion.score_cp == -30
    with answering(CLOUD | {"pvs": [{"moves": "e7e5", "mate": -2}]}) as server:
        suggestion = cloud(server.url, site_of(server)).suggest(question("e2e4"))
        assert suggestion is not None and suggestion.score_cp is not None and suggestion.score_cp > 30_000


def test_chessdb_gives_its_best_moves_or_the_good_ones() -> None:
    assert found(chessdb, KNOWN) == {"e2e4"}
    assert found(chessdb, KNOWN, selection="good") == {"e2e4", "d2d4"}
    assert found(chessdb, {"status": "unknown"}) == {None}
    with answering({}) as server:
        source = chessdb(server.url, site_of(server))
        assert source.plays(variants.STANDARD) and not source.plays(variants.ATOMIC)


def test_chessdb_may_call_its_json_whatever_it_likes() -> None:
    text = '{"status":"ok","moves":[{"uci":"e2e4","rank":2}]}'
    with answering(text, kind="text/html") as server:
        suggestion = chessdb(server.url, site_of(server)).suggest(question())
    assert suggestion is not None and suggestion.uci == "e2e4"


def test_the_online_tables_give_their_first_move_and_are_certain() -> None:
    asked = question(fen=TABLE_FEN)
    with answering(LOOKED) as server:
        source = tables(server.url, site_of(server))
        suggestion = source.suggest(asked)
        assert suggestion is not None
        assert (suggestion.uci, suggestion.score_cp, suggestion.certain) == ("b1b4", WON_CP, True)
        assert urlsplit(server.requests[0].path).path == "/standard"
        assert source.fits(asked.position) and not source.fits(question().position)
        playable = [variant.key for variant in variants.ALL if source.plays(variant)]
        assert playable == ["standard", "chess960", "fromPosition", "antichess", "atomic"]
    assert found(tables, LOOKED | {"category": "unknown"}, asked) == {None}
    with answering(LOOKED | {"category": "cursed-win"}) as server:
        spoilt = tables(server.url, site_of(server)).suggest(asked)
        assert spoilt is not None and spoilt.score_cp == 0


@pytest.mark.parametrize(("make", "value"), EVERY)
def test_what_a_site_does_not_know_is_no_failure(make: Make, value: dict[str, Any]) -> None:
    with answering({"error": "Not found"}, 404) as server:
        assert make(server.url, site_of(server)).suggest(question(fen=TABLE_FEN)) is None


@pytest.mark.parametrize(("make", "value"), EVERY)
@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ("<html>bad gateway</html>", 502, "text/html"),
        ("<html>hello</html>", 200, "text/html"),
        ("", 200, "application/octet-stream"),
        ('{"error":"no"}', 400, "text/plain"),
        ('{"error":"no"}', 401, "text/plain"),
        ("[1, 2]", 200, "text/plain"),
        ('{"moves": 3, "pvs": 4, "depth": "deep"}', 200, "text/plain"),
    ],
)
def test_a_site_in_trouble_is_a_failure_and_nothing_worse(
    make: Make, value: dict[str, Any], body: str, status: int, kind: str
) -> None:
    with answering(body, status, kind) as server, pytest.raises(SourceFailed):
        make(server.url, site_of(server)).suggest(question(fen=TABLE_FEN))


@pytest.mark.parametrize(("make", "value"), EVERY)
def test_too_many_requests_name_the_rest(make: Make, value: dict[str, Any]) -> None:
    limited = {"error": "slow down", "ratelimit": {"key": "x", "seconds": 33}}
    with answering(limited, 429) as server, pytest.raises(SourceFailed) as caught:
        make(server.url, site_of(server)).suggest(question(fen=TABLE_FEN))
    assert caught.value.rest_s == 33


@pytest.mark.parametrize(("make", "value"), EVERY)
def test_a_site_that_is_away_is_a_failure(make: Make, value: dict[str, Any]) -> None:
    with answering({}) as server:
        source = make(server.url, site_of(server))
    with pytest.raises(SourceFailed):
        source.suggest(question(fen=TABLE_FEN))


@pytest.mark.parametrize(("make", "value"), EVERY)
def test_the_token_goes_to_the_accounts_own_site_only(make: Make, value: dict[str, Any]) -> None:
    with answering(value) as home, answering(value) as elsewhere:
        site = site_of(home)
        for server in (home, elsewhere):
            make(server.url, site).suggest(question(fen=TABLE_FEN))
        assert [request.headers["Authorization"] for request in home.requests] == ["Bearer secret"]
        assert [request.headers["Authorization"] for request in elsewhere.requests] == [None]
        assert elsewhere.requests[0].headers["User-Agent"].startswith("centella/")


@pytest.mark.parametrize(
    ("home", "address", "trusted"),
    [
        ("https://lichess.org", "https://explorer.lichess.org", True),
        ("https://lichess.org", "https://explorer.lichess.ovh", True),
        ("https://lichess.org", "https://lichess.org", True),
        ("https://lichess.org", "https://tablebase.lichess.ovh", False),
        ("https://lichess.org", "https://www.chessdb.cn", False),
        ("https://lichess.org", "http://explorer.lichess.org", False),
        ("https://lichess.org", "https://explorer.lichess.org:8443", False),
        ("https://lichess.org", "https://explorer.lichess.org.example.com", False),
        ("https://lichess.dev", "https://explorer.lichess.org", False),
        ("http://127.0.0.1:8080", "https://lichess.org", False),
        ("http://127.0.0.1:8080", "https://explorer.lichess.org", False),
    ],
)
def test_only_listed_addresses_are_trusted_with_a_token(home: str, address: str, trusted: bool) -> None:
    session = Lichess(home, "secret", Network()).session_to(address, 1)
    assert isinstance(session, LichessSession)
    request = session.prepare_request(requests.Request("GET", address, auth=session._authorize))
    assert ("Authorization" in request.headers) is trusted


def test_a_redirect_is_not_followed_with_or_without_the_token() -> None:
    with answering(OPENING) as elsewhere:

        def answer(exchange: Exchange) -> None:
            exchange.reply(302, "", Location=f"{elsewhere.url}/lichess")

        with loopback(answer) as home, pytest.raises(SourceFailed):
            explorer(home.url, site_of(home)).suggest(question())
        assert elsewhere.requests == []
