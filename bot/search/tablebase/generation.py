"""Making, opening and verifying the tables of a game in a folder.

    Exception
    ├── NoTables       a game that cannot have tables
    └── WrongTable     a value that the moves of its position contradict

`Library` is a folder of tables; `open_tablebase` and `tables_of` take up all that are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.search.tablebase import files
from bot.search.tablebase.files import Table, TableUnreadable
from bot.search.tablebase.material import MOST_MEN, Material, all_materials
from bot.search.tablebase.solver import Solver
from bot.search.tablebase.tablebase import Tablebase

if TYPE_CHECKING:
    from rules.position import Position
    from rules.variant import Variant

PARTS = 32


class NoTables(Exception):
    """A game that cannot have tables."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(
            f"no end-game tables for {variant.key}: they are for games with one king a side, nothing in hand and "
            "no checks to count, in which a board turned round is the same board"
        )


class WrongTable(Exception):
    """A value that the moves of its position contradict."""

    def __init__(self, material: Material, position: Position) -> None:
        super().__init__(f"{material.name}: the moves of {position.fen()} lead to another value than the table's")


class Library:
    """The tables of one game in a folder; each has a file `GAME/ENDING.table`.

    Raises: NoTables.
    """

    def __init__(self, variant: Variant, folder: Path) -> None:
        self.tablebase = Tablebase(variant)
        self._variant = variant
        self._folder = folder / variant.key
        one_king = all(most == 1 for _, most in variant.kings)
        if not one_king or variant.has_pocket or variant.counts_checks or not self.tablebase.sees_images_alike():
            raise NoTables(variant)

    def path(self, material: Material) -> Path:
        """The file of an ending."""
        return self._folder / f"{material.name}.table"

    def open(self, material: Material) -> Table:
        """Take up a table that was made before.

        Raises: FileNotFoundError, TableUnreadable.
        """
        table = files.read(self.path(material), self._variant.key, material)
        self._add(material, table)
        return table

    def make(self, material: Material, on_distance: Callable[[int], None] = lambda plies: None) -> Table:
        """Make a table, those that its captures and promotions lead to being open, and write its file.

        Raises: EndlessTable, OSError.
        """
        solver = Solver(self.tablebase, material.types)
        solver.prepare()
        plies = 0
        while solver.advance():
            plies += 1
            on_distance(plies)
        self._folder.mkdir(parents=True, exist_ok=True)
        files.write(self.path(material), self._variant.key, material, solver.finished())
        return self.open(material)

    def keep_or_make(self, material: Material, on_distance: Callable[[int], None] = lambda plies: None) -> Table:
        """The table in its file if that is finished and sound, else a new one.

        Raises: EndlessTable, OSError.
        """
        try:
            table = self.open(material)
        except (FileNotFoundError, TableUnreadable):
            return self.make(material, on_distance)
        return table if table.is_sound else self.make(material, on_distance)

    def verify(self, material: Material, table: Table, step: int = 1) -> Iterator[int]:
        """Hold every `step`th value of an open table against the moves of its position; yields parts done, of PARTS.

        Raises: WrongTable.
        """
        size = len(table.values)
        for part in range(PARTS):
            begin, end = size * part // PARTS, size * (part + 1) // PARTS
            wrong = self.tablebase.wrong_number(material.types, begin, end, step)
            if wrong is not None:
                raise WrongTable(material, self.tablebase.position_at(material.types, wrong))
            yield part + 1

    def _add(self, material: Material, table: Table) -> None:
        try:
            self.tablebase.add(material.types, table.values)
        except ValueError as error:
            raise TableUnreadable(self.path(material), str(error)) from None


def open_tablebase(variant: Variant, folder: Path) -> Tablebase:
    """All finished tables of a game in a folder, perhaps none, for the search to look up.

    Raises: NoTables, TableUnreadable.
    """
    library = Library(variant, folder)
    for material in all_materials(MOST_MEN):
        if library.path(material).exists():
            library.open(material)
    return library.tablebase


def tables_of(variant: Variant, folder: Path) -> Tablebase | None:
    """The tables of a game in a folder; None where it has none, or cannot have any.

    Raises: TableUnreadable.
    """
    try:
        found = open_tablebase(variant, folder)
    except NoTables:
        return None
    return found if found.tables else None
