"""The recorded replies to plain calls and failures, each reproduced after what must have come before it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import requests

from bot.server.app import LocalLichess
from bot.server.quotas import UNLIMITED, Limits, Quota
from rules.move import Color
from tests.server.conftest import Serve
from tests.server.players import Lines, Match, Player
from tests.server.samples import Line, ScriptedChance, comparable, recorded
from tests.server.test_sample_events import BLITZ_GAME, FOOLS_MATE

REPLIES = recorded("http_replies")
ONE_A_DAY = Quota(1, 86_400_000)


@dataclass
class Stage:
    """Where a call is made: `ids` are our ids by those of the recording, `caller` is who makes it."""

    lichess: LocalLichess
    ids: dict[str, str] = field(default_factory=dict)
    streams: list[Lines] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.housebot, self.fusebox = Player(self.lichess, "housebot"), Player(self.lichess, "fusebox")
        self.caller = self.housebot

    def person(self, name: str) -> Player:
        return Player(self.lichess, name, bot=False)

    def go_online(self, *players: Player) -> None:
        self.streams += [player.events() for player in players]


def online(stage: Stage) -> None:
    stage.go_online(stage.housebot, stage.fusebox)


def nothing(stage: Stage) -> None:
    """No more than that there are these bots."""


def waiting(name: str, **terms: object) -> Callable[[Stage], None]:
    """A challenge to the bot with this id."""

    def prepare(stage: Stage) -> None:
        stage.ids[name] = stage.person("rival").challenge(stage.housebot, **terms)["id"]

    return prepare


def pending(stage: Stage) -> None:
    earlybird = stage.person("earlybird")
    stage.go_online(stage.housebot, earlybird)
    earlybird.challenge(stage.housebot, clock__limit=300, clock__increment=3)


def running(*moves: str) -> Callable[[Stage], None]:
    """The blitz game, in which the bot is Black."""

    def prepare(stage: Stage) -> None:
        match = Match(stage.person("rival"), stage.housebot)
        match.play(*moves)
        stage.ids["qT7mLr2x"] = match.id

    return prepare


def finished(stage: Stage) -> None:
    match = Match(stage.person("rival"), stage.housebot)
    match.play(*FOOLS_MATE)
    stage.ids["h0mAnB1z"] = match.id


def somebody_elses(stage: Stage) -> None:
    stage.ids["th31rgam"] = Match(stage.person("rival"), stage.fusebox).id


def chatted(stage: Stage) -> None:
    match = Match(stage.person("rival"), stage.housebot)
    match.play("e2e4", "e7e5")
    match.white.command(match.id, "chat", data={"room": "player", "text": "hf 😀"})
    match.white.command(match.id, "draw/yes")
    stage.ids["qT7mLr2x"] = match.id


def busy_and_slow(stage: Stage) -> None:
    stage.person("slowpoke")
    stage.go_online(stage.housebot)
    Match(stage.fusebox, stage.housebot)


def at_the_own_limit(stage: Stage) -> None:
    Match(stage.housebot, Player(stage.lichess, "thirdbot"))


def at_the_opponents_limit(stage: Stage) -> None:
    Match(stage.fusebox, Player(stage.lichess, "thirdbot"))


def after_too_many(stage: Stage) -> None:
    stage.housebot.challenge(stage.fusebox)


def by_nobody_known(stage: Stage) -> None:
    stage.caller.http.headers["Authorization"] = "Bearer lip_wrong"


def by_a_modest_token(stage: Stage) -> None:
    stage.caller = Player(stage.lichess, "housebot", scopes=frozenset({"challenge:write"}))


def veteran(stage: Stage) -> None:
    match = Match(stage.housebot, stage.fusebox)
    match.play(*FOOLS_MATE)


LIMITS = {
    4: Limits(bot_games=ONE_A_DAY),
    5: Limits(bot_games=ONE_A_DAY),
    6: Limits(challenges_by_user=(Quota(1, 60_000),)),
}
# What has come before each reply, by its line.
BEFORE: list[Callable[[Stage], None]] = [
    online,
    nothing,
    nothing,
    nothing,
    at_the_own_limit,
    at_the_opponents_limit,
    after_too_many,
    nothing,
    nothing,
    nothing,
    waiting("h0mAnB1z"),
    nothing,
    waiting("uLtr4Zh0", variant="crazyhouse", clock__limit=15, clock__increment=0),
    waiting("h0rd3Fen", variant="horde"),
    pending,
    running("e2e4"),
    running("e2e4", "e7e5"),
    running("e2e4"),
    running("e2e4"),
    nothing,
    somebody_elses,
    running("e2e4", "e7e5"),
    finished,
    running(),
    running("e2e4", "e7e5"),
    chatted,
    by_nobody_known,
    by_a_modest_token,
    veteran,
    nothing,
    busy_and_slow,
    running(*BLITZ_GAME),
]
# Where a call in the recording does not say what it sends.
BODIES: dict[int, Line] = {
    4: {"clock.limit": "60", "clock.increment": "1"},
    5: {"clock.limit": "60", "clock.increment": "1"},
    6: {"clock.limit": "60", "clock.increment": "1"},
    9: {"clock.limit": "60", "clock.increment": "1"},
    23: {"room": "player", "text": "x" * 141},
}


def ask(stage: Stage, index: int, sample: Line) -> requests.Response:
    method, path = sample["request"].split()
    for theirs, ours in stage.ids.items():
        path = path.replace(theirs, ours)
    body: Any = sample.get("form", BODIES.get(index))
    if path == "/api/token/test":
        body = f"{stage.housebot.token},lip_wrong"
    return stage.caller.http.request(
        method, stage.lichess.url + path, data=body, params=sample.get("query"), timeout=5
    )


def normal(stage: Stage, body: Any) -> Any:
    """A body with what varies made equal."""
    if isinstance(body, dict) and stage.housebot.token in body:
        body = {("lip_housebot" if token == stage.housebot.token else token): body[token] for token in body}
    return comparable(body)


@pytest.mark.parametrize("index", range(len(REPLIES)), ids=lambda index: f"{index}-{REPLIES[index]['request']}")
def test_a_recorded_reply_is_reproduced(serve: Serve, index: int) -> None:
    sample = REPLIES[index]
    drawn = [Color.BLACK if sample["body"].get("finalColor") == "black" else Color.WHITE] if index < 4 else []
    stage = Stage(serve(limits=LIMITS.get(index, UNLIMITED), chance=ScriptedChance(drawn)))
    BEFORE[index](stage)
    response = ask(stage, index, sample)
    assert response.status_code == sample["status"], response.text
    ours, theirs = normal(stage, response.json()), normal(stage, sample["body"])
    assert ours == theirs


def test_every_recorded_reply_has_its_scene() -> None:
    assert len(BEFORE) == len(REPLIES)
