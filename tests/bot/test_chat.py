"""What is said: commands answered where they were asked, nothing given away, lines of the right length."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import Reply, Scene, fit, greeting, reply
from bot.config import Chat
from bot.speaker import Speaker
from bot.transport import Limited, Refused, Unreachable
from bot.wire import ChatLine

SCENE = Scene(
    account_id="centella", me="Centella", opponent="rival", opponent_is_machine=False, we_are_white=False,
    variant="Spark Chess", speed="blitz", version="1.2.3", played=("Standard", "Spark Chess"), playing=2, places=4,
    waiting=1, takebacks_left=2, score_cp=35,
)  # fmt: skip


def said(text: str, scene: Scene = SCENE, *, by: str = "rival", room: str = "player", **settings: bool) -> Reply | None:
    return reply(ChatLine(room=room, username=by, text=text), scene, Chat(**settings))  # type: ignore[arg-type]


def text_of(answer: Reply | None) -> str:
    assert answer is not None
    return answer.text


def test_each_command_has_its_answer() -> None:
    assert text_of(said("!help")) == "Commands: !help !name !variants !queue !eval !takeback"
    assert text_of(said("!name")).startswith("Centella runs Centella 1.2.3")
    assert text_of(said("!variants")) == "I play Standard, Spark Chess"
    assert text_of(said("!queue")) == "2 of 4 games are running, 1 challenge waits."
    assert text_of(said("!takeback")) == "2 more takebacks are granted in this game."
    assert text_of(said("  !HELP please ")) == text_of(said("!help"))


@pytest.mark.parametrize("text", ["", " ", "!", "! ", "hello", "help", "!dance", "¡help", "\u2028!\u2028", "😀"])
def test_trap_55_whatever_is_no_command_of_ours_is_passed_over(text: str) -> None:
    assert said(text) is None


@given(st.text(max_size=300))
def test_no_text_at_all_is_too_odd(text: str) -> None:
    answer = said(text)
    assert answer is None or answer.text


@pytest.mark.parametrize("by", ["centella", "Centella", "lichess"])
def test_trap_54_our_own_echo_and_the_systems_lines_are_passed_over(by: str) -> None:
    assert said("!help", by=by) is None


def test_bots_are_not_talked_to_unless_that_is_wished() -> None:
    machine = replace(SCENE, opponent_is_machine=True)
    assert said("!help", machine) is None
    assert said("!help", machine, bots=True) is not None
    assert said("!help", machine, by="onlooker", room="spectator") is not None


def test_commands_can_be_switched_off() -> None:
    assert said("!help", commands=False) is None


def test_behaviour_17_the_opponent_gets_no_evaluation_and_spectators_only_if_wished() -> None:
    withheld = "No evaluation while the game is on."
    for settings in ({}, {"evaluation_for_spectators": True}):
        assert text_of(said("!eval", **settings)) == withheld
        assert text_of(said("!eval", room="spectator", **settings)) == withheld, "the opponent may look there, too"
    assert text_of(said("!eval", by="onlooker", room="spectator")) == withheld
    shown = said("!eval", by="onlooker", room="spectator", evaluation_for_spectators=True)
    assert text_of(shown) == "-0.35 for White."
    unknown = replace(SCENE, score_cp=None)
    assert "no evaluation yet" in text_of(
        said("!eval", unknown, by="onlooker", room="spectator", evaluation_for_spectators=True)
    )


def test_levels_are_chosen_by_the_opponent_where_there_are_any() -> None:
    assert said("!level easy") is None
    scene = replace(SCENE, levels=("easy", "Club"))
    assert said("!level club", scene) == Reply("Level Club from the next move on.", "Club")
    assert said("!level master", scene) == said("!level", scene) == Reply("Levels: easy, Club")
    assert said("!level easy", scene, by="onlooker", room="spectator") is None
    assert text_of(said("!help", scene)).endswith("!level")


def test_greetings_are_filled_in() -> None:
    text = "Hi {opponent}, {me} plays {variant} at {speed}: {{sic}}"
    assert greeting(text, SCENE) == "Hi rival, Centella plays Spark Chess at blitz: {sic}"


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_trap_53_a_line_is_cut_at_a_word_by_the_stricter_count() -> None:
    assert fit("short  and\nsweet") == "short and sweet"
    long = fit("word " * 60)
    assert units(long) <= 140 and long.endswith("word…")
    assert fit("😀" * 70) == "😀" * 70
    assert units(fit("😀" * 71)) <= 140 and fit("😀" * 71).startswith("😀" * 69)


@given(st.text(max_size=400))
def test_every_line_fits(text: str) -> None:
    line = fit(text)
    assert units(line) <= 140
    assert "\n" not in line


class Room:
    """Keeps what is sent, and when; may refuse."""

    def __init__(self, error: Exception | None = None) -> None:
        self.lines: list[tuple[str, str, str]] = []
        self.times: list[float] = []
        self._error = error
        self._changed = threading.Condition()

    def send(self, game_id: str, room: str, text: str) -> None:
        with self._changed:
            self.lines.append((game_id, room, text))
            self.times.append(time.monotonic())
            self._changed.notify_all()
        if self._error is not None:
            raise self._error

    def wait_for(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.lines) >= count, 10)


def test_lines_are_said_in_order_and_not_faster_than_is_polite() -> None:
    room = Room()
    speaker = Speaker(room.send, pause_s=0.1)
    for number in range(3):
        speaker.say("abcdefgh", "player", f"line {number}")
    room.wait_for(3)
    assert all(later - earlier >= 0.09 for earlier, later in pairwise(room.times))
    assert [text for _, _, text in room.lines] == ["line 0", "line 1", "line 2"]


def test_a_flood_of_commands_is_not_answered_by_a_flood() -> None:
    room = Room()
    speaker = Speaker(room.send, pause_s=0.05)
    for number in range(40):
        speaker.say("abcdefgh", "player", f"line {number}")
    speaker.say("other678", "player", "hello")
    room.wait_for(4)
    threading.Event().wait(0.2)
    assert len([line for line in room.lines if line[0] == "abcdefgh"]) <= 4
    assert ("other678", "player", "hello") in room.lines, "one game's flood does not silence another"


@pytest.mark.parametrize("error", [Refused(400, "too long"), Limited("slow", 1), Unreachable("gone")])
def test_a_line_that_is_not_taken_is_given_up_and_the_next_one_said(error: Exception) -> None:
    room = Room(error)
    speaker = Speaker(room.send, pause_s=0.01)
    speaker.say("abcdefgh", "player", "one")
    speaker.say("abcdefgh", "player", "two")
    room.wait_for(2)


def test_after_the_stop_nothing_is_said() -> None:
    room = Room()
    speaker = Speaker(room.send, pause_s=0.01)
    speaker.stop()
    speaker.say("abcdefgh", "player", "one")
    threading.Event().wait(0.05)
    assert room.lines == []
