"""An evaluation that was learnt: sums of weights for each side, kept up to date beside the stack, and one layer on top.

The sums of a ply remember the planes that they belong to.  So they can be brought up to date from those of the ply
before, or from what this ply held last, by the difference of the planes alone: whatever the moves between did, and
however long ago it was, the result is that of a fresh start.
"""

import cython


def builds() -> list:
    """The names of the instruction sets that this processor can run, the best one first; all give the same scores."""
    return [network_builds[i].name.decode() for i in range(NETWORK_BUILDS) if network_can_run(i)]


class Network(Evaluation):
    """The network of a file, for the game that it was learnt for; `build` chooses an instruction set.

    `hand`, the evaluation made by hand, judges where a king stands alone.  Elsewhere the score of a network that
    refines is added to its score, and it tempers the score of one that does not.

    Raises: ValueError for a build that this processor cannot run.
    """

    def __init__(self, file, features: Features, hand: Evaluation = None, build=None) -> None:
        names: list = builds()
        wanted: str = names[0] if build is None else build
        if wanted not in names:
            raise ValueError(f"no build {wanted!r}; this processor can run {', '.join(names)}")
        i: cython.int
        for i in range(NETWORK_BUILDS):
            if network_builds[i].name.decode() == wanted:
                self.build = cython.address(network_builds[i])
        self.hand = hand
        self.refines = file.refines is not None
        self.content = file.content
        self.features = features
        self.sight = features.sight
        self._point_into(file.shape)

    def _point_into(self, shape) -> None:
        content: cython.const[cython.uchar][::1] = self.content
        at: cython.pointer(cython.const[cython.uchar]) = cython.address(content[0])
        rows_at: cython.Py_ssize_t = shape.rows_at
        biases_at: cython.Py_ssize_t = shape.biases_at
        output_at: cython.Py_ssize_t = shape.output_at
        output_biases_at: cython.Py_ssize_t = shape.output_biases_at
        self.layer.rows = cython.cast(cython.pointer(cython.const[cython.short]), at + rows_at)
        self.layer.biases = cython.cast(cython.pointer(cython.const[cython.short]), at + biases_at)
        self.layer.width = shape.width
        self.output = cython.cast(cython.pointer(cython.const[cython.short]), at + output_at)
        self.output_biases = cython.cast(cython.pointer(cython.const[cython.int]), at + output_biases_at)
        self.heads = shape.heads
        self.scale_cp = shape.scale_cp

    @property
    def instructions(self) -> str:
        """The name of the build that runs."""
        return self.build.name.decode()

    def largest_row(self) -> int:
        """The largest amount of a weight or bias that goes into a sum."""
        count: cython.int = self.sight.planes * 64 * self.layer.width
        return max(_largest(self.layer.rows, count), _largest(self.layer.biases, self.layer.width))

    def largest_output(self) -> int:
        """The largest amount of a weight of the output."""
        return _largest(self.output, 2 * self.heads * self.layer.width)

    def weight_of(self, feature: int) -> int:
        """How much a feature counts: the sum of the amounts of its weights.

        Raises: IndexError when there is no such feature.
        """
        if not 0 <= feature < self.sight.planes * 64:
            raise IndexError(f"no feature {feature}")
        first: cython.int = feature * self.layer.width
        row: cython.pointer(cython.const[cython.short]) = self.layer.rows + first
        i: cython.int
        total: cython.int = 0
        for i in range(self.layer.width):
            total += abs(cython.cast(cython.int, row[i]))
        return total

    def judge_line(self, positions: list, plies: list, rounds: int = 1) -> list:
        """The evaluation of positions that a search comes by at these plies, one after the other, each from the last.

        With more rounds it goes through them again and again, for measuring; the scores are those of the last round.
        """
        count: cython.int = len(positions)
        again: cython.int = rounds
        # Room before the first, so that a stack may begin there.
        frames = cython.cast(cython.pointer(Frame), calloc(MAX_PLY + count, cython.sizeof(Frame)))
        scratch = cython.cast(cython.pointer(Scratch), calloc(1, cython.sizeof(Scratch)))
        scores = cython.cast(cython.pointer(cython.int), calloc(count + 1, cython.sizeof(cython.int)))
        at = cython.cast(cython.pointer(cython.int), calloc(count + 1, cython.sizeof(cython.int)))
        i: cython.int
        position: Position
        if not frames or not scratch or not scores or not at:
            raise MemoryError("no room for an evaluation")
        for i in range(count):
            position = positions[i]
            at[i] = plies[i] % MAX_PLY
            frames[MAX_PLY + i].state = position.state
        with cython.nogil:
            while again > 0:
                for i in range(count):
                    scores[i] = self.evaluate(frames + MAX_PLY + i - at[i], at[i], scratch)
                again -= 1
        found: list = [scores[i] for i in range(count)]
        free(at)
        free(scores)
        free(scratch)
        free(frames)
        return found

    def evaluate(self, stack, ply, scratch):
        """Centipawns for the side to move of `stack[ply]`."""
        s: cython.pointer(cython.const[State]) = cython.address(stack[ply].state)
        sums: cython.pointer(Accumulator) = accumulators_of(scratch) + ply
        earlier: cython.pointer(Accumulator) = sums
        if ply and (sums - 1).ready:
            earlier = sums - 1
        # Games are given up before a king stands alone: of such endings a network knows nothing, and spoils the way.
        if self.hand is not None and (not s.colors[0] & ~s.roles[KING] or not s.colors[1] & ~s.roles[KING]):
            return self.hand.evaluate(stack, ply, scratch)
        self.bring_up_to_date(s, earlier, sums)
        if self.hand is None:
            return self.output_of(s, sums)
        if not self.refines:
            return self.hand.tempered(s, self.output_of(s, sums))
        return self.output_of(s, sums) + self.hand.evaluate(stack, ply, scratch)

    def bring_up_to_date(self, s, earlier, sums):
        """Makes the sums those of a position, from any earlier ones, which may be the same."""
        sight: cython.pointer(Sight) = cython.address(self.sight)
        planes: u64[MOST_PLANES]
        changes: Changes
        color: cython.int
        orientation: cython.int
        plane: cython.int
        few: cython.bint = False
        fill_planes(sight, s, planes)
        if earlier.ready:
            list_changes(earlier.planes, planes, sight.planes, cython.address(changes))
            few = changes.added_count + changes.removed_count <= MOST_CHANGES
        for color in range(2):
            orientation = orientation_of(sight, s, color)
            if few and earlier.orientations[color] == orientation:
                self.update_side(cython.address(changes), color, orientation, earlier.sums[color], sums.sums[color])
            else:
                self.begin_side(planes, color, orientation, sums.sums[color])
            sums.orientations[color] = orientation
        for plane in range(sight.planes):
            sums.planes[plane] = planes[plane]
        sums.ready = 1

    def begin_side(self, planes, color, orientation, target):
        """One side's sums, from nothing."""
        blank: u64[MOST_PLANES]
        changes: Changes
        memset(blank, 0, MOST_PLANES * cython.sizeof(u64))
        list_changes(blank, planes, self.sight.planes, cython.address(changes))
        self.update_side(cython.address(changes), color, orientation, self.layer.biases, target)

    def update_side(self, changes, color, orientation, source, target):
        """One side's sums, from others by the changes."""
        sight: cython.pointer(Sight) = cython.address(self.sight)
        added: cython.int[MOST_FEATURES]
        removed: cython.int[MOST_FEATURES]
        i: cython.int
        for i in range(changes.added_count):
            added[i] = feature_of(sight, color, orientation, changes.added[i] >> 6, changes.added[i] & 63)
        for i in range(changes.removed_count):
            removed[i] = feature_of(sight, color, orientation, changes.removed[i] >> 6, changes.removed[i] & 63)
        self.build.update(
            cython.address(self.layer), source, target, added, changes.added_count, removed, changes.removed_count
        )

    def output_of(self, s, sums):
        """What the top layer makes of the sums; the more men there are, the later its head."""
        head: cython.int = 0
        if self.heads > 1:
            head = min((popcount(occupied_of(s)) - 1) * self.heads // 32, self.heads - 1)
        weights: cython.pointer(cython.const[cython.short])
        total: cython.longlong
        weights = self.output + 2 * head * self.layer.width
        total = self.build.forward(sums.sums[s.turn], sums.sums[s.turn ^ 1], weights, self.layer.width)
        total = (total // NETWORK_ACTIVE + self.output_biases[head]) * self.scale_cp // (NETWORK_ACTIVE * UNIT)
        return cython.cast(cython.int, max(-SURE + 1, min(SURE - 1, total)))


@cython.cfunc
def _largest(numbers: cython.pointer(cython.const[cython.short]), count: cython.int) -> cython.int:
    i: cython.int
    most: cython.int = 0
    for i in range(count):
        most = max(most, abs(cython.cast(cython.int, numbers[i])))
    return most


def list_changes(before, after, planes, changes):
    """The features that were added, and those that were removed, as far as there is room."""
    plane: cython.int
    left: u64
    added: cython.int = 0
    removed: cython.int = 0
    for plane in range(planes):
        if before[plane] == after[plane]:
            continue
        left = after[plane] & ~before[plane]
        while left and added < MOST_FEATURES:
            changes.added[added] = plane << 6 | lsb(left)
            added += 1
            left &= left - 1
        left = before[plane] & ~after[plane]
        while left and removed < MOST_FEATURES:
            changes.removed[removed] = plane << 6 | lsb(left)
            removed += 1
            left &= left - 1
    changes.added_count = added
    changes.removed_count = removed
