"""Tables at the parlour, for the tests of its rules and of its ladders."""
from __future__ import annotations

from bot.server.app import LocalLichess
from tests.server.players import Match, Player

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
CASUAL = {"variant": "parlour", "clock.limit": 300, "clock.increment": 0}
NO_CLOCK = {"clock.limit": None, "clock.increment": None}
TURNS = {"variant": "parlour", **NO_CLOCK, "turn.limit": 30}
BARE_KING = "7k/8/8/8/8/8/P6K/8 w - - 0 1"


class TableOf(Match):
    """A game at the parlour; who has White is seen when it is begun."""

    def __init__(self, one: Player, other: Player, **fields: object) -> None:
        terms = {name.replace("__", "."): value for name, value in fields.items()}
        answer = one.post(f"/api/challenge/{other.name}", json={**CASUAL, **terms})
        assert answer.status_code == 200, answer.text
        challenge = answer.json()
        other.accept(challenge["id"])
        self.id = challenge["id"]
        self.white, self.black = (one, other) if challenge["finalColor"] == "white" else (other, one)

    def leave_for_good(self, lichess: LocalLichess) -> None:
        """Black leaves; White waits and claims, on Black's turn."""
        staying = self.white.game(self.id)
        assert staying.next()["type"] == "gameFull"
        lichess.advance(200_000)
        assert self.white.command(self.id, "claim-victory").json() == {"ok": True}
        assert staying.rest()[-1]["reason"] == "abandonment"


def counts(player: Player) -> tuple[int, int, int]:
    count = player.get("/api/account").json()["count"]
    return count["win"], count["loss"], count["draw"]
