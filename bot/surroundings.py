"""What every game is played with: the site, the records, the settings, and the sources of time and chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from bot.backoff import Clock
from bot.config import Config, ConfigError
from bot.cores import Cores
from bot.lichess import Lichess
from bot.meters import Meters
from bot.minds import Mind, Minds
from bot.records.database import Records
from bot.search.evaluation.netfile import NetworkError
from bot.search.evaluation.sharing import Profiles
from bot.search.tablebase.files import TableUnreadable
from bot.search.tablebase.generation import tables_of
from bot.search.thinker import Thinker, folder_of_tables
from bot.sources.consultation import Sources
from bot.sources.opening import Means, open_sources
from bot.speaker import Speaker
from rules import variants


@dataclass(frozen=True)
class Crowd:
    """How many games run, for how many there are places, and how many challenges wait."""

    playing: int
    places: int
    waiting: int


@dataclass(frozen=True)
class Surroundings:
    """Shared by the sessions of an account.

    `clock` never goes back, `now` is the time of day, `crowd` may be asked by any thread. `look` has the site asked
    soon whether a game awaits our move, whose session is then told to read it anew; for any thread as well.
    """

    lichess: Lichess
    records: Records
    config: Config
    account_id: str
    clock: Clock
    now: Callable[[], datetime]
    chance: random.Random
    minds: Minds
    sources: Sources
    speaker: Speaker
    crowd: Callable[[], Crowd]
    look: Callable[[str], None]
    new_mind: Callable[[int], Mind] | None
    meters: Meters
    cores: Cores

    @classmethod
    def open(
        cls,
        config: Config,
        lichess: Lichess,
        records: Records,
        account_id: str,
        *,
        clock: Clock,
        now: Callable[[], datetime],
        chance: random.Random,
        new_mind: Callable[[int], Mind] | None,
        crowd: Callable[[], Crowd],
        look: Callable[[str], None],
        meters: Meters | None = None,
        cores: Cores | None = None,
    ) -> Surroundings:
        """With everything that the configuration asks for.

        `new_mind` takes the size of a memory in MB; without it our own search thinks, with the network and the
        tables that are configured.  `cores` are for this account alone unless they are given.

        Raises: ConfigError when a source, a network or an end-game table cannot be used.
        """
        means = Means(records.folder, lichess.session_to, chance, clock)
        return cls(
            lichess=lichess,
            records=records,
            config=config,
            account_id=account_id,
            clock=clock,
            now=now,
            chance=chance,
            minds=_minds(config, new_mind),
            sources=open_sources(config.sources, means),
            speaker=Speaker(lichess.say, config.chat.pause_s),
            crowd=crowd,
            look=look,
            new_mind=new_mind,
            meters=meters or Meters(),
            cores=cores or Cores.of_this_machine(),
        )

    def reloaded(self, config: Config) -> Surroundings:
        """The same for games that begin from now on; running ones keep what they have. Raises ConfigError."""
        # as long as they would be the same, those minds that are there are used on
        same = _kind_of_minds(config) == _kind_of_minds(self.config)
        minds = self.minds if same else _minds(config, self.new_mind)
        means = Means(self.records.folder, self.lichess.session_to, self.chance, self.clock)
        sources = open_sources(config.sources, means)
        self.sources.close()
        return replace(self, config=config, sources=sources, minds=minds)

    def close(self) -> None:
        """Nothing is played with them any more."""
        self.speaker.stop()
        self.sources.close()


def _kind_of_minds(config: Config) -> tuple[object, ...]:
    strength = config.strength
    return strength.hash_total_mb, config.accept.max_games, strength.network, strength.tables


def _minds(config: Config, new_mind: Callable[[int], Mind] | None) -> Minds:
    profiles = Profiles(config.strength.network)
    try:
        for key in config.accept.games():
            profiles.of(variants.by_key(key))
    except NetworkError as error:
        raise ConfigError([f"strength.network: {error}"]) from None
    _try_tables(config)
    make = new_mind or partial(Thinker, network=profiles, tables=config.strength.tables)
    return Minds(make, config.strength.hash_total_mb, config.accept.max_games)


def _try_tables(config: Config) -> None:
    if config.strength.tables is None:
        return
    try:
        folder = folder_of_tables(config.strength.tables)
        for key in config.accept.games():
            tables_of(variants.by_key(key), folder)
    except (TableUnreadable, ValueError) as error:
        raise ConfigError([f"strength.tables: {error}"]) from None
