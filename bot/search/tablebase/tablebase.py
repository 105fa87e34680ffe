"""Looking positions up in the end-game tables of one game, and judging them by their moves.

A table holds a byte for each number that `placement` gives; the first half is for White to move.  Each kind of ending
has one table: a position with the colors the other way round is looked up as its mirror image.
"""

from typing import NamedTuple

import cython

from rules import draws


class Known(NamedTuple):
    """What a table says: 1, 0 or -1 for the side to move, and the plies to the end of the game (0 for a draw)."""

    result: int
    distance_plies: int


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _slot_of(others: cython.int, first: cython.int, second: cython.int) -> cython.int:
    if others == 0:
        return 0
    return first + 1 + ((TYPES + 1) * (second + 1) if others == 2 else 0)


def describe_types(ending, types):
    """Fills the ending with the types of its men besides the kings."""
    first: cython.int = types[0] if len(types) > 0 else 0
    second: cython.int = types[1] if len(types) > 1 else 0
    describe(ending, len(types), first, second)
    return 0


def exchanged(types: tuple) -> tuple:
    """The types of the same men with the colors the other way round, ascending."""
    return tuple(sorted((man_type + TYPES // 2) % TYPES for man_type in types))


class Tablebase:
    """The tables of one game; whatever they are read from must stay as it is."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.policy = draws.for_game(variant, with_bot=False)
        self.first_rank_pawns = variant.pawns_on_first_rank[WHITE]
        self.held = {}

    def add(self, types: tuple, values: object) -> None:
        """Take over a table: the types of the men besides the kings, ascending, and a buffer of its bytes.

        Raises: ValueError when the buffer has not the size of such a table.
        """
        ending: Ending
        shown: Ending
        slot: cython.pointer(Slot)
        view: cython.const[cython.uchar][::1] = values
        describe_types(cython.address(ending), types)
        if view.shape[0] != 2 * ending.size:
            raise ValueError(f"a table of {view.shape[0]} bytes, expected {2 * ending.size}")
        # the exchanged colors first: an ending alike for both is looked up as it is
        for seen in (exchanged(types), types):
            describe_types(cython.address(shown), seen)
            slot = cython.address(self.slots[_slot_of(shown.others, shown.types[0], shown.types[1])])
            slot.values = cython.cast(cython.pointer(cython.const[cython.schar]), cython.address(view[0]))
            slot.ending = ending
            slot.swapped = seen != types
        self.held[types] = values
        self.most_men = max(self.most_men, ending.others + 2)

    def sees_images_alike(self) -> bool:
        """Whether no placement of the kings alone is decided otherwise when the board is turned or colors exchanged."""
        ending: Ending
        shown: Ending
        squares: cython.int[MOST_SQUARES]
        s: State
        number: cython.int
        choice: cython.int
        turn: cython.int
        result: cython.int = UNDECIDED
        describe_types(cython.address(ending), ())
        for number in range(2 * ending.size):
            for choice in range(16):
                shown = ending
                turn = unplace(cython.address(ending), number, squares)
                turn = _show_image(cython.address(shown), squares, turn, choice)
                set_up(cython.address(shown), squares, turn, cython.address(s))
                if choice == 0:
                    result = self.variant.decided(cython.address(s))
                elif self.variant.decided(cython.address(s)) != result:
                    return False
        return True

    @property
    def tables(self) -> list:
        """The types of men of each table."""
        return list(self.held)

    def probe(self, position: Position) -> Known | None:
        """What the tables know of a position of this game in play; None when they do not cover it."""
        s: cython.pointer(State) = cython.address(position.state)
        if position.variant is not self.variant or self.variant.decided(s):
            return None
        value: cython.int = self.look_up(s)
        if value == UNKNOWN:
            return None
        return Known((value > 0) - (value < 0), plies_of(value) if value else 0)

    def position_at(self, types: tuple, number: int) -> Position:
        """The position that a number of a table stands for."""
        ending: Ending
        squares: cython.int[MOST_SQUARES]
        position: Position = Position(self.variant)
        describe_types(cython.address(ending), types)
        turn: cython.int = unplace(cython.address(ending), number, squares)
        set_up(cython.address(ending), squares, turn, cython.address(position.state))
        return position

    def wrong_number(self, types: tuple, begin: int, end: int, step: int = 1) -> int | None:
        """The first number in this range, every `step`th being looked at, whose value its moves contradict.

        Each position is tried as one of its images: reflected, rotated, colors exchanged.  A table without a wrong
        number is right: the end of a game has its value by the rules, and every other value follows from shorter ones.
        """
        ending: Ending
        first: cython.int = begin
        after: cython.int
        stride: cython.int = step
        wrong: cython.int
        describe_types(cython.address(ending), types)
        after = min(end, 2 * ending.size)
        with cython.nogil:
            wrong = self.first_wrong(cython.address(ending), first, after, stride)
        return None if wrong < 0 else wrong

    def look_up(self, s):
        occupied: u64 = occupied_of(s)
        men: u64
        squares: cython.int[MOST_SQUARES]
        types: cython.int[MOST_OTHERS] = [0, 0]
        others: cython.int = 0
        slot: cython.pointer(Slot)
        first: cython.int
        flip: cython.int
        if popcount(occupied) > self.most_men or s.castling:
            return UNKNOWN
        men = occupied & ~s.roles[KING]
        if popcount(men) + 2 != popcount(occupied) or not s.roles[KING] & s.colors[WHITE]:
            return UNKNOWN
        if not s.roles[KING] & s.colors[BLACK]:
            return UNKNOWN
        while men:
            squares[2 + others] = lsb(men)
            types[others] = QUEEN - role_at(s, lsb(men)) + (0 if s.colors[WHITE] & men & -men else 5)
            others += 1
            men &= men - 1
        first = 1 if others == 2 and types[0] > types[1] else 0
        slot = cython.address(self.slots[_slot_of(others, types[first], types[first ^ 1])])
        if slot.values == cython.NULL:
            return UNKNOWN
        flip = 56 if slot.swapped else 0
        if slot.swapped and others == 2 and color_of(types[0]) != color_of(types[1]):
            first ^= 1
        squares[0] = king_square(s, BLACK if slot.swapped else WHITE) ^ flip
        squares[1] = king_square(s, WHITE if slot.swapped else BLACK) ^ flip
        if others == 2:
            types[0] = squares[2 + first]
            squares[3] = squares[2 + (first ^ 1)] ^ flip
            squares[2] = types[0] ^ flip
        elif others == 1:
            squares[2] ^= flip
        turn: cython.int = s.turn ^ 1 if slot.swapped else s.turn
        return slot.values[place(cython.address(slot.ending), squares, turn).number]

    def value_of(self, s):
        result: cython.int = self.variant.decided(s) & 3
        if result == UNDECIDED:
            return self.look_up(s)
        if result == DRAWN:
            return 0
        return lost_in(0) if result == LOST else UNKNOWN

    def value_by_moves(self, s):
        """Mate, variant end and stalemate come before dead material, as in every draw policy."""
        moves: Move[MAX_MOVES]
        after: State
        count: cython.int
        i: cython.int
        value: cython.int
        shortest: cython.int = LONGEST + 1
        longest: cython.int = 0
        draws_too: cython.bint = False
        result: cython.int = self.variant.decided(s) & 3
        if result != UNDECIDED:
            return self.value_of(s)
        count = self.variant.legal_moves_into(s, moves)
        if count == 0:
            result = self.variant.without_moves(s) & 3
            return lost_in(0) if result == LOST else (0 if result == DRAWN else UNKNOWN)
        if self.policy.is_dead(self.variant, s):
            return 0
        for i in range(count):
            self.variant.play(s, moves[i], cython.address(after))
            value = self.value_of(cython.address(after))
            if value == UNKNOWN:
                return UNKNOWN
            if value < 0:
                shortest = min(shortest, plies_of(value) + 1)
            elif value == 0:
                draws_too = True
            else:
                longest = max(longest, value + 1)
        if shortest <= LONGEST:
            return won_in(shortest)
        return 0 if draws_too else lost_in(longest)

    def first_wrong(self, ending, begin, end, step):
        shown: Ending
        squares: cython.int[MOST_SQUARES]
        s: State
        turn: cython.int
        expected: cython.int
        while begin < end:
            turn = unplace(ending, begin, squares)
            if stands(ending, squares, self.first_rank_pawns):
                shown = ending[0]
                turn = _show_image(cython.address(shown), squares, turn, scattered(begin))
                set_up(cython.address(shown), squares, turn, cython.address(s))
                expected = UNKNOWN
                if self.variant.is_lawful(cython.address(s)):
                    expected = self.value_by_moves(cython.address(s))
                if self.look_up(cython.address(s)) != expected:
                    return begin
            begin += step
        return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _show_image(
    ending: cython.pointer(Ending), squares: cython.pointer(cython.int), turn: cython.int, choice: cython.int
) -> cython.int:
    """Turns a position into one of those that count as the same, by the bits of `choice`; returns who is to move."""
    king: cython.int
    i: cython.int
    for i in range(ending.others + 2):
        squares[i] = IMAGES[choice & (1 if ending.has_pawn else 7)][squares[i]]
    if not choice & 8:
        return turn
    for i in range(ending.others + 2):
        squares[i] ^= 56
    for i in range(ending.others):
        ending.types[i] = (ending.types[i] + TYPES // 2) % TYPES
    king = squares[0]
    squares[0] = squares[1]
    squares[1] = king
    return turn ^ 1
