"""Pages of the web as they were last read, so that they are known again before they can be read anew."""

from __future__ import annotations

from dataclasses import dataclass

from bot.records.database import Records


@dataclass(frozen=True)
class Page:
    """What a page said, and the tag by which its server tells whether it still does ("" when it gives none)."""

    etag: str
    content: str


class Pages:
    """The pages of a database."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def get(self, url: str) -> Page | None:
        """A page, None when it has never been read."""
        rows = self._records.ask("SELECT etag, content FROM pages WHERE url = ?", url)
        return Page(**rows[0]) if rows else None

    def keep(self, url: str, page: Page) -> None:
        """Remember a page in place of what it said before."""
        self._records.change("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", url, page.etag, page.content)
