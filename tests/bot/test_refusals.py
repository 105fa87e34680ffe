"""The bodies of refusals, from the recorded replies and from proxies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.refusals import read_error

REPLIES = Path(__file__).parents[1] / "conformance" / "events" / "http_replies.ndjson"


def test_error_bodies_become_one_line_of_text() -> None:
    for row in REPLIES.read_text(encoding="utf-8").splitlines():
        reply = json.loads(row)
        if reply["status"] >= 400:
            read = read_error(json.dumps(reply["body"]))
            assert read.text, row
            assert "\n" not in read.text
            assert (read.ratelimit is not None) == ("ratelimit" in reply["body"])


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("", ""),
        ("<html><h1>Bad gateway</h1></html>", ""),
        ("plain words", "plain words"),
        ('{"error":{"clock.limit":["Invalid value"]}}', "clock.limit: Invalid value"),
        ('{"error":"x","ratelimit":{"seconds":"soon"}}', "x"),
        ("[1,2]", "1, 2"),
    ],
)
def test_odd_error_bodies_are_no_trouble(body: str, text: str) -> None:
    assert read_error(body).text == text
