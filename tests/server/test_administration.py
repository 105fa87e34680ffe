"""`centella server user|token|game`: on a database that nobody uses, and on one that a server works on."""
from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import requests

from bot.__main__ import main
from bot.server.app import LocalLichess
from bot.server.openapi_notes import NOTES
from bot.server.settings import ServerSettings
from bot.server.store.database import FILE_NAME
from bot.server.timekeeper import ManualTime
from bot.server.users import SCOPES
from tests.server.players import Match, Player
from tests.server.processes import ServerProcess


class Desk:
    """Where an administrator types commands about the database in `folder`."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *arguments: str) -> str:
        """What a command prints that does what it is asked."""
        assert main(["server", *arguments, "--data", str(self.folder)]) == 0
        printed, complaint = self._capsys.readouterr()
        assert complaint == ""
        return printed

    def complaints(self) -> str:
        """What has been complained of since the last command."""
        return self._capsys.readouterr().err

    def refusal(self, *arguments: str) -> tuple[int, str]:
        """Exit code and complaint of a command that does not."""
        code = main(["server", *arguments, "--data", str(self.folder)])
        printed, complaint = self._capsys.readouterr()
        assert printed == ""
        return code, complaint


@pytest.fixture
def administer(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return Desk(tmp_path, capsys)


def account(url: str, token: str) -> requests.Response:
    return requests.get(f"{url}/api/account", headers={"Authorization": f"Bearer {token}"}, timeout=5)


def test_the_administrators_token_is_told_once_and_mints_others(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--mint", "alpha") as server:
        server.line()
        told = re.fullmatch(r"token of the administrator, told only this once: (lip_\w+)\n", server.line())
        assert told is not None
        headers = {"Authorization": f"Bearer {told.group(1)}"}
        url = f"{server.url}/api/token/admin-challenge"
        minted = requests.post(url, data={"users": "Alpha,nobody"}, headers=headers, timeout=5).json()
        assert list(minted) == ["alpha"]
        assert account(server.url, minted["alpha"]).json()["title"] == "BOT"
        refused = requests.post(
            url, data={"users": "alpha"}, headers={"Authorization": f"Bearer {minted['alpha']}"}, timeout=5
        )
        assert refused.status_code == 403
        assert requests.post(url, headers=headers, timeout=5).json()["error"] == {"users": ["This field is required"]}
        assert server.end() == ""
    with ServerProcess(tmp_path) as server:
        assert account(server.url, minted["alpha"]).status_code == 200
        assert server.end() == ""


def test_a_running_server_takes_notice_of_its_administrator(administer: Desk) -> None:
    with LocalLichess(ServerSettings(port=0, data=administer.folder), timekeeper=ManualTime()) as lichess:
        added = re.fullmatch(r"token of Fresh: (\w+)\n", administer("user", "add", "Fresh"))
        assert added is not None
        assert account(lichess.url, added.group(1)).json()["username"] == "Fresh"
        housebot, fusebox = Player(lichess, "housebot"), Player(lichess, "fusebox")
        listed = administer("token", "list")
        (token_id,) = re.findall(r"^(\w+) +fresh .* board:play challenge:read challenge:write$", listed, re.MULTILINE)
        administer("token", "revoke", token_id)
        assert account(lichess.url, added.group(1)).status_code == 401
        waiting = housebot.challenge(fusebox)["id"]
        match = Match(housebot, fusebox)
        match.play("e2e4")
        games = administer("game", "list")
        assert re.search(rf"^{match.id} .* standard +housebot +fusebox +started +- +1$", games, re.MULTILINE)
        code, complaint = administer.refusal("user", "delete", "housebot")
        assert (code, complaint) == (1, f"centella: housebot is playing the game {match.id}: that must be over first\n")
        lines = fusebox.game(match.id)
        code, complaint = administer.refusal("game", "delete", match.id)
        assert code == 1
        assert complaint == f"centella: the game {match.id} is being played: have a player abort or resign it first\n"
        housebot.command(match.id, "abort")
        assert lines.rest()[-1]["status"] == "aborted"
        administer("game", "delete", match.id)
        assert fusebox.get(f"/game/export/{match.id}").status_code == 404
        administer("user", "delete", "housebot")
        assert fusebox.get("/api/account/playing").json()["nowPlaying"] == []
        assert housebot.get("/api/account").status_code == 401
        assert fusebox.get(f"/api/challenge/{waiting}/show").status_code == 404


def test_accounts_are_added_listed_and_deleted(administer: Desk) -> None:
    administer("user", "add", "Marble")
    administer("user", "add", "granite", "--bot")
    minted = administer("token", "add", "Granite", "--scope", "bot:play")
    assert re.fullmatch(r"token of granite: lip_\w+\n", minted)
    users = administer("user", "list")
    kinds = re.findall(r"^(\w+) +(person|bot) +\d{4}-\d\d-\d\d \d\d:\d\d +0 *$", users, re.MULTILINE)
    assert kinds == [("Marble", "person"), ("granite", "bot")]
    assert administer("token", "list").rstrip().endswith(" bot:play")
    administer("user", "delete", "MARBLE")
    assert "Marble" not in administer("user", "list")


@pytest.mark.parametrize("scope", ["bot:paly", ""])
def test_a_scope_that_there_is_not_is_refused_with_those_that_there_are(administer: Desk, scope: str) -> None:
    administer("user", "add", "granite", "--bot")
    before = administer("token", "list")
    code, complaint = administer.refusal("token", "add", "granite", "--scope", "bot:play", "--scope", scope)
    assert (code, complaint) == (2, f"centella: {scope!r} is not a scope: there are {', '.join(sorted(SCOPES))}\n")
    assert administer("token", "list") == before


def test_the_scopes_are_those_that_something_needs() -> None:
    assert {scope for note in NOTES.values() for scope in note.scopes or ()} == SCOPES


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("user", "add", "no name"), 2, "'no name' is not a user name"),
        (("user", "add", "Lichess"), 2, "the name 'Lichess' is reserved for the server itself"),
        (("user", "add", "anonymous", "--bot"), 2, "the name 'anonymous' is reserved for the server itself"),
        (("user", "add", "admin"), 2, "the name 'admin' is reserved for the server itself"),
        (("user", "delete", "nobody"), 1, "there is no account 'nobody'"),
        (("token", "add", "nobody"), 1, "there is no account 'nobody'"),
        (("token", "revoke", "abc"), 1, "there is no token 'abc'"),
        (("game", "delete", "abc"), 1, "there is no game 'abc'"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    administer: Desk, arguments: tuple[str, ...], code: int, complaint: str
) -> None:
    administer("user", "add", "granite")
    answer = administer.refusal(*arguments)
    assert answer[0] == code and re.fullmatch(rf"centella: {complaint}.*\n", answer[1])


@pytest.mark.parametrize("words", [("user", "list"), ("token", "list"), ("game", "list"), ("user", "delete", "abc")])
def test_a_folder_without_a_database_stays_as_it_is(administer: Desk, words: tuple[str, ...]) -> None:
    nowhere = administer.folder / "nowhere"
    assert main(["server", *words, "--data", str(nowhere)]) == 1
    complaint = f"centella: {nowhere / FILE_NAME}: not there: no server has kept anything in that folder\n"
    assert administer.complaints() == complaint
    assert not nowhere.exists()


def test_no_second_server_works_on_the_same_database(administer: Desk) -> None:
    with LocalLichess(ServerSettings(port=0, data=administer.folder)):
        for command in (["server", "--port", "0"], ["local", "--port", "0", "--no-browser"]):
            assert main([*command, "--data", str(administer.folder)]) == 1
            complaint = f"centella: {administer.folder / FILE_NAME}: in use by another server of Centella\n"
            assert administer.complaints() == complaint


def test_a_database_that_cannot_be_used_is_one_clear_line(administer: Desk) -> None:
    (administer.folder / FILE_NAME).mkdir()
    code, complaint = administer.refusal("--port", "0")
    assert code == 1
    assert complaint == f"centella: {administer.folder / FILE_NAME}: cannot be used: unable to open database file\n"
    assert administer.refusal("user", "list") == (code, complaint)


def test_a_server_whose_database_somebody_keeps_locked_says_so_and_ends(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--mint", "alpha", "beta") as server:
        token = server.line().split()[-1]
        with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = requests.post(
                f"{server.url}/api/challenge/beta", headers={"Authorization": f"Bearer {token}"}, timeout=10
            )
        assert (refused.status_code, refused.json()) == (503, {"error": "The server cannot keep its records"})
        assert server.wait() == 1
        assert server.end().splitlines()[-1] == f"centella: {tmp_path / FILE_NAME}: cannot be used: database is locked"
