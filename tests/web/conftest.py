"""A browser, a server, and two sorts of opponent: a puppet that the test moves, and the real bot.

The browser is Debian's Chromium, or the one that CHROMIUM names.
"""
from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from bot.server.app import LocalLichess
from bot.server.settings import ServerSettings
from tests.web.puppet import Puppet

DESKTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server() -> Iterator[LocalLichess]:
    with LocalLichess(ServerSettings(port=0)) as running:
        yield running


@pytest.fixture(scope="session")
def puppet(server: LocalLichess) -> Iterator[Puppet]:
    with Puppet(server.url, server.mint("centella")) as puppet:
        yield puppet


@pytest.fixture
def complaints() -> list[str]:
    """What the page threw or wrote to the console as an error."""
    return []


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A visitor; `@pytest.mark.parametrize("context", [{...}], indirect=True)` changes the browser's settings."""
    options = {"viewport": DESKTOP, "locale": "en-GB", **getattr(request, "param", {})}
    context = browser.new_context(**options)
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, server: LocalLichess, complaints: list[str]) -> Iterator[Page]:
    """The start page of the server with the puppet; afterwards the page must have nothing to complain of."""
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: _note(message, complaints))
    page.goto(server.url)
    page.locator("#games label").first.wait_for()
    yield page
    assert complaints == []


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type == "error":
        complaints.append(message.text)
