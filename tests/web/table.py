"""What a person does at the page, in the words of the game."""
from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.web.puppet import Puppet


class Table:
    """A page with a game on it."""

    def __init__(self, page: Page, game_id: str) -> None:
        self.page = page
        self.id = game_id

    @classmethod
    def start(
        cls,
        page: Page,
        puppet: Puppet,
        game: str = "standard",
        *,
        color: str = "white",
        time: str = "5+3",
        fen: str = "",
    ) -> Table:
        """Challenge the puppet, which accepts."""
        choose(page, game, color=color, time=time, fen=fen)
        page.locator("#play-button").click()
        table = cls(page, puppet.accept())
        expect(page.locator(".man").first).to_be_visible()
        return table

    def square(self, name: str) -> Locator:
        """The cell of a square."""
        return self.page.locator(f".cell[data-square={name}]")

    def click(self, *squares: str) -> None:
        """Click squares, one after the other."""
        for name in squares:
            self.page.mouse.click(*self.middle(name))

    def drag(self, origin: str, target: str) -> None:
        """Drag a man with the mouse."""
        self.page.mouse.move(*self.middle(origin))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(target), steps=5)
        self.page.mouse.up()

    def type(self, text: str) -> None:
        """Type a move and press Enter."""
        self.page.locator("#move-text").fill(text)
        self.page.locator("#move-text").press("Enter")

    def answer(self, puppet: Puppet, move: str) -> None:
        """Wait for the person's move to arrive, let the puppet answer, and wait for that."""
        expect(self.page.locator("#player-top .turn.wait")).to_be_visible()
        puppet.play(self.id, move)
        self.expect_turn()

    def middle(self, name: str) -> tuple[float, float]:
        """The middle of a square, in the window."""
        box = self.square(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def move(self, ply: int) -> Locator:
        """The move list's entry of a ply, from 1."""
        return self.page.locator(f"#moves button[data-ply='{ply}']")

    def expect_moves(self, *written: str) -> None:
        """Wait until the move list shows just these."""
        expect(self.page.locator("#moves button")).to_have_text(list(written))

    def expect_man(self, square: str, man: str) -> None:
        """Wait until the square's label tells of that man (`White knight`), or that it is `empty`."""
        expect(self.square(square)).to_have_attribute("aria-label", re.compile(rf"^{square}, {man}(,|$)"))

    def expect_turn(self) -> None:
        """Wait until it is the person's turn."""
        expect(self.page.locator(".cell.movable").first).to_be_visible()


def choose(page: Page, game: str, *, color: str = "white", time: str = "5+3", fen: str = "") -> None:
    """Fill in the form."""
    for name, value in (("variant", game), ("color", color), ("time", time)):
        page.locator(f"input[name={name}][value='{value}']").check(force=True)
    if fen:
        page.locator("#fen-details").evaluate("details => { details.open = true; }")
        page.locator("#fen").fill(fen)
