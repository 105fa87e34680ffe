"""The page itself: languages, sizes, labels, safety."""
from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bot.server.app import LocalLichess
from rules import variants
from rules.outcome import Reason
from tests.web.puppet import Puppet
from tests.web.table import Table

_CATALOGUES = """async () => {
  const [en, es] = await Promise.all(["en", "es"].map((code) => import(`/web/page/lang/${code}.js`)));
  return [en.default, es.default];
}"""
_USED_KEYS = """() => ["text", "label", "hint"].flatMap((sort) =>
  [...document.querySelectorAll(`[data-${sort}]`)].map((element) => element.dataset[sort]))"""


def _catalogues(page: Page) -> tuple[dict[str, Any], dict[str, Any]]:
    english, spanish = page.evaluate(_CATALOGUES)
    return english, spanish


def test_both_languages_say_the_same_things(page: Page) -> None:
    english, spanish = _catalogues(page)
    assert english.keys() == spanish.keys()
    assert set(page.evaluate(_USED_KEYS)) <= english.keys()


def test_every_reason_has_words(page: Page) -> None:
    english, _ = _catalogues(page)
    assert {f"reason.{reason}" for reason in Reason} <= english.keys()


def test_every_game_is_offered_and_explained(page: Page) -> None:
    offered = page.locator("input[name=variant]").evaluate_all("inputs => inputs.map((input) => input.value)")
    assert offered == [variant.key for variant in variants.ALL]
    page.locator("#rules-button").click()
    expect(page.locator("#rules-text h3")).to_have_count(len(variants.ALL))
    page.keyboard.press("Escape")
    expect(page.locator("#rules")).to_be_hidden()


@pytest.mark.parametrize("context", [{"locale": "es-MX"}], indirect=True)
def test_the_browsers_language_is_spoken_until_the_switch_is_used(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Juega contra Centella")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.locator("[data-language=en]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Play Centella")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Play Centella")


def test_the_language_can_be_changed_during_a_game(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    table.type("Nf3")
    page.locator("[data-language=es]").click()
    table.expect_moves("♞f3")
    table.expect_man("f3", "caballo de las blancas")
    expect(page.locator("#game-terms")).to_have_text("5+3 · Blitz · amistosa")


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
def test_nothing_sticks_out_sideways(page: Page, puppet: Puppet, width: int, locale: str) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.locator(f"[data-language={locale[:2]}]").click()
    assert _overhang(page) == 0
    table = Table.start(page, puppet, "spark")
    table.type("e3")
    table.expect_moves("e3")
    assert _overhang(page) == 0
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(box["height"], abs=1)
    assert box["width"] >= min(width - 20, 320)


def _overhang(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_the_board_is_a_labelled_grid_with_one_tab_stop(page: Page, puppet: Puppet) -> None:
    Table.start(page, puppet)
    expect(page.get_by_role("grid", name="Board").get_by_role("gridcell")).to_have_count(64)
    expect(page.locator(".cell[tabindex='0']")).to_have_count(1)
    expect(page.get_by_role("gridcell", name="e1, White king", exact=True)).to_be_visible()
    unnamed = page.locator("button:visible").evaluate_all(
        "buttons => buttons.filter((b) => !(b.ariaLabel || b.textContent.trim())).map((b) => b.outerHTML)"
    )
    assert unnamed == []


def test_flipping_keeps_the_men_where_they_are(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    page.locator("#flip-button").click()
    assert table.middle("a8")[1] > table.middle("a1")[1]
    table.drag("e2", "e4")
    table.expect_moves("e4")


def test_no_script_but_the_pages_own_runs(page: Page, server: LocalLichess, complaints: list[str]) -> None:
    answer = page.request.get(server.url)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    refused = page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.inlineRan = true";
      document.head.append(script);
      return window.inlineRan === undefined;
    }""")
    assert refused
    assert [text for text in complaints if "Content Security Policy" in text] == complaints
    complaints.clear()


def test_the_guests_secret_is_out_of_reach_of_scripts(page: Page, server: LocalLichess) -> None:
    (cookie,) = page.context.cookies(server.url)
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert page.evaluate("() => document.cookie") == ""


@pytest.mark.parametrize("context", [{"reduced_motion": "reduce"}], indirect=True)
def test_men_do_not_glide_for_those_who_want_no_motion(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    durations = page.locator(".man").evaluate_all("men => men.map((man) => getComputedStyle(man).transitionDuration)")
    assert {float(each.split(",")[0].removesuffix("s")) for each in durations} == {0.00001}
    table.type("e4")
    table.expect_man("e4", "White pawn")
