"""The parlour's table on the page: the watched player, the automatic one, and the lag that is given back."""
from __future__ import annotations

import re

import requests
from playwright.sync_api import Page, Request, expect

from bot.server.app import LocalLichess
from bot.server.site import Site
from tests.web.puppet import Puppet
from tests.web.table import Table, choose

LOOK_AWAY = "() => window.dispatchEvent(new Event('blur'))"


def begun(page: Page, puppet: Puppet, *, watch: bool) -> Table:
    """A watched game, or one that is not, in which both have moved."""
    choose(page, "parlour")
    page.locator("#watch").set_checked(watch)
    page.locator("#play-button").click()
    table = Table(page, puppet.accept())
    expect(page.locator(".man").first).to_be_visible()
    table.type("e4")
    table.answer(puppet, "e7e5")
    return table


def test_only_the_parlour_watches(page: Page) -> None:
    choose(page, "standard")
    expect(page.locator("#watch-option")).to_be_hidden()
    choose(page, "parlour")
    expect(page.locator("#watch-option")).to_be_visible()


def test_who_looks_away_from_a_watched_game_is_reported(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet, watch=True)
    with page.expect_request(f"**/web/game/{table.id}/look-away") as sent:
        page.evaluate(LOOK_AWAY)
    assert sent.value.response() is not None
    puppet.command(table.id, "annul")
    expect(page.locator("#result")).to_contain_text("The game was annulled.")


def test_a_game_that_is_not_watched_lets_one_look_away(page: Page, puppet: Puppet) -> None:
    begun(page, puppet, watch=False)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    page.evaluate(LOOK_AWAY)
    page.locator("[data-action='game.draw']").click()
    expect(page.locator("[data-action='game.drawOffered']")).to_be_visible()
    assert not any("look-away" in request.url for request in sent)


def test_the_other_one_may_annul(page: Page, puppet: Puppet, server: LocalLichess) -> None:
    table = begun(page, puppet, watch=True)

    def opponent_looks_away(site: Site) -> None:
        game = site.tables[table.id]
        with site.command(game):
            game.looked_away.add(game.game.turn.other)
            game.tell_state(site.now_ms())

    server.call(opponent_looks_away)
    expect(page.locator("#ask")).to_contain_text("centella has looked away from the game.")
    page.locator("[data-action='game.annul']").click()
    expect(page.locator("#result")).to_contain_text("The game was annulled.")


def test_who_lets_the_turn_pass_is_shown_as_automatic_until_it_acts(
    page: Page, puppet: Puppet, server: LocalLichess
) -> None:
    table = Table.start(page, puppet, "parlour", time="turn")

    def let_the_turn_pass(site: Site) -> None:
        game = site.tables[table.id]
        with site.command(game):
            game.tick(site.now_ms() + 30_000)

    server.call(let_the_turn_pass)
    expect(page.locator("#player-bottom .automatic")).to_have_text("automatic")
    expect(page.locator("#player-top .automatic")).to_be_hidden()
    page.locator("#chat-text").fill("I am here")
    page.locator("#chat-text").press("Enter")
    expect(page.locator("#player-bottom .automatic")).to_be_hidden()


def test_a_move_tells_how_long_answers_take(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet, "parlour")
    with page.expect_request(re.compile(r"/move/e2e4")) as sent:
        table.type("e4")
    assert re.search(r"\?lag=\d+$", sent.value.url)


def test_a_table_where_the_ladders_are_at_stake_shows_crossed_swords(
    page: Page, server: LocalLichess, complaints: list[str]
) -> None:
    headers = [{"Authorization": f"Bearer {server.mint(name)}"} for name in ("fusebox", "pocketful")]
    terms = {"variant": "parlour", "rated": True, "clock.limit": 300, "clock.increment": 0}
    url = f"{server.url}/api/challenge"
    challenge = requests.post(f"{url}/pocketful", json=terms, headers=headers[0], timeout=5).json()
    assert requests.post(f"{url}/{challenge['id']}/accept", headers=headers[1], timeout=5).ok
    page.goto(f"{server.url}/{challenge['id']}")
    expect(page.locator("#game-terms")).to_have_text("5+0 · Blitz · ⚔ rated")
    # The browser reports the stream that is not for watchers.
    complaints.clear()
