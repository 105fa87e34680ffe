"""The lists of players, read from files and pages again and again; what cannot be read stays as it was."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import requests

from bot import __version__
from bot.backoff import Clock
from bot.config import Names, Network, PlayerLists
from bot.lists import Lists, read_names
from bot.office import Office
from bot.records.pages import Page, Pages

logger = logging.getLogger(__name__)

NOT_MODIFIED: Final = 304
LARGEST_PAGE_BYTES: Final = 4_000_000
LONGEST_READ_S: Final = 30.0
RETRY_S: Final = 300.0

Found = Mapping[str, frozenset[str]]
"""The names that each file and page holds."""


class ListKeeper:
    """Keeps the office's lists up to date; for the daemon's thread, which does not wait for what it reads."""

    def __init__(self, office: Office, pages: Pages) -> None:
        self._office = office
        self._pages = pages
        self._found: Found = {}
        self._next_at = float("inf")

    def load(self) -> None:
        """Read everything before the first challenge comes; a page that was read in an earlier run counts as read."""
        for url in _urls(self._settings):
            page = self._pages.get(url)
            if page is not None:
                self._found = {**self._found, url: read_names(page.content)}
        self._take(*self._read(self._settings))

    def refresh(self) -> None:
        """Read everything again, soon."""
        self._next_at = self._office.clock()

    def next_deadline(self) -> float:
        """When to read again."""
        return self._next_at

    def tick(self) -> None:
        """Read again if it is time."""
        if self._office.clock() < self._next_at:
            return
        self._next_at = float("inf")
        settings = self._settings

        def run() -> None:
            found, complete = self._read(settings)
            self._office.post(lambda: self._take(found, complete))

        threading.Thread(target=run, name="errand of the lists", daemon=True).start()

    @property
    def _settings(self) -> PlayerLists:
        return self._office.config.lists

    def _read(self, settings: PlayerLists) -> tuple[Found, bool]:
        """What the files and pages hold, or held when they could last be read; and whether all could be."""
        found: dict[str, frozenset[str]] = {}
        complete = True
        texts = [(path, _file_text) for path in _files(settings)] + [(url, self._page_text) for url in _urls(settings)]
        for place, read in texts:
            try:
                found[place] = read_names(read(place))
            except (OSError, UnicodeDecodeError, requests.RequestException) as error:
                complete = False
                known = self._found.get(place)
                logger.warning("list %s: cannot be read, %s: %s", place, _consequence(known), error)
                if known is not None:
                    found[place] = known
        return found, complete

    def _take(self, found: Found, complete: bool) -> None:
        settings = self._settings
        self._found = found
        allowed = _named(settings.allow, found) if settings.allow.any else None
        self._office.lists = Lists(_named(settings.block, found), allowed)
        if any((*_files(settings), *_urls(settings))):
            pause_s = settings.reread_every_s if complete else min(RETRY_S, settings.reread_every_s)
            self._next_at = self._office.clock() + pause_s

    def _page_text(self, url: str) -> str:
        old = self._pages.get(url)
        page = _fetched(url, old, self._office.config.network, self._office.clock)
        if page != old:
            self._pages.keep(url, page)
        return page.content


def _file_text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8-sig")


def _fetched(url: str, old: Page | None, network: Network, clock: Clock) -> Page:
    """The page as it is now. Raises RequestException. No token goes there."""
    headers = {"User-Agent": f"centella/{__version__}"}
    if old is not None and old.etag:
        headers["If-None-Match"] = old.etag
    began, content = clock(), b""
    timeouts = (network.connect_timeout_s, network.request_timeout_s)
    with requests.get(url, headers=headers, timeout=timeouts, stream=True) as response:
        if response.status_code == NOT_MODIFIED and old is not None:
            return old
        response.raise_for_status()
        for chunk in response.iter_content(65_536):
            content += chunk
            if len(content) > LARGEST_PAGE_BYTES or clock() > began + LONGEST_READ_S:
                raise requests.RequestException("it is too long, or too slow")
        if content.lstrip().startswith(b"<"):
            # a proxy's page, or a way in to a network: it would empty the list
            raise requests.RequestException("it is a web page, not a list of names")
        return Page(response.headers.get("ETag", ""), content.decode("utf-8", errors="replace"))


def _named(names: Names, found: Found) -> frozenset[str]:
    """The players that are named there, in files and pages as well."""
    nobody: frozenset[str] = frozenset()
    own = frozenset(name.strip().lower() for name in names.names)
    return own.union(*(found.get(place, nobody) for place in (*names.files, *names.urls)))


def _files(settings: PlayerLists) -> Iterable[str]:
    return (*settings.block.files, *settings.allow.files)


def _urls(settings: PlayerLists) -> Iterable[str]:
    return (*settings.block.urls, *settings.allow.urls)


def _consequence(known: frozenset[str] | None) -> str:
    return "it names nobody for now" if known is None else f"its {len(known)} names stay"
