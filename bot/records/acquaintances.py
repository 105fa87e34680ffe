"""The players met: which games were begun with whom, who was asked for one, and who is left alone until when."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any, Final

from bot.records.database import Records
from bot.records.met import REMEMBERED_S, Encounter, Shun


class Acquaintances:
    """The memory of one account on one site; everything in it survives a restart."""

    def __init__(self, records: Records, source: str, account: str) -> None:
        self._records = records
        self._whose = (source, account)

    @property
    def lasting(self) -> bool:
        """Whether what is noted now survives a restart: not while the database cannot be written."""
        return self._records.writable

    def meet(self, encounter: Encounter) -> None:
        """A game has begun; a second call for the same one changes nothing."""
        values = asdict(encounter)
        names = ", ".join(("source", "account", *values))
        marks = ", ".join("?" for _ in range(len(values) + 2))
        self._records.change(
            f"INSERT INTO encounters ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING", *self._whose, *values.values()
        )

    def note_abort(self, game_id: str) -> None:
        """A game was aborted, and not by our will."""
        self._records.change(
            "UPDATE encounters SET aborted = 1 WHERE source = ? AND account = ? AND game_id = ?", *self._whose, game_id
        )

    def encounter(self, game_id: str) -> Encounter | None:
        """One game, None when we do not know it."""
        query = f"SELECT {_COLUMNS} FROM encounters WHERE source = ? AND account = ? AND game_id = ?"
        rows = self._records.ask(query, *self._whose, game_id)
        return _encounter(rows[0]) if rows else None

    def encounters_with(self, opponent: str, since: float) -> tuple[Encounter, ...]:
        """The games with one player that began after a time, the latest last."""
        rows = self._records.ask(
            f"SELECT {_COLUMNS} FROM encounters WHERE source = ? AND account = ? AND opponent = ? AND begun_at > ? "
            "ORDER BY begun_at",
            *self._whose, opponent.lower(), since,
        )  # fmt: skip
        return tuple(_encounter(row) for row in rows)

    def bot_games(self, since: float) -> int:
        """How many games with bots have begun after a time, by whose challenge ever."""
        (row,) = self._records.ask(
            "SELECT COUNT(*) AS games FROM encounters WHERE source = ? AND account = ? AND bot = 1 AND begun_at > ?",
            *self._whose, since,
        )  # fmt: skip
        return int(row["games"])

    def note_approach(self, opponent: str, now: float) -> None:
        """We have challenged somebody."""
        self._records.change("INSERT INTO approaches VALUES (?, ?, ?, ?)", *self._whose, opponent.lower(), now)

    def approaches(self, since: float) -> dict[str, float]:
        """Who was challenged after a time, and when the last time was."""
        rows = self._records.ask(
            "SELECT opponent, MAX(made_at) AS latest FROM approaches WHERE source = ? AND account = ? AND made_at > ? "
            "GROUP BY opponent",
            *self._whose, since,
        )  # fmt: skip
        return {row["opponent"]: row["latest"] for row in rows}

    def approach_count(self, since: float) -> int:
        """How many challenges we have made after a time."""
        (row,) = self._records.ask(
            "SELECT COUNT(*) AS made FROM approaches WHERE source = ? AND account = ? AND made_at > ?",
            *self._whose, since,
        )  # fmt: skip
        return int(row["made"])

    def shun(self, shun: Shun) -> None:
        """Leave somebody alone; an earlier and longer time stays."""
        self._records.change(
            "INSERT INTO shunned VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET until = MAX(until, excluded.until)",
            *self._whose, shun.opponent.lower(), shun.aspect, shun.until,
        )  # fmt: skip

    def shunned(self, now: float) -> tuple[Shun, ...]:
        """Whom to leave alone."""
        rows = self._records.ask(
            "SELECT opponent, aspect, until FROM shunned WHERE source = ? AND account = ? AND until > ?",
            *self._whose, now,
        )  # fmt: skip
        return tuple(Shun(**row) for row in rows)

    def forget(self, now: float) -> None:
        """Drop what has become too old to matter."""
        before = now - REMEMBERED_S
        self._records.change("DELETE FROM encounters WHERE begun_at < ?", before)
        self._records.change("DELETE FROM approaches WHERE made_at < ?", before)
        self._records.change("DELETE FROM shunned WHERE until < ?", now)


_COLUMNS: Final = ", ".join(field.name for field in fields(Encounter))


def _encounter(row: dict[str, Any]) -> Encounter:
    return Encounter(**row | {name: bool(row[name]) for name in ("bot", "rated", "aborted")})
