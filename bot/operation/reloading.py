"""What of a new configuration can be used while the bot runs."""

from __future__ import annotations

from typing import Final

from bot.config import Config

FIXED: Final = ("url", "token", "token_file", "data", "contact", "network", "watch", "local")
"""The sections that only a new start reads."""


def kept(old: Config, new: Config) -> Config:
    """The new configuration, with the old one's values of everything that only a new start reads."""
    log = new.log if new.log.level == old.log.level else old.log.model_copy(update={"level": new.log.level})
    fixed = {name: getattr(old, name) for name in FIXED}
    return new.model_copy(update={**fixed, "log": log})


def changed_for_later(old: Config, new: Config) -> list[str]:
    """A line for each section whose changes wait for the next start."""
    found = [name for name in FIXED if getattr(old, name) != getattr(new, name)]
    if new.log != old.log.model_copy(update={"level": new.log.level}):
        found.append("log (but for its level)")
    return [f"{name}: changes at the next start" for name in found]
