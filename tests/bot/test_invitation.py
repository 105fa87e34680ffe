"""What an operator may write of a game to be asked for."""

from __future__ import annotations

import pytest

from bot.operation.invitation import read
from bot.time_controls import Countdown, PerDays, Unlimited


def test_what_is_left_out_is_as_usual() -> None:
    invitation = read("Rival", [])
    proposal = invitation.proposal
    assert (proposal.opponent, proposal.variant, proposal.rated, proposal.color) == (
        "rival", "standard", False, "random",
    )  # fmt: skip
    assert proposal.control == Countdown(300, 3)
    assert invitation.account is None


def test_the_words_may_come_in_any_order() -> None:
    invitation = read("rival", ["Rated", "white", "from", "ada", "KINGOFTHEHILL", "3+2"])
    proposal = invitation.proposal
    assert (proposal.variant, proposal.rated, proposal.color) == ("kingOfTheHill", True, "white")
    assert (proposal.control, invitation.account) == (Countdown(180, 2), "ada")
    assert read("rival", ["3d"]).proposal.control == PerDays(3)
    assert read("rival", ["unlimited"]).proposal.control == Unlimited()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["atomc"], "'atomc' says nothing of a game; did you mean 'atomic'?"),
        (["3-2"], "is no time control"),
        (["7+77"], "no challenge can be made"),
        (["fromPosition"], "needs a position"),
        (["from"], "'from' says nothing"),
    ],
)
def test_what_cannot_be_is_told(words: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("+", r"\+").replace("?", r"\?")):
        read("rival", words)
