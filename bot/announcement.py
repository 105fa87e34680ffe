"""What is accepted, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot import time_controls
from bot.config import Audience, Config, SearchLimits
from bot.config.acceptance import Span
from rules import variants


def lines(config: Config) -> list[str]:
    """A line for what holds for everybody, and one or more for each kind of player."""
    accept = config.accept
    found = [f"at most {_games(accept.max_games)} with a clock at once, and {_games(accept.slow.max_games)} without"]
    if accept.reserved_for_humans:
        found[0] += f"; {_games(accept.reserved_for_humans)} of them only with people"
    for name, audience in (("people", accept.humans), ("bots", accept.bots)):
        found += _audience_lines(name, audience)
    if accept.bots.allow:
        found.append(f"at most {_games(config.citizenship.bot_games_a_day)} with bots in a day")
    return [*found, *_own_initiative(config), *_strength_lines(config)]


def _strength_lines(config: Config) -> list[str]:
    """How strongly is played: the same for everybody in rated games, and what casual opponents may change."""
    strength = config.strength
    changed = [each.key for each in variants.ALL if strength.limits_for(each.key) != strength.limits]
    found = [f"strength: {_limits(strength.limits)}"]
    found += [f"strength in {variants.by_key(key).name}: {_limits(strength.limits_for(key))}" for key in changed]
    if config.sources:
        found.append(f"moves before the search from: {', '.join(source.kind for source in config.sources)}")
    if strength.levels and strength.levels_in:
        modes, levels = _listed([*strength.levels_in]), _listed([*strength.levels])
        found.append(f"in {modes} games the opponent may choose between {levels}")
    return found


def _limits(limits: SearchLimits) -> str:
    caps = limits.model_dump(exclude_none=True)
    return ", ".join(f"{name} {value}" for name, value in caps.items()) if caps else "as the clock allows"


def _own_initiative(config: Config) -> list[str]:
    """Which games are asked for by us."""
    found = []
    if config.matchmaking.allow:
        for kind in config.matchmaking.types.values():
            games = _listed([variants.by_key(key).name for key in kind.variants])
            mode = "rated" if kind.rated else "casual"
            found.append(f"other bots are asked for {mode} games when idle: {games} at {_listed(kind.time_controls)}")
    for name, rematches in (("people", config.rematches.humans), ("bots", config.rematches.bots)):
        if rematches:
            found.append(f"{name} are offered up to {rematches} rematches in a row")
    if config.tournaments.join:
        found.append(f"arenas: {_listed([arena.id for arena in config.tournaments.join])}")
    names = config.lists
    if names.allow.any:
        found.append("only players on a list are played")
    if names.block.any:
        found.append("players on a list are not played")
    return found


def _audience_lines(name: str, audience: Audience) -> list[str]:
    if not audience.allow:
        return [f"no games with {name}"]
    found = []
    for mode, keys in (("casual", audience.casual), ("rated", audience.rated)):
        games = _listed([variants.by_key(key).name for key in keys])
        found.append(f"{mode} games with {name}: {games or 'none'}")
    conditions = [*_clock_conditions(audience), *_player_conditions(audience)]
    if conditions:
        found.append(f"with {name} only {'; '.join(conditions)}")
    return found


def _clock_conditions(audience: Audience) -> list[str]:
    found = [] if set(audience.speeds) >= set(time_controls.SPEEDS[1:]) else [f"at {_listed(audience.speeds)}"]
    if audience.time_controls:
        found.append(f"at the time controls {_listed(audience.time_controls)}")
    for name, span, unit in (
        ("a base", audience.base_s, "s"),
        ("an increment", audience.increment_s, "s"),
        ("an expected length", audience.estimated_s, "s"),
        ("days for a move", audience.days, "days"),
    ):
        found += _between(name, span, unit)
    if audience.bullet_needs_increment:
        found.append("bullet with an increment")
    if not audience.unlimited:
        found.append("with some limit of time")
    return found


def _player_conditions(audience: Audience) -> list[str]:
    found = _between("a rating", audience.rating, "")
    found += _between("a difference of ratings", audience.rating_difference, "")
    if not audience.provisional:
        found.append("with a settled rating")
    for number, what in (
        (audience.games_at_once, "at once with the same player"),
        (audience.games_a_day, "a day with the same player"),
        (audience.rated_games_a_day, "a day, rated, with the same player"),
        (audience.rematches_in_a_row, "as rematches in a row"),
    ):
        if number is not None:
            found.append(f"{_games(number)} {what}")
    return found


def _between(name: str, span: Span, unit: str) -> list[str]:
    bounds = [f"{word} {bound:g}" for word, bound in (("from", span.least), ("to", span.most)) if bound is not None]
    return [f"{name} {' '.join(bounds)} {unit}".rstrip()] if bounds else []


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


def _listed(words: Sequence[Any]) -> str:
    return ", ".join(map(str, words))
