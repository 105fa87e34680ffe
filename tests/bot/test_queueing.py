"""Who is first when several challenges wait for a place."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot import wire
from bot.config import Queue
from bot.queueing import Waiting, in_order
from tests.bot.test_admission import challenge

PEOPLE: dict[str, dict[str, Any]] = {
    "early": {"rating": 1500},
    "strong": {"rating": 2400},
    "master": {"rating": 2300, "title": "FM"},
    "engine": {"rating": 2900, "title": "BOT"},
    "unknown": {},
}


def waiting() -> list[Waiting]:
    found = []
    for since, (name, facts) in enumerate(PEOPLE.items()):
        sent = challenge(id=name, challenger={"id": name, "name": name, **facts})
        found.append(Waiting(sent, wire.Compat(), float(since), since + 5.0))
    random.Random(1).shuffle(found)
    return found


@pytest.mark.parametrize(
    ("order", "prefer", "expected"),
    [
        ("first", (), "early strong master engine unknown"),
        ("best", (), "engine strong master early unknown"),
        ("first", ("humans",), "early strong master unknown engine"),
        ("first", ("bots",), "engine early strong master unknown"),
        ("best", ("titled", "humans"), "master strong early unknown engine"),
        ("first", ("titled",), "master early strong engine unknown"),
    ],
)
def test_the_order_of_the_queue(order: Any, prefer: Any, expected: str) -> None:
    found = in_order(waiting(), Queue(order=order, prefer=prefer))
    assert " ".join(each.challenge.id for each in found) == expected
