"""What the single games show: Spark Moves, explosions, turn time."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.puppet import Puppet
from tests.web.table import Table, choose


def test_spark_moves_are_marked_by_kind_and_played(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "spark")
    table.click("b1", "c3")
    table.answer(puppet, "b8c6")
    table.click("h2")
    expect(page.locator(".cell.move")).to_have_count(1)
    expect(table.square("b1")).to_have_class(re.compile(r"\bshift\b"))
    expect(table.square("c1")).to_have_class(re.compile(r"\bswap\b"))
    expect(table.square("c1")).to_have_attribute("aria-label", "c1, White bishop, Swap possible")
    table.click("c1")
    table.expect_man("c1", "White pawn")
    table.expect_man("h2", "White bishop")
    table.answer(puppet, "g8f6")
    table.drag("g2", "b1")
    table.expect_man("b1", "White pawn")
    table.expect_moves("Nc3", "Nc6", "h2>Bc1", "Nf6", "g2>b1")
    expect(page.locator("#announcer")).to_contain_text("h2 changes places with bishop c1")


def test_the_captured_king_ends_spark(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "spark", fen="4k3/8/8/8/8/8/8/K3R2r w - - 0 1")
    table.click("e1", "e8")
    expect(page.locator("#result h2")).to_have_text("You won")
    expect(page.locator("#result")).to_contain_text("The king was captured.")
    table.expect_moves("Rxe8#")


def test_an_explosion_flashes_and_is_told(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "atomic")
    for own, answer in (("b1c3", "b8c6"), ("c3d5", "a7a6")):
        table.type(own)
        table.answer(puppet, answer)
    flashed = page.evaluate_handle(_WATCH_FLASHES)
    table.click("d5", "c7")
    expect(page.locator(".cell.blast")).to_have_count(4)
    for square in ("c6", "c7", "c8", "d8"):
        table.expect_man(square, "empty")
    table.expect_man("b7", "Black pawn")
    assert flashed.evaluate("seen => [seen.wave, seen.flash]") == [1, 4]
    expect(page.locator("#announcer")).to_contain_text("Explosion on c6, c7, c8, d8")


_WATCH_FLASHES = """() => {
  const seen = {wave: 0, flash: 0};
  new MutationObserver((records) => {
    for (const record of records) for (const node of record.addedNodes) seen[node.className] += 1;
  }).observe(document.querySelector(".effects"), {childList: true});
  return seen;
}"""


def test_the_exploded_king_ends_atomic(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "atomic")
    for own, answer in (("g1f3", "a7a6"), ("f3g5", "a6a5")):
        table.type(own)
        table.answer(puppet, answer)
    table.type("Nxf7")
    expect(page.locator("#result")).to_contain_text("The king was blown up.")
    expect(page.locator("#result h2")).to_have_text("You won")


def test_turn_time_is_offered_where_it_exists(page: Page, puppet: Puppet) -> None:
    choose(page, "standard")
    expect(page.locator("input[name=time][value=turn]")).to_be_hidden()
    page.locator("input[name=variant][value=parlour]").check(force=True)
    page.locator("input[name=time][value=turn]").check(force=True)
    page.locator("#turn").select_option("60")
    page.locator("#play-button").click()
    table = Table(page, puppet.accept())
    expect(page.locator("#game-terms")).to_have_text("60 s a move · casual")
    table.type("e4")
    expect(page.locator("#player-top .clock")).to_have_text(re.compile(r"^(1:00|0:5\d)"))
    expect(page.locator("#player-bottom .clock")).to_have_text("1:00")


def test_chess960_castles_onto_the_rook(page: Page, puppet: Puppet) -> None:
    start = "rbbqnkrn/pppppppp/8/8/8/8/PPPPPPPP/RBBQNKRN w KQkq - 0 1"
    table = Table.start(page, puppet, "chess960", fen=start)
    table.click("f1")
    expect(page.locator(".cell.target")).to_have_count(1)
    table.click("g1")
    table.expect_moves("O-O")
    table.expect_man("g1", "White king")
    table.expect_man("f1", "White rook")


@pytest.mark.parametrize("way", ["click", "drag", "key"])
def test_a_captured_man_is_dropped_from_the_pocket(page: Page, puppet: Puppet, way: str) -> None:
    table = Table.start(page, puppet, "crazyhouse")
    table.type("e4")
    table.answer(puppet, "d7d5")
    table.type("exd5")
    table.answer(puppet, "a7a6")
    pawn = page.locator("#pocket-bottom [data-from='@p']")
    expect(pawn).to_have_attribute("aria-label", "White pawn: 1")
    if way == "click":
        pawn.click()
        table.click("e4")
    elif way == "drag":
        pawn.hover()
        page.mouse.down()
        page.mouse.move(*table.middle("e4"), steps=5)
        page.mouse.up()
    else:
        pawn.press("Enter")
        for key in ("ArrowUp", "ArrowUp", "Enter"):
            page.keyboard.press(key)
    table.expect_man("e4", "White pawn")
    table.expect_moves("e4", "d5", "exd5", "a6", "@e4")
    expect(pawn).to_have_attribute("aria-label", "White pawn: 0")


def test_given_checks_are_counted(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "threeCheck")
    table.type("e4")
    table.answer(puppet, "f7f6")
    table.type("Qh5")
    expect(page.locator("#player-bottom .checks")).to_have_text("+1")


@pytest.mark.parametrize("time, text", [("unlimited", "No clock · casual"), ("15+10", "15+10 · Rapid · casual")])
def test_the_terms_are_shown(page: Page, puppet: Puppet, time: str, text: str) -> None:
    Table.start(page, puppet, time=time)
    expect(page.locator("#game-terms")).to_have_text(text)
    expect(page.locator(".clock")).to_have_count(0 if time == "unlimited" else 2)
