"""The transposition table: lock-free, shared by all workers, aged by search."""

import cython

MIN_MB = 1


class Table:
    """A table of a fixed size, the largest power of two that fits into `megabytes`.

    Raises: MemoryError.
    """

    def __init__(self, megabytes: int) -> None:
        count: u64 = cython.cast(u64, max(megabytes, MIN_MB)) * (1 << 20) // cython.sizeof(Entry)
        while count & (count - 1):
            count &= count - 1
        room = take_pages(
            count * cython.sizeof(Entry), cython.address(self.block), cython.address(self.block_bytes)
        )
        if room == cython.NULL:
            raise MemoryError(f"no room for a table of {megabytes} MB")
        self.entries = cython.cast(cython.pointer(Entry), room)
        self.mask = count - CLUSTER
        self.generation = 0

    def __dealloc__(self):
        if self.block != cython.NULL:
            give_pages(self.block, self.block_bytes)

    def clear(self) -> None:
        """Forget everything."""
        memset(self.entries, 0, (self.mask + CLUSTER) * cython.sizeof(Entry))
        self.generation = 0

    def begin_search(self) -> None:
        """Age what earlier searches left."""
        self.generation = (self.generation + 1) & 63

    def fullness_permille(self) -> int:
        """How much of the table this search has written, by a sample."""
        i: cython.int
        used: cython.int = 0
        for i in range(1000):
            if self.entries[i].word and self.entries[i].word >> 58 == self.generation:
                used += 1
        return used

    # Thin faces of the operations, for tests.

    def put(self, key: int, move: int, score: int, depth: int, bound: int) -> None:
        """Store an entry, distances counted from the position itself."""
        self.store(key, 0, move, score, depth, bound)

    def get(self, key: int) -> "tuple[int, int, int, int] | None":
        """Move, score, depth and bound under a key."""
        hit: Hit
        if not self.probe(key, 0, cython.address(hit)):
            return None
        return hit.move, hit.score, hit.depth, hit.bound

    def probe(self, key, ply, hit):
        """Fills `hit`; False when the key is not there.  Distances to the end come out counted from `ply`."""
        entry: cython.pointer(Entry) = self.entries + (key & self.mask)
        word: u64
        i: cython.int
        for i in range(CLUSTER):
            word = entry[i].word
            if entry[i].check ^ word == key and word:
                hit.move = cython.cast(Move, word)
                hit.score = cython.cast(cython.short, word >> 32)
                hit.depth = cython.cast(cython.int, (word >> 48) & 255)
                hit.bound = cython.cast(cython.int, (word >> 56) & 3)
                if hit.score > SURE:
                    hit.score -= ply
                elif hit.score < -SURE:
                    hit.score += ply
                return True
        hit.move = 0
        hit.score = 0
        hit.depth = -1
        hit.bound = 0
        return False

    def store(self, key, ply, m, score, depth, bound):
        """Writes over the same key, else over the shallowest entry, old ones first; bound 0 keeps a move only."""
        entry: cython.pointer(Entry) = self.entries + (key & self.mask)
        victim: cython.pointer(Entry) = entry
        worst: cython.int = 1 << 20
        worth: cython.int
        kept: cython.int
        word: u64
        i: cython.int
        for i in range(CLUSTER):
            word = entry[i].word
            if entry[i].check ^ word == key and word:
                victim = entry + i
                if not m:
                    m = cython.cast(Move, word)
                if not bound and (word >> 56) & 3:
                    # a value that may not be kept does not push out one that holds
                    word = (word >> 32) << 32 | m
                    victim.check = key ^ word
                    victim.word = word
                    return
                kept = cython.cast(cython.int, (word >> 48) & 255)
                if bound != EXACT and depth + 3 < kept and word >> 58 == self.generation:
                    return
                break
            worth = cython.cast(cython.int, (word >> 48) & 255)
            worth -= 8 * cython.cast(cython.int, (self.generation - (word >> 58)) & 63)
            if worth < worst:
                worst = worth
                victim = entry + i
        if score > SURE:
            score += ply
        elif score < -SURE:
            score -= ply
        word = m
        word |= cython.cast(u64, cython.cast(cython.ushort, score)) << 32
        word |= cython.cast(u64, depth) << 48
        word |= cython.cast(u64, bound) << 56
        word |= self.generation << 58
        victim.check = key ^ word
        victim.word = word
