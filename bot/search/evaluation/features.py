"""What a network sees of a position: sets of squares, in pairs of planes, one for each color.

The planes of a position are the same for both sides; each side reads them its own way: its own men first, the board
turned so that it plays upwards (where the game is alike for both), and mirrored so that its king stands on the files a
to d.  Men in hand and checks given are thermometers: as many bits as there are.  Castling rights and the en-passant
square are left out.
"""

import hashlib

import cython


class Features:
    """How the planes of one game are made and read."""

    def __init__(self, variant, flips: bool) -> None:
        kinds: list = ["men"]
        color: cython.int
        kind: cython.int
        self.pairs = 6
        self.flips = flips
        self.pocket = self.promoted = self.checks = -1
        if variant.has_pocket:
            self.pocket = self.pairs
            self.promoted = self.pairs + 1
            self.pairs += 2
            kinds += ["pocket", "promoted"]
        if variant.counts_checks:
            self.checks = self.pairs
            self.pairs += 1
            kinds.append("checks")
        self.planes = 2 * self.pairs
        for kind in range(self.pairs):
            self.on_board[kind] = kind != self.pocket and kind != self.checks
        for color in range(2):
            self.mirrors[color] = variant.kings[color][1] == 1
        mirrors = "".join("yes " if self.mirrors[color] else "no " for color in range(2))
        self.name = f"1: {' '.join(kinds)}; flips {'yes' if flips else 'no'}; mirrors {mirrors.strip()}"

    @property
    def count(self) -> int:
        """How many features a side sees."""
        return self.planes * 64

    def digest(self) -> int:
        """A number for the meaning of the features: a network fits only where it is the same."""
        return int.from_bytes(hashlib.blake2b(self.name.encode(), digest_size=8).digest(), "little")

    def fill(self, s, planes):
        """Writes the planes of a position."""
        color: cython.int
        role: cython.int
        plane: cython.pointer(u64) = planes
        shift: cython.int
        for color in range(2):
            for role in range(6):
                plane[role] = s.roles[role] & s.colors[color]
            if self.pocket >= 0:
                plane[self.pocket] = lowest(s.pocket[color][0], PAWNS_IN_HAND)
                shift = PAWNS_IN_HAND
                for role in range(1, 6):
                    plane[self.pocket] |= lowest(s.pocket[color][role], OTHERS_IN_HAND) << shift
                    shift += OTHERS_IN_HAND
                plane[self.promoted] = s.promoted & s.colors[color]
            if self.checks >= 0:
                plane[self.checks] = lowest(s.checks[color], CHECKS_GIVEN)
            plane += self.pairs

    def orientation(self, s, color):
        """What a side sees a square as: the square, with the bits of this number turned over."""
        turned: cython.int = 56 if color == BLACK and self.flips else 0
        if self.mirrors[color] and king_square(s, color) & 4:
            turned |= 7
        return turned

    def index_of(self, color, orientation, plane, square):
        """The number of a feature as one side sees it."""
        kind: cython.int = plane
        of_color: cython.int = WHITE
        if kind >= self.pairs:
            kind -= self.pairs
            of_color = BLACK
        if self.on_board[kind]:
            square ^= orientation
        return ((kind if of_color == color else kind + self.pairs) << 6) | square

    def mark(self, s, color, seen):
        """Sets the bits of the features that one side sees."""
        planes: u64[MOST_PLANES]
        orientation: cython.int = self.orientation(s, color)
        plane: cython.int
        index: cython.int
        left: u64
        self.fill(s, planes)
        for plane in range(self.planes):
            left = planes[plane]
            while left:
                index = self.index_of(color, orientation, plane, lsb(left))
                seen[index >> 3] |= 1 << (index & 7)
                left &= left - 1
