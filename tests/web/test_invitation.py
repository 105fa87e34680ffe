"""Open challenges: the link that two people, or a person and a bot, follow to meet."""
from __future__ import annotations

from typing import Any

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, expect

from bot.server.app import LocalLichess
from tests.web.puppet import Puppet
from tests.web.table import Table


@pytest.fixture
def challenge(server: LocalLichess) -> dict[str, Any]:
    form = {"clock.limit": "300", "clock.increment": "3", "variant": "atomic", "name": "Fireworks"}
    answer: dict[str, Any] = requests.post(f"{server.url}/api/challenge/open", data=form, timeout=5).json()
    return answer


def test_the_link_invites_and_the_second_player_begins_the_game(
    page: Page, puppet: Puppet, challenge: dict[str, Any]
) -> None:
    page.goto(challenge["urlBlack"])
    expect(page.locator("#invitation-title")).to_have_text("Fireworks")
    expect(page.locator("#invitation-terms")).to_have_text("Atomic · 5+3 · casual")
    page.locator("#join-button").click()
    expect(page.locator("#join-button")).to_have_text("Waiting for a second player…")
    puppet.post(f"challenge/{challenge['id']}/accept")
    table = Table(page, challenge["id"])
    expect(page.locator("#player-bottom .dot")).to_have_class("dot black")
    puppet.play(table.id, "e2e4")
    table.expect_moves("e4")
    expect(page.locator("#invitation")).to_be_hidden()


def test_who_waits_is_still_waiting_after_a_reload(page: Page, puppet: Puppet, challenge: dict[str, Any]) -> None:
    page.goto(challenge["url"])
    with page.expect_response("**/accept*"):
        page.locator("#join-button").click()
    expect(page.locator("#join-button")).to_be_disabled()
    page.reload()
    expect(page.locator("#join-button")).to_have_text("Waiting for a second player…")
    puppet.post(f"challenge/{challenge['id']}/accept")
    expect(page.locator("#player-bottom .dot")).to_be_visible()


def test_a_color_that_is_taken_is_said_to_be(
    page: Page, puppet: Puppet, challenge: dict[str, Any], complaints: list[str]
) -> None:
    puppet.post(f"challenge/{challenge['id']}/accept?color=white")
    page.goto(challenge["urlWhite"])
    page.locator("#join-button").click()
    expect(page.locator("#invitation-problem")).to_have_text("This color has already been chosen")
    expect(page.locator("#join-button")).to_be_enabled()
    complaints.clear()


def test_two_people_meet_by_the_link(
    page: Page, context: BrowserContext, challenge: dict[str, Any], server: LocalLichess
) -> None:
    page.goto(challenge["urlWhite"])
    page.locator("#join-button").click()
    expect(page.locator("#join-button")).to_be_disabled()
    assert context.browser is not None
    other = context.browser.new_context(locale="en-GB")
    try:
        friend = other.new_page()
        friend.goto(challenge["url"])
        friend.locator("#join-button").click()
        expect(friend.locator("#player-bottom .dot")).to_have_class("dot black")
        expect(page.locator("#player-bottom .dot")).to_have_class("dot white")
    finally:
        other.close()
