"""Whom we play, by name."""

from __future__ import annotations

from pydantic import PositiveFloat

from bot.config.section import Address, FilePath, Section


class Names(Section):
    """Players by name, and files and pages that name more, one a line."""

    names: tuple[str, ...] = ()
    files: tuple[FilePath, ...] = ()
    urls: tuple[Address, ...] = ()

    @property
    def any(self) -> bool:
        """Whether it names players, or may."""
        return bool(self.names or self.files or self.urls)


class PlayerLists(Section):
    """Who is never played, and who alone is played if any are named."""

    block: Names = Names()
    allow: Names = Names()
    reread_every_s: PositiveFloat = 3600
