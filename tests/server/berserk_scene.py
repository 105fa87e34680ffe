"""berserk, unchanged, in the hands of a bot and a person; and its own types, as far as they are right.

Replies are validated against berserk's own types, but for what they have wrong, or demand although Lichess leaves it
out when it does not apply; both is listed here.
"""
from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, NotRequired, Required, Union, get_args, get_origin, get_type_hints

import berserk
import requests
from berserk.types.account import AccountInformation, Perf
from berserk.types.bots import GameEventInfo
from berserk.types.challenges import ChallengeJson
from pydantic import TypeAdapter
from typing_extensions import TypedDict, is_typeddict

from bot.server.app import LocalLichess
from tests.server.players import PATIENCE_S, Match, Player

# Left out by Lichess when it does not apply (contract, sections 2 to 4).
ABSENT = {
    AccountInformation: {
        *("flair", "disabled", "tosViolation", "profile", "patron", "verified", "title", "playing"),
        *("streaming", "streamer"),
    },
    Perf: {"prov"},
    ChallengeJson: {"declineReason", "declineReasonKey"},
    GameEventInfo: {"secondsLeft"},
}
# Wrong in berserk: on the wire the status is `{"id", "name"}`, and the perf of a game its plain key (section 3).
CORRECTED: dict[type, dict[str, Any]] = {GameEventInfo: {"status": dict[str, int | str], "perf": str}}


def corrected(hint: Any) -> Any:
    """One of berserk's types as Lichess really sends it."""
    if is_typeddict(hint):
        fields: dict[str, Any] = {}
        for name, field in get_type_hints(hint, include_extras=True).items():
            wrapper = get_origin(field) if get_origin(field) in (Required, NotRequired) else Required
            inner = get_args(field)[0] if get_origin(field) in (Required, NotRequired) else field
            inner = CORRECTED.get(hint, {}).get(name) or corrected(inner)
            fields[name] = NotRequired[inner] if name in ABSENT.get(hint, ()) else wrapper[inner]
        return TypedDict(hint.__name__, fields)  # type: ignore[operator]
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(corrected(each) for each in get_args(hint))]  # noqa: UP007
    if get_origin(hint) in (list, dict):
        return get_origin(hint)[tuple(corrected(each) for each in get_args(hint))]
    return hint


def valid(shape: type, reply: Any) -> Any:
    """The reply, if it is of that type; fields beyond it do no harm."""
    TypeAdapter(corrected(shape)).validate_python(reply, strict=True)
    return reply


class TimedSession(berserk.TokenSession):
    """A session whose calls end."""

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        return super().request(*arguments, timeout=PATIENCE_S, **options)


@dataclass
class Scene:
    """A bot and a person with berserk in their hands, and a bot without it."""

    lichess: LocalLichess
    housebot: Player
    rival: Player
    fusebox: Player

    def __post_init__(self) -> None:
        self.bot, self.person = (self.client(player.token) for player in (self.housebot, self.rival))

    def client(self, token: str) -> berserk.Client:
        return berserk.Client(TimedSession(token), base_url=self.lichess.url)

    def match(self, *moves: str, **fields: object) -> str:
        """A game of the bot, White, against the person."""
        match = Match(self.housebot, self.rival, **({"clock__limit": 600} | fields))
        match.play(*moves)
        return str(match.id)

    def state(self, game_id: str) -> dict[str, Any]:
        state: dict[str, Any] = self.housebot.game(game_id).next()["state"]
        return state

    def chat(self, game_id: str) -> list[tuple[str, str, str]]:
        return self.lichess.call(
            lambda site: [(line.room.value, line.username, line.text) for line in site.tables[game_id].chat]
        )
