"""Ways to move a man: clicks, mouse, touch, keyboard, text."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.web.puppet import Puppet
from tests.web.table import Table

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
BLANK = "8/8/8/8/8/8/8/8"


def test_two_clicks_move_a_man_and_the_answer_is_shown(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    table.click("e2")
    expect(page.locator(".cell.move")).to_have_count(2)
    table.click("e4")
    table.expect_moves("e4")
    puppet.play(table.id, "e7e5")
    table.expect_moves("e4", "e5")
    table.expect_man("e5", "Black pawn")
    expect(page.locator(".cell.last")).to_have_count(2)


def test_a_man_is_dragged_and_an_illegal_drop_goes_back(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    table.drag("g1", "g4")
    table.expect_man("g1", "White knight")
    expect(page.locator(".cell.picked")).to_have_count(0)
    table.drag("g1", "f3")
    table.expect_moves("Nf3")
    table.expect_man("f3", "White knight")


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_finger_drags_a_man(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    finger = page.context.new_cdp_session(page)
    _touch(finger, "touchStart", table.middle("e2"))
    for rank in ("3", "4"):
        _touch(finger, "touchMove", table.middle(f"e{rank}"))
    _touch(finger, "touchEnd", None)
    table.expect_moves("e4")
    table.answer(puppet, "d7d5")
    page.touchscreen.tap(*table.middle("e4"))
    page.touchscreen.tap(*table.middle("d5"))
    table.expect_moves("e4", "d5", "exd5")


def _touch(finger: CDPSession, kind: str, place: tuple[float, float] | None) -> None:
    points = [] if place is None else [{"x": place[0], "y": place[1]}]
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_arrows_and_enter_move_a_man(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    table.square("e2").focus()
    for key in ("ArrowLeft", "Enter", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    expect(table.square("d4")).to_be_focused()
    expect(table.square("d4")).to_have_attribute("aria-label", "d4, empty, can move here")
    page.keyboard.press("Enter")
    table.expect_moves("d4")
    expect(page.locator("#announcer")).to_contain_text("White: d4")
    puppet.play(table.id, "d7d5")
    expect(page.locator("#announcer")).to_contain_text("Black: d5")


def test_escape_puts_a_man_back(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    table.square("e2").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".cell.picked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".cell.picked")).to_have_count(0)


def test_black_sees_the_board_from_the_other_side(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, color="black")
    table.answer(puppet, "e2e4")
    assert table.middle("a8")[1] > table.middle("a1")[1]
    table.square("e2").focus()
    page.keyboard.press("ArrowUp")
    expect(table.square("e1")).to_be_focused()
    table.drag("e7", "e5")
    table.expect_moves("e4", "e5")


@pytest.mark.parametrize("text", ["Nf3", "g1f3", "nf3", "Nf3!"])
def test_moves_can_be_typed(page: Page, puppet: Puppet, text: str) -> None:
    table = Table.start(page, puppet)
    table.type(text)
    table.expect_moves("Nf3")


@pytest.mark.parametrize("context", [{"locale": "es-ES"}], indirect=True)
@pytest.mark.parametrize("text", ["Cf3", "Nf3", "g1f3"])
def test_spanish_letters_are_understood(page: Page, puppet: Puppet, text: str) -> None:
    table = Table.start(page, puppet)
    table.type(text)
    table.expect_moves("♞f3")
    page.locator("#figurines-button").click()
    table.expect_moves("Cf3")
    expect(page.locator("#announcer")).to_contain_text("Blancas: caballo f3")


def test_what_is_no_move_is_said_and_played_is_nothing(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    table.type("Nd4")
    expect(page.locator("#move-problem")).to_have_text("“Nd4” is not a legal move here.")
    table.type("e4")
    table.expect_moves("e4")
    expect(page.locator("#move-problem")).to_be_hidden()
    table.type("d4")
    expect(page.locator("#move-problem")).to_have_text("It is not your turn.")


def test_an_ambiguous_text_is_not_guessed(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "fromPosition", fen="4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    table.type("Nd2")
    expect(page.locator("#move-problem")).to_have_text("“Nd2” could be several moves: Nbd2, Nfd2.")
    table.type("Nbd2")
    table.expect_moves("Nbd2")


@pytest.mark.parametrize("promotion, man", [("q", "queen"), ("n", "knight")])
def test_a_pawn_asks_what_it_becomes(page: Page, puppet: Puppet, promotion: str, man: str) -> None:
    table = Table.start(page, puppet, "fromPosition", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    table.drag("a7", "a8")
    page.locator(f".chooser [data-promotion={promotion}]").click()
    table.expect_man("a8", f"White {man}")
    expect(table.move(1)).to_have_text(re.compile(f"^a8={promotion.upper()}"))


def test_promotion_can_be_thought_better_of(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "fromPosition", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    table.click("a7", "a8")
    page.keyboard.press("Escape")
    table.expect_man("a7", "White pawn")
    expect(page.locator(".chooser")).to_have_count(0)
    table.click("a7", "a8")
    page.keyboard.press("Enter")
    table.expect_man("a8", "White queen")


@pytest.mark.parametrize("target", ["g1", "h1"])
def test_castling_by_two_squares_or_onto_the_rook(page: Page, puppet: Puppet, target: str) -> None:
    table = Table.start(page, puppet, "fromPosition", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    table.drag("e1", target)
    table.expect_moves("O-O")
    table.expect_man("g1", "White king")
    table.expect_man("f1", "White rook")


def test_check_is_marked(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "fromPosition", fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    table.type("Ra8")
    table.expect_moves("Ra8+")
    expect(table.square("e8")).to_have_attribute("aria-label", "e8, Black king, in check")
    expect(page.locator("#announcer")).to_contain_text("White: rook a8, check")
