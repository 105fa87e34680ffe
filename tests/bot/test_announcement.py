"""What is accepted, in plain words."""

from __future__ import annotations

from bot.announcement import lines
from bot.configfile import parse


def told(text: str) -> str:
    return "\n".join(lines(parse(text, "config.yml")))


def test_the_usual_is_told_by_the_names_of_the_games() -> None:
    text = told("")
    assert "at most 4 games with a clock at once, and 10 games without" in text
    assert "casual games with people: Standard, Chess960, From Position" in text
    assert "rated games with people: Standard\n" in text
    assert "with people only 10 games a day, rated, with the same player" in text


def test_what_is_not_accepted_is_told() -> None:
    assert "no games with bots" in told("accept: {bots: {allow: false}}")
    assert "at most 64 games with bots in a day" in told("citizenship: {bot_games_a_day: 64}")
    assert "rated games with people: none" in told("accept: {humans: {rated: []}}")


def test_every_condition_is_told() -> None:
    text = told(
        """
accept:
  reserved_for_humans: 1
  humans:
    speeds: [blitz, rapid]
    time_controls: [3+2]
    base_s: {least: 60, most: 600}
    increment_s: {most: 10}
    days: {least: 2}
    unlimited: false
    bullet_needs_increment: true
    rating: {least: 1000}
    rating_difference: {most: 300}
    provisional: false
    games_at_once: 1
    games_a_day: 20
"""
    )
    (line,) = (line for line in text.splitlines() if line.startswith("with people only"))
    for words in (
        "at blitz, rapid", "at the time controls 3+2", "a base from 60 to 600 s", "an increment to 10 s",
        "days for a move from 2 days", "with some limit of time", "bullet with an increment", "a rating from 1000",
        "a difference of ratings to 300", "with a settled rating", "1 game at once with the same player",
        "20 games a day with the same player",
    ):  # fmt: skip
        assert words in line
    assert "1 game of them only with people" in text


def test_the_strength_is_told_with_what_changes_it() -> None:
    assert "strength: as the clock allows" in told("{}")
    text = told(
        "strength: {limits: {depth: 9}, variants: {atomic: {limits: {nodes: 50}}}, levels: {easy: {depth: 1}}}\n"
        "sources: [{kind: cloud}]\n"
    )
    assert "strength: depth 9" in text
    assert "strength in Atomic: depth 9, nodes 50" in text
    assert "moves before the search from: cloud" in text
    assert "in casual games the opponent may choose between easy" in text
