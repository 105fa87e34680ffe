"""What every evaluation is: weights that do not change, and one function of the search's stack.

Weights come as a table of named groups, each a sequence of pairs (midgame, endgame) in centipawns.  `LAYOUT` of an
evaluation says which groups there are, and where each begins in the packed array.
"""

import hashlib

import cython


class Evaluation:
    """The base of all evaluations: holds the weights, and knows men on squares."""

    # name of a group, its first index, its length; a subclass has its own
    LAYOUT = (("material", 0, 6), ("squares", 6, 192))

    def __init__(self, weights) -> None:
        """Takes the weights in.

        Raises: ValueError when a group is missing, unknown, or not as long as the layout says.
        """
        self.load(weights)

    def load(self, weights) -> None:
        """Replace the weights; only for a tuner, which alone owns the evaluation it works on."""
        wanted = {name: count for name, _, count in self.LAYOUT}
        if set(wanted) != set(weights):
            raise ValueError(f"weight groups {sorted(set(wanted) ^ set(weights))} are missing or unknown")
        for name, first, count in self.LAYOUT:
            if len(weights[name]) != count:
                raise ValueError(f"weight group {name!r} has {len(weights[name])} entries, not {count}")
            for index, (middle, end) in enumerate(weights[name]):
                self.weights[first + index] = middle + (end << 16)
        self.derive()

    def table(self) -> dict:
        """The weights as a table again."""
        found: dict = {}
        for name, first, count in self.LAYOUT:
            packed = [self.weights[index] for index in range(first, first + count)]
            found[name] = tuple([(midgame(both), endgame(both)) for both in packed])
        return found

    def digest(self) -> str:
        """A short name for exactly these weights: a network that refines them fits no others."""
        text = repr((type(self).__name__, sorted(self.table().items())))
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def judge(self, positions: list) -> list:
        """The evaluation of each position by itself, in centipawns for its side to move."""
        frame: Frame
        position: Position
        scratch = cython.cast(cython.pointer(Scratch), calloc(1, cython.sizeof(Scratch)))
        if not scratch:
            raise MemoryError("no room for an evaluation")
        scores: list = []
        for position in positions:
            frame.state = position.state
            scores.append(self.evaluate(cython.address(frame), 0, scratch))
        free(scratch)
        return scores

    def tempered(self, s, score):
        """The mover's score by a network, with what the rules of the game make of little material."""
        return score

    def derive(self):
        """Spreads material and half-board squares, the first two groups, over all men and squares."""
        color: cython.int
        role: cython.int
        square: cython.int
        place: cython.int
        for color in range(2):
            for role in range(6):
                for square in range(64):
                    place = relative(color, square)
                    place = (place >> 3) << 2 | min(place & 7, 7 - (place & 7))
                    self.men[color][role][square] = self.weights[role] + self.weights[6 + 32 * role + place]

    def evaluate(self, stack, ply, scratch):
        """Centipawns for the side to move of `stack[ply]`; here just men on their squares, as in the midgame."""
        color: cython.int
        role: cython.int
        men: u64
        score: cython.int = 0
        for color in range(2):
            for role in range(6):
                men = stack[ply].state.roles[role] & stack[ply].state.colors[color]
                while men:
                    score += midgame(self.men[color][role][lsb(men)]) * (1 - 2 * color)
                    men &= men - 1
        return -score if stack[ply].state.turn else score
