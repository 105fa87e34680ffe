"""Finding all values of one ending, the tables that its captures and promotions lead to being known.

Without pawns the work goes backwards.  At first each position gets the number of its moves and what its captures and
promotions are worth.  Then, for distance 0, 1, 2 ..., every position that is lost at that distance makes those before
it won, and every one that is won there takes a move from those before it; when none is left, that position is lost.
The positions before one are found by taking back moves of pieces, each to an empty square that it attacks.

With a pawn, whose moves cannot be taken back so simply in every game, each step judges all open positions by their
moves, forward.  There are few of them.

Reflection can make two moves of a position, or two ways back from it, lead to the same number.  A position that is
its own reflection counts for half: moves are counted in halves, and a way back weighs in proportion.
"""

from array import array

import cython


class EndlessTable(Exception):
    """An ending that cannot be put into a table: a win takes longer than a byte can say, or a table is missing."""


class Solver:
    """One table in the making; it is part of the tablebase from the start, and right once `advance` says False."""

    def __init__(self, tablebase: Tablebase, types: tuple, by_sweeps: bool = False) -> None:
        describe_types(cython.address(self.ending), types)
        self.tablebase = tablebase
        self.by_sweeps = by_sweeps or self.ending.has_pawn
        self.array = array("b", bytes(2 * self.ending.size))
        self.values = self.array
        self.open_moves = bytearray(2 * self.ending.size)
        self.slowest_loss = bytearray(2 * self.ending.size)
        tablebase.add(types, memoryview(self.array).cast("B"))

    def prepare(self) -> None:
        """Judge every position as far as it, and the moves that leave this ending, tell.

        Raises: EndlessTable.
        """
        number: cython.int
        with cython.nogil:
            for number in range(2 * self.ending.size):
                self.begin(number)
        self._check()

    def advance(self) -> bool:
        """Work on the values of the next distance; False when nothing was left to do.

        Raises: EndlessTable.
        """
        number: cython.int
        value: cython.int
        if self.level > self.furthest:
            return False
        with cython.nogil:
            if self.by_sweeps:
                self.sweep()
            else:
                for number in range(2 * self.ending.size):
                    value = self.values[number]
                    if value == lost_in(self.level):
                        self.spread(number, True)
                    elif value == won_in(self.level) and value:
                        self.spread(number, False)
        self.level += 1
        self._check()
        return True

    def finished(self) -> bytes:
        """The bytes of the table."""
        return self.array.tobytes()

    def _check(self) -> None:
        if self.failed:
            raise EndlessTable("a move leads to an ending without a table")
        if self.furthest > LONGEST:
            raise EndlessTable(f"a win takes more than {LONGEST} plies")

    def begin(self, number):
        squares: cython.int[MOST_SQUARES]
        moves: Move[MAX_MOVES]
        s: State
        count: cython.int
        result: cython.int
        turn: cython.int = unplace(cython.address(self.ending), number, squares)
        self.values[number] = UNKNOWN
        if not stands(cython.address(self.ending), squares, self.tablebase.first_rank_pawns):
            return
        if place(cython.address(self.ending), squares, turn).number != number:
            return
        set_up(cython.address(self.ending), squares, turn, cython.address(s))
        if not self.tablebase.variant.is_lawful(cython.address(s)):
            return
        result = self.tablebase.variant.decided(cython.address(s)) & 3
        count = self.tablebase.variant.legal_moves_into(cython.address(s), moves)
        if not result and not count:
            result = self.tablebase.variant.without_moves(cython.address(s)) & 3
        if result == WON:
            # the game was over before the last move
            return
        self.values[number] = lost_in(0) if result == LOST else 0
        if not result and not self.tablebase.policy.is_dead(self.tablebase.variant, cython.address(s)):
            self.open_moves[number] = 2 * count
            if not self.by_sweeps:
                self.weigh_moves(number, cython.address(s), moves, count)

    def weigh_moves(self, number, s, moves, count):
        """Judges a position by its captures and promotions; a win stands until a shorter one is found."""
        after: State
        value: cython.int
        best: cython.int = LONGEST + 1
        i: cython.int
        for i in range(count):
            if not self.tablebase.variant.is_noisy(s, moves[i]):
                continue
            self.tablebase.variant.play(s, moves[i], cython.address(after))
            value = self.tablebase.value_of(cython.address(after))
            if value == UNKNOWN:
                self.failed = True
            elif value < 0:
                best = min(best, plies_of(value) + 1)
            elif value > 0:
                self.open_moves[number] -= 2
                self.slowest_loss[number] = max(self.slowest_loss[number], value + 1)
        if best <= LONGEST:
            self.values[number] = won_in(best)
            self.furthest = max(self.furthest, best)
        elif not self.open_moves[number]:
            self.values[number] = lost_in(self.slowest_loss[number])
            self.furthest = max(self.furthest, self.slowest_loss[number])

    def sweep(self):
        """Settles what ends at this level, and sees how far what is known by now reaches."""
        squares: cython.int[MOST_SQUARES]
        s: State
        turn: cython.int
        value: cython.int
        number: cython.int
        for number in range(2 * self.ending.size):
            if not self.open_moves[number]:
                continue
            turn = unplace(cython.address(self.ending), number, squares)
            set_up(cython.address(self.ending), squares, turn, cython.address(s))
            value = self.tablebase.value_by_moves(cython.address(s))
            if value == UNKNOWN:
                self.failed = True
            elif value:
                self.furthest = max(self.furthest, plies_of(value))
                if plies_of(value) == self.level:
                    self.values[number] = value
                    self.open_moves[number] = 0
                    self.furthest = max(self.furthest, self.level + 1)

    def spread(self, number, lost):
        """Tells every position before this one, lost or won at this level."""
        squares: cython.int[MOST_SQUARES]
        occupied: u64 = 0
        origins: u64
        before: Place
        here: cython.int
        i: cython.int
        role: cython.int
        color: cython.int
        turn: cython.int = unplace(cython.address(self.ending), number, squares)
        twins: cython.int = place(cython.address(self.ending), squares, turn).twins
        for i in range(self.ending.others + 2):
            occupied |= bit(squares[i])
        for i in range(self.ending.others + 2):
            color = i if i < 2 else color_of(self.ending.types[i - 2])
            if color == turn:
                continue
            role = KING if i < 2 else role_of_type(self.ending.types[i - 2])
            here = squares[i]
            origins = attacks_from(role, color, here, occupied) & ~occupied
            while origins:
                squares[i] = lsb(origins)
                origins &= origins - 1
                before = place(cython.address(self.ending), squares, turn ^ 1)
                self.reach(before, twins, lost)
            squares[i] = here

    def reach(self, before, twins, lost):
        """A move from `before` leads to a position of this level that is its own image `twins` times."""
        number: cython.int = before.number
        value: cython.int = self.values[number]
        if not self.open_moves[number]:
            return
        if lost:
            if value == 0 or value > self.level + 1:
                self.values[number] = won_in(self.level + 1)
                self.furthest = max(self.furthest, self.level + 1)
            return
        self.open_moves[number] -= 2 * before.twins // twins
        if not self.open_moves[number]:
            value = max(self.level + 1, self.slowest_loss[number])
            self.values[number] = lost_in(value)
            self.furthest = max(self.furthest, value)
