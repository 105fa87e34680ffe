"""The recorded event stream, reproduced by doing what its lines tell: a bot's busy hour, line by line."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from bot.server.timekeeper import ManualTime
from rules.move import Color
from tests.server.players import Lines, Player
from tests.server.samples import Line, ScriptedChance, comparable, recorded

BOTS = ("housebot", "fusebox")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
BLITZ_GAME = (
    *("e2e4", "e7e5", "f1c4", "g8f6", "g1f3", "b8c6", "c2c3", "f8c5", "d2d3", "d7d6"),
    *("e1g1", "a7a6", "f1e1", "c5a7", "h2h3", "c6e7", "b1d2"),
)
SLOW_GAME = ("d2d4", "e7e6", "b1c3", "f8b4", "e2e4", "d7d5", "e4e5", "c7c5")


class Hour:
    """Everybody who has a part in the recording; ids of challenges and games are ours by theirs."""

    def __init__(self, lichess: LocalLichess) -> None:
        self.lichess = lichess
        self.ids: dict[str, str] = {}
        self._players: dict[str, Player] = {}
        self._online: dict[str, Lines] = {}

    def player(self, name: str) -> Player:
        if name.lower() not in self._players:
            self._players[name.lower()] = Player(self.lichess, name, bot=name in BOTS)
        return self._players[name.lower()]

    @property
    def housebot(self) -> Player:
        return self.player("housebot")

    def challenge(self, challenge: Line) -> None:
        """Send a challenge like this one, with everybody online who is so in it."""
        for user in (challenge["challenger"], challenge["destUser"]):
            player = self.player(user["name"])
            if user.get("online") and user["id"] not in (*self._online, "housebot"):
                self._online[user["id"]] = player.events()
        time = challenge["timeControl"]
        fields = {
            "clock__limit": time.get("limit"),
            "clock__increment": time.get("increment"),
            "days": time.get("daysPerTurn"),
            "variant": challenge["variant"]["key"],
            "fen": challenge.get("initialFen") if challenge["variant"]["key"] != "horde" else None,
            "rated": challenge["rated"],
            "color": challenge["color"],
            "rules": challenge.get("rules"),
        }
        challenger, dest = (self.player(challenge[side]["name"]) for side in ("challenger", "destUser"))
        self.ids[challenge["id"]] = challenger.challenge(dest, **fields)["id"]

    def play(self, game_id: str, white: Player, black: Player, moves: tuple[str, ...]) -> None:
        for ply, uci in enumerate(moves):
            (black if ply % 2 else white).move(game_id, uci)

    def begin_by_hand(self, game: Line, moves: tuple[str, ...], **fields: object) -> None:
        """One of the games that ran before the recording began."""
        opponent = self.player(game["opponent"]["username"])
        game_id = opponent.challenge(self.housebot, **fields)["id"]
        self.housebot.accept(game_id)
        self.play(game_id, opponent, self.housebot, moves)
        self.ids[game["id"]] = game_id


def begin(hour: Hour, line: Line) -> None:
    """Make the game of a gameStart begin."""
    game = line["game"]
    if game["id"] == "RwA1gAm3":
        form = {"level": 3, "color": "black"}
        hour.ids[game["id"]] = hour.housebot.post("/api/challenge/ai", json=form).json()["id"]
    elif game["id"] == "0p3nCh4l":
        form = {"clock.limit": 600, "clock.increment": 0}
        game_id = hour.housebot.post("/api/challenge/open", json=form).json()["id"]
        hour.housebot.post(f"/api/challenge/{game_id}/accept?color=white")
        hour.player("walkin").accept(game_id)
        hour.ids[game["id"]] = game_id
    else:
        hour.housebot.accept(hour.ids[game["id"]])


def finish(hour: Hour, line: Line) -> None:
    """Make the game of a gameFinish end."""
    game = line["game"]
    game_id, rival = hour.ids[game["id"]], hour.player("rival")
    if game["status"]["name"] == "aborted":
        rival.command(game_id, "abort")
    else:
        hour.play(game_id, rival, hour.housebot, FOOLS_MATE)


def challenge(hour: Hour, line: Line) -> None:
    """Send a challenge, or offer a rematch."""
    sent = line["challenge"]
    if "rematchOf" in sent:
        game_id = hour.ids[sent["rematchOf"]]
        hour.ids[sent["id"]] = hour.player("rival").post(f"/web/game/{game_id}/rematch").json()["id"]
    else:
        hour.challenge(sent)


def decline(hour: Hour, line: Line) -> None:
    declined = line["challenge"]
    path = f"/api/challenge/{hour.ids[declined['id']]}/decline"
    hour.player(declined["destUser"]["name"]).post(path, data={"reason": declined["declineReasonKey"]})


def cancel(hour: Hour, line: Line) -> None:
    cancelled = line["challenge"]
    hour.player(cancelled["challenger"]["name"]).post(f"/api/challenge/{hour.ids[cancelled['id']]}/cancel")


ACTIONS: dict[str, Callable[[Hour, Line], None]] = {
    "challenge": challenge,
    "challengeDeclined": decline,
    "challengeCanceled": cancel,
    "gameStart": begin,
    "gameFinish": finish,
}


def drawn_colors(lines: list[Line]) -> list[Color]:
    """What chance has to draw so that everybody gets the color of the recording."""
    drawn = []
    for line in lines:
        sent = line.get("challenge", {})
        if line["type"] == "challenge" and sent["color"] == "random":
            drawn.append(Color.WHITE if sent["finalColor"] == "white" else Color.BLACK)
    return drawn


def without(line: Any) -> Any:
    """A line without what the recording has of another time."""
    line = comparable(line)
    line.get("challenge", {}).pop("declineReason", None)
    return line


def test_the_recorded_hour_is_reproduced() -> None:
    theirs = recorded("event_stream_challenges")
    blitz, slow, pending, *live = theirs
    settings = ServerSettings(port=0, ai_game_move_ms=0)
    chance = ScriptedChance(drawn_colors(live))
    with LocalLichess(settings, timekeeper=ManualTime(), chance=chance) as lichess:
        hour = Hour(lichess)
        hour.player("Rival")
        hour.begin_by_hand(blitz["game"], BLITZ_GAME, clock__limit=300, clock__increment=3)
        hour.begin_by_hand(slow["game"], SLOW_GAME, days=3, clock__limit=None, clock__increment=None)
        hour.challenge(pending["challenge"])
        events = hour.housebot.events()
        for line in (blitz, slow, pending):
            assert without(events.next()) == without(line)
        for line in live:
            ACTIONS[line["type"]](hour, line)
            assert without(events.next()) == without(line)
        assert events.nothing_yet()
