"""What outlives the server: accounts, tokens, challenges and games, to the last move that was answered."""
from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.intake import SESSION_COOKIE
from bot.server.settings import ServerSettings
from bot.server.store.database import FILE_NAME, Database, StoreError
from bot.server.timekeeper import ManualTime
from tests.server.players import Match, Player


class House:
    """A folder with a database, and the server on it, which can be brought down and up again; time stands still."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.time = ManualTime()
        self.failed = threading.Event()
        self.failures: list[str] = []
        self.lichess = self._start()

    def _start(self) -> LocalLichess:
        return LocalLichess(
            ServerSettings(port=0, data=self.folder, claim_answer_ms=0, ai_game_move_ms=0),
            timekeeper=self.time,
            chance=random.Random(),
            on_failure=self._note_failure,
        )

    def _note_failure(self, failure: StoreError) -> None:
        self.failures.append(str(failure))
        self.failed.set()

    def restart(self, *players: Player, after_ms: int = 0) -> None:
        """Down, and up after a while; the players go on with the tokens they have."""
        self.lichess.stop()
        self.time = ManualTime(self.time.now_ms() + after_ms)
        self.lichess = self._start()
        for player in players:
            player.lichess = self.lichess


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.lichess.stop()


@pytest.fixture
def rival(house: House) -> Player:
    return Player(house.lichess, "Rival", bot=False)


@pytest.fixture
def housebot(house: House) -> Player:
    return Player(house.lichess, "housebot")


def test_a_game_goes_on_where_it_stood(house: House, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot, variant="crazyhouse")
    match.play("e2e4", "d7d5", "e4d5", "d8d5")
    rival.command(match.id, "chat", data={"room": "player", "text": "a moment, please"})
    rival.command(match.id, "draw/yes")
    before = housebot.game(match.id).next()
    house.restart(rival, housebot)
    lines = housebot.game(match.id)
    after = lines.next()
    for each in (before["state"], after["state"]):
        del each["wtime"], each["btime"]
    assert after == before and after["state"]["wdraw"] is True
    assert {"text": "a moment, please", "user": "Rival"} in housebot.get(f"/api/bot/game/{match.id}/chat").json()
    match.play("P@e6", "c8e6")
    assert lines.next_of("gameState")["moves"].endswith("d8d5 P@e6")
    playing = housebot.get("/api/account/playing").json()["nowPlaying"]
    assert [(game["gameId"], game["fullId"]) for game in playing] == [(match.id, playing[0]["fullId"])]


def test_what_time_brings_about_still_happens_after_a_restart(
    house: House, rival: Player, housebot: Player
) -> None:
    match = Match(rival, housebot, clock__limit=180, clock__increment=0)
    match.play("e2e4", "e7e5")
    house.restart(rival, housebot, after_ms=30_000)
    lines = housebot.game(match.id)
    assert lines.next()["state"]["wtime"] == 180_000
    house.lichess.advance(180_000)
    assert lines.rest()[-1]["status"] == "outoftime"


def test_a_machine_plays_on_after_a_restart(house: House, rival: Player) -> None:
    game = rival.post("/api/challenge/ai", json={"level": 1, "color": "white"}).json()
    rival.move(game["id"], "e2e4")
    house.restart(rival)
    lines = rival.game(game["id"])
    for move in ("a2a4", "h2h4"):
        state = lines.next()
        while state.get("state", state)["moves"].count(" ") % 2 == 0:
            state = lines.next()
        rival.move(game["id"], move)
        assert lines.next_of("gameState")["moves"].endswith(move)


def test_a_takeback_outlives_the_server(house: House, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("e2e4", "e7e5", "g1f3")
    rival.command(match.id, "takeback/yes")
    housebot.command(match.id, "takeback/yes")
    house.restart(rival, housebot)
    assert housebot.game(match.id).next()["state"]["moves"] == "e2e4 e7e5"
    match.play("f1c4")


@pytest.mark.parametrize(
    ("thought_ms", "away_ms", "white_ms", "black_ms"),
    [(5_000, 2_000, 180_000 - 5_000 + 18_000, 180_000 + 18_000), (5_000, 60_000, 175_000, 180_000)],
)
def test_running_clocks_earn_a_bonus_of_up_to_twenty_seconds(
    house: House, rival: Player, housebot: Player, thought_ms: int, away_ms: int, white_ms: int, black_ms: int
) -> None:
    match = Match(rival, housebot, clock__limit=180, clock__increment=0)
    match.play("e2e4", "e7e5")
    house.lichess.advance(thought_ms)
    house.restart(rival, housebot, after_ms=away_ms)
    state = housebot.game(match.id).next()["state"]
    assert (state["wtime"], state["btime"]) == (white_ms, black_ms)


def test_a_clock_that_stood_still_earns_nothing(house: House, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    house.restart(rival, housebot, after_ms=1_000)
    state = housebot.game(match.id).next()["state"]
    assert (state["wtime"], state["btime"]) == (180_000, 180_000)


def test_a_turn_of_turn_time_begins_anew_and_one_of_days_does_not(
    house: House, rival: Player, housebot: Player
) -> None:
    none = {"clock__limit": None, "clock__increment": None}
    turns = Match(rival, housebot, variant="parlour", turn__limit=30, **none)
    days = Match(rival, housebot, days=3, **none)
    house.lichess.advance(30_000)
    house.restart(rival, housebot, after_ms=3_570_000)
    state = housebot.game(turns.id).next()["state"]
    assert (state["btime"], state["wautomatic"]) == (30_000, True)
    assert housebot.game(days.id).next()["state"]["wtime"] == 3 * 86_400_000 - 3_600_000


def test_a_challenge_waits_for_its_answer_and_lapses_in_the_end(
    house: House, rival: Player, housebot: Player
) -> None:
    lapsing, accepted = (rival.challenge(housebot)["id"] for _ in range(2))
    house.restart(rival, housebot)
    events = housebot.events()
    assert [events.next()["challenge"]["id"] for _ in range(2)] == [lapsing, accepted]
    housebot.accept(accepted)
    house.lichess.advance(20_000)
    shown = rival.get(f"/api/challenge/{lapsing}/show").json()
    assert shown["status"] == "offline"


def test_a_guest_is_known_again_by_the_cookie_for_thirty_days(house: House) -> None:
    browser = requests.Session()
    guest = browser.post(f"{house.lichess.url}/web/guest", timeout=5).json()
    house.restart(after_ms=29 * 86_400_000)
    cookies = {SESSION_COOKIE: browser.cookies[SESSION_COOKIE]}
    assert requests.post(f"{house.lichess.url}/web/guest", cookies=cookies, timeout=5).json() == guest
    house.restart(after_ms=2 * 86_400_000)
    assert requests.post(f"{house.lichess.url}/web/guest", cookies=cookies, timeout=5).json() != guest
    assert house.lichess.call(lambda site: site.users.find(guest["id"])) is None


def test_finished_games_can_be_read_for_ever(house: House, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("f2f3", "e7e5", "g2g4", "d8h4")
    before = rival.get(f"/game/export/{match.id}").text.replace(house.lichess.url, "")
    house.restart(rival, housebot)
    after = rival.get(f"/game/export/{match.id}").text.replace(house.lichess.url, "")
    assert after == before and "Qh4#" in after
    assert rival.get("/api/account").json()["count"]["loss"] == 1
    assert rival.get("/api/account/playing").json()["nowPlaying"] == []


def test_neither_tokens_nor_sessions_can_be_read_out_of_the_file(house: House, housebot: Player) -> None:
    browser = requests.Session()
    browser.post(f"{house.lichess.url}/web/guest", timeout=5)
    house.lichess.stop()
    content = (house.folder / FILE_NAME).read_bytes()
    assert b"housebot" in content
    for secret in (housebot.token, browser.cookies[SESSION_COOKIE]):
        assert secret.encode() not in content


def test_a_token_that_is_not_to_last_ends_with_the_server(house: House) -> None:
    token = house.lichess.mint("centella", lasting=False)
    headers = {"Authorization": f"Bearer {token}"}
    assert requests.get(f"{house.lichess.url}/api/account", headers=headers, timeout=5).status_code == 200
    house.restart()
    assert requests.get(f"{house.lichess.url}/api/account", headers=headers, timeout=5).status_code == 401
    assert house.lichess.call(lambda site: site.users.get("centella").is_bot)


def test_what_a_command_changes_is_noticed_at_once(house: House, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    lines = housebot.game(match.id)
    with sqlite3.connect(house.folder / FILE_NAME) as other:
        other.execute("DELETE FROM tokens WHERE user_id = 'rival'")
        other.execute("DELETE FROM games")
    other.close()
    assert rival.get("/api/account").status_code == 401
    assert housebot.get("/api/account/playing").json()["nowPlaying"] == []
    assert lines.rest()[-1]["type"] == "gameFull"


def test_a_full_disk_takes_no_move_and_ends_the_server(house: House, rival: Player, housebot: Player) -> None:
    match = Match(rival, housebot)
    match.play("e2e4")
    lines = housebot.game(match.id)
    assert lines.next()["state"]["moves"] == "e2e4"
    database = house.lichess.site.store.database
    house.lichess.call(lambda _: database.rows("PRAGMA max_page_count = 1"))
    for ply in range(4_000):
        answer = housebot.command(match.id, "chat", data={"room": "player", "text": f"{ply} " + "word " * 25})
        if answer.status_code != 200:
            break
    assert (answer.status_code, answer.json()) == (503, {"error": "The server cannot keep its records"})
    assert house.failed.wait(10)
    assert house.failures == [f"{house.folder / FILE_NAME}: cannot be used: database or disk is full"]
    assert all(line["type"] == "chatLine" for line in lines.rest())
    house.restart(rival, housebot)
    assert housebot.game(match.id).next()["state"]["moves"] == "e2e4"


def test_two_servers_do_not_share_a_database(house: House) -> None:
    with pytest.raises(StoreError, match=r"server\.sqlite3: in use by another server of Centella"):
        LocalLichess(ServerSettings(port=0, data=house.folder))


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Database(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match=r"server\.sqlite3: written by a newer version of Centella"):
        LocalLichess(ServerSettings(port=0, data=tmp_path))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("UPDATE games SET memory = '{}'", "the record of the game {id} cannot be read"),
        ("UPDATE games SET status = 'won'", "the record of the game {id} cannot be read"),
        ("UPDATE games SET moves = 'e2e5'", "the moves of the game {id} cannot be played: "),
        ("UPDATE users SET record = '[]'", "the record of the user rival cannot be read"),
    ],
)
def test_a_spoilt_record_is_named(
    house: House, rival: Player, housebot: Player, change: str, complaint: str
) -> None:
    match = Match(rival, housebot)
    match.play("e2e4")
    house.lichess.stop()
    with sqlite3.connect(house.folder / FILE_NAME) as connection:
        connection.execute(change)
    connection.close()
    with pytest.raises(StoreError, match=complaint.format(id=match.id)):
        house.restart()


@pytest.mark.parametrize("spoil", [Path.mkdir, lambda path: path.write_text("no database" * 100)])
def test_what_is_no_database_is_refused(tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    spoil(tmp_path / FILE_NAME)
    with pytest.raises(StoreError, match=r"server\.sqlite3: cannot be used: "):
        Database(tmp_path, serving=True)
    # the lock is given back
    (tmp_path / FILE_NAME).rename(tmp_path / "spoilt")
    Database(tmp_path, serving=True).close()


def test_without_a_folder_nothing_is_written_and_old_games_are_forgotten() -> None:
    settings = ServerSettings(port=0, kept_games=2)
    with LocalLichess(settings, timekeeper=ManualTime()) as lichess:
        rival, housebot = Player(lichess, "Rival", bot=False), Player(lichess, "housebot")
        games = []
        for _ in range(3):
            match = Match(rival, housebot)
            match.play("e2e4", "e7e5")
            rival.command(match.id, "resign")
            games.append(match.id)
        assert [rival.get(f"/game/export/{game_id}").status_code for game_id in games] == [404, 200, 200]
