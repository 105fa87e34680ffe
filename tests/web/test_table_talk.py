"""What the players say to each other: chat, offers, the end, the next game; and lost connections."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from bot.server.app import LocalLichess
from tests.web.puppet import Puppet
from tests.web.table import Table, choose


def begun(page: Page, puppet: Puppet) -> Table:
    """A game in which both have moved."""
    table = Table.start(page, puppet)
    table.type("e4")
    table.answer(puppet, "e7e5")
    return table


def test_chat_goes_both_ways_and_is_never_markup(page: Page, puppet: Puppet) -> None:
    table = Table.start(page, puppet)
    page.locator("#chat-text").fill("Hello <b>you</b>")
    page.locator("#chat-text").press("Enter")
    expect(page.locator("#chat li")).to_contain_text(["Hello <b>you</b>"])
    puppet.command(table.id, "chat", room="player", text="Good luck")
    expect(page.locator("#chat li").last).to_have_text("centellaGood luck")
    page.reload()
    expect(page.locator("#chat li")).to_have_count(2)


def test_a_game_is_aborted_before_both_have_moved(page: Page, puppet: Puppet) -> None:
    Table.start(page, puppet)
    page.locator("[data-action='game.abort']").click()
    expect(page.locator("#result h2")).to_have_text("Game called off")


def test_resigning_asks_first(page: Page, puppet: Puppet) -> None:
    begun(page, puppet)
    page.locator("[data-action='game.resign']").click()
    page.locator("[data-action='game.no']").click()
    expect(page.locator("#result")).to_be_hidden()
    page.locator("[data-action='game.resign']").click()
    page.locator("#actions .danger").click()
    expect(page.locator("#result h2")).to_have_text("You lost")


def test_a_resignation_of_the_opponent_wins(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    puppet.command(table.id, "resign")
    expect(page.locator("#result")).to_contain_text("You won")
    expect(page.locator("#move-box")).to_be_hidden()
    expect(page.locator(".cell.movable")).to_have_count(0)


def test_an_offered_draw_is_shown_and_taken(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    puppet.command(table.id, "draw/yes")
    expect(page.locator("#ask")).to_contain_text("centella offers a draw.")
    page.locator("#ask .primary").click()
    expect(page.locator("#result")).to_contain_text("Draw by agreement.")


def test_a_draw_can_be_offered(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    page.locator("[data-action='game.draw']").click()
    expect(page.locator("[data-action='game.drawOffered']")).to_be_visible()
    puppet.command(table.id, "draw/yes")
    expect(page.locator("#result h2")).to_have_text("Draw")


def test_a_takeback_shortens_the_game(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    page.locator("[data-action='game.takeback']").click()
    expect(page.locator("[data-action='game.takebackOffered']")).to_be_visible()
    puppet.command(table.id, "takeback/yes")
    table.expect_moves()
    table.expect_man("e2", "White pawn")
    table.type("d4")
    table.expect_moves("d4")


def test_stepping_through_the_game(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    page.locator("#step-back").click()
    table.expect_man("e7", "Black pawn")
    expect(page.locator(".past-note")).to_be_visible()
    expect(page.locator(".cell.movable")).to_have_count(0)
    page.locator("main").focus()
    page.keyboard.press("Home")
    table.expect_man("e2", "White pawn")
    page.keyboard.press("ArrowRight")
    table.expect_man("e4", "White pawn")
    table.move(2).click()
    table.expect_man("e5", "Black pawn")
    table.expect_turn()


def test_a_rematch_changes_colours_and_keeps_the_terms(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    puppet.command(table.id, "resign")
    page.locator("#result [data-action=rematch]").click()
    again = Table(page, puppet.accept())
    expect(page.locator("#player-bottom .dot")).to_have_class("dot black")
    expect(page.locator("#game-terms")).to_have_text("5+3 · Blitz · casual")
    expect(page.locator("#result")).to_be_hidden()
    puppet.play(again.id, "d2d4")
    again.drag("d7", "d5")
    again.expect_moves("d4", "d5")


def test_a_refused_challenge_says_why(page: Page, puppet: Puppet) -> None:
    choose(page, "atomic")
    page.locator("#play-button").click()
    puppet.decline("later")
    expect(page.locator("#setup-problem")).to_contain_text("centella declined: This is not the right time for me")
    expect(page.locator("#play-button")).to_be_enabled()


def test_a_challenge_can_be_cancelled(page: Page, puppet: Puppet) -> None:
    choose(page, "atomic")
    page.locator("#play-button").click()
    puppet.next_challenge()
    page.locator("#cancel-button").click()
    expect(page.locator("#play-button")).to_have_text("Play")
    expect(page.locator("#setup-problem")).to_be_hidden()


def test_a_bad_fen_is_refused_with_the_servers_reason(page: Page, complaints: list[str]) -> None:
    choose(page, "spark", fen="8/8/8/8/8/8/8/K7 w - - 0 1")
    page.locator("#play-button").click()
    expect(page.locator("#setup-problem")).to_contain_text("king")
    complaints.clear()


def test_a_lost_connection_is_said_and_mended(
    page: Page, puppet: Puppet, server: LocalLichess, complaints: list[str]
) -> None:
    table = Table.start(page, puppet)
    table.type("e4")
    table.expect_moves("e4")
    server.fault("status=502@/api/board/game/stream/*#2")
    assert server.break_streams("drop", "/api/board/game/stream/*") == 1
    expect(page.locator("#notice")).to_contain_text("Connection lost")
    puppet.play(table.id, "c7c5")
    expect(page.locator("#notice")).to_be_hidden(timeout=20_000)
    table.expect_moves("e4", "c5")
    table.expect_turn()
    complaints.clear()


def test_a_game_goes_on_after_a_reload_and_is_offered_on_the_start_page(page: Page, puppet: Puppet) -> None:
    table = begun(page, puppet)
    page.reload()
    table.expect_moves("e4", "e5")
    table.type("Nf3")
    table.expect_moves("e4", "e5", "Nf3")
    page.locator(".brand").click()
    page.locator(f"#ongoing a[href='/{table.id}']").click()
    table.expect_moves("e4", "e5", "Nf3")


def test_somebody_else_may_watch(page: Page, puppet: Puppet, server: LocalLichess, complaints: list[str]) -> None:
    table = begun(page, puppet)
    assert page.context.browser is not None
    with page.context.browser.new_context() as stranger:
        other = stranger.new_page()
        other.goto(f"{server.url}/{table.id}")
        watched = Table(other, table.id)
        watched.expect_moves("e4", "e5")
        expect(other.locator("#actions")).to_be_hidden()
        expect(other.locator("#move-box")).to_be_hidden()
        table.type("Nf3")
        watched.expect_moves("e4", "e5", "Nf3")


def test_an_unknown_game_is_said_to_be_unknown(page: Page, server: LocalLichess, complaints: list[str]) -> None:
    page.goto(f"{server.url}/AAAAaaaa")
    expect(page.locator("#notice")).to_have_text("This game is not on the server, or it is not yours.")
    complaints.clear()
