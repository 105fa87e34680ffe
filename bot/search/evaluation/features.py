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
        plane: cython.int
        kind: cython.int
        sight: cython.pointer(Sight) = cython.address(self.sight)
        sight.pairs = MAN_PAIRS
        sight.flips = flips
        if variant.has_pocket:
            sight.pocket = sight.pairs
            sight.promoted = sight.pairs + 1
            sight.pairs += 2
            kinds += ["pocket", "promoted"]
        if variant.counts_checks:
            sight.checks = sight.pairs
            sight.pairs += 1
            kinds.append("checks")
        sight.planes = 2 * sight.pairs
        for plane in range(sight.planes):
            kind = plane % sight.pairs
            sight.turnable[plane] = 0 if kind and kind in (sight.pocket, sight.checks) else 63
            for color in range(2):
                sight.first_of[color][plane] = 64 * (kind if plane // sight.pairs == color else kind + sight.pairs)
        for color in range(2):
            sight.mirrors[color] = variant.kings[color][1] == 1
        mirrors = " ".join("yes" if sight.mirrors[color] else "no" for color in range(2))
        self.name = f"1: {' '.join(kinds)}; flips {'yes' if flips else 'no'}; mirrors {mirrors}"

    @property
    def pairs(self) -> int:
        """Planes of one color."""
        return self.sight.pairs

    @property
    def planes(self) -> int:
        """Planes of both colors."""
        return self.sight.planes

    @property
    def count(self) -> int:
        """How many features a side sees."""
        return self.sight.planes * 64

    def digest(self) -> int:
        """A number for the meaning of the features: a network fits only where it is the same."""
        return int.from_bytes(hashlib.blake2b(self.name.encode(), digest_size=8).digest(), "little")


def mark_features(sight, s, color, seen):
    """Sets the bits of the features that one side sees."""
    planes: u64[MOST_PLANES]
    orientation: cython.int = orientation_of(sight, s, color)
    plane: cython.int
    index: cython.int
    left: u64
    fill_planes(sight, s, planes)
    for plane in range(sight.planes):
        left = planes[plane]
        while left:
            index = feature_of(sight, color, orientation, plane, lsb(left))
            seen[index >> 3] |= 1 << (index & 7)
            left &= left - 1
