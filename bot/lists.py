"""Lists of players: who is blocked, and who alone is played where that is wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NAME: Final = re.compile(r"[A-Za-z0-9_-]{2,30}")


@dataclass(frozen=True)
class Lists:
    """Ids of players; `allowed` None allows everybody who is not blocked."""

    blocked: frozenset[str] = frozenset()
    allowed: frozenset[str] | None = None

    def refusal(self, player: str) -> str | None:
        """Why a player is not played, None when it is; its case does not matter."""
        if player.lower() in self.blocked:
            return "it is on a list of those who are not played"
        if self.allowed is not None and player.lower() not in self.allowed:
            return "it is on no list of those who are played"
        return None


def read_names(text: str) -> frozenset[str]:
    """The ids that a text names, one a line; `#` begins a remark, and what cannot be a name is passed over."""
    words = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(word.lower() for word in words if NAME.fullmatch(word))
