"""What an operator may write of a game to be asked for, such as `rival 3+2 atomic rated white from ada`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot import time_controls
from bot.config import suggestion
from bot.matchmaking import Proposal
from rules import variants

USUAL_CONTROL: Final = "5+3"
COLORS: Final = ("white", "black", "random")
MODES: Final = ("casual", "rated")
FROM: Final = "from"


@dataclass(frozen=True)
class Invitation:
    """A game, and the account that asks for it, None for the only one."""

    proposal: Proposal
    account: str | None


def read(opponent: str, words: Sequence[str]) -> Invitation:
    """What the words say, in any order; what they leave out is as usual. Raises ValueError."""
    games = {game.key.lower(): game for game in variants.ALL}
    control, variant, mode, color, account = USUAL_CONTROL, variants.ALL[0], MODES[0], COLORS[-1], None
    rest = list(words)
    while rest:
        word = rest.pop(0)
        lowered = word.lower()
        if lowered == FROM and rest:
            account = rest.pop(0)
        elif lowered in games:
            variant = games[lowered]
        elif lowered in MODES:
            mode = lowered
        elif lowered in COLORS:
            color = lowered
        elif any(letter.isdigit() for letter in word) or lowered == str(time_controls.Unlimited()):
            control = word
        else:
            known = [*(game.key for game in variants.ALL), *MODES, *COLORS, FROM]
            raise ValueError(f"{word!r} says nothing of a game{suggestion(word, known)}")
    found = time_controls.read(control)
    if not time_controls.can_be_asked_for(found):
        raise ValueError(f"no challenge can be made with the time control {control!r}")
    if variant.needs_fen:
        raise ValueError(f"{variant.key} needs a position: it cannot be asked for here")
    return Invitation(Proposal(opponent.lower(), variant.key, found, mode == MODES[1], color), account)
