"""Forced wins, looked for before the search proper: the attacker only attacks the king, the defender only saves it.

Where kings are captured, or explode, such lines run far deeper than a search of all moves does.  Longer wins are
looked for only when shorter ones have been refuted, so that what is found is the shortest of its kind.  What is
refuted is remembered by its position, what is won never is: a defence that repeats an earlier position saves the
king on one path and not on another.
"""

import cython


class Forcing(Searcher):
    """Looks for wins by nothing but threats, within a small share of the limits."""

    def __cinit__(self, *settings):
        self.refuted = cython.cast(cython.pointer(Refuted), calloc(REFUTED, cython.sizeof(Refuted)))
        if not self.refuted:
            raise MemoryError("no room for a search")

    def __dealloc__(self):
        free(self.refuted)

    def forced_win(self, most_plies):
        """Plies to the end of a win by threats from the root, whose line is kept; 0 when none is found."""
        plies: cython.int = 3
        found: cython.int = 0
        memset(self.refuted, 0, REFUTED * cython.sizeof(Refuted))
        self.attack_limit = self.nodes + (
            BUDGET_NODES if self.node_limit == cython.cast(u64, 1) << 62 else self.node_limit // BUDGET_SHARE
        )
        while plies <= most_plies and not found and not self.is_spent():
            found = self.attack(0, plies)
            plies += 2
        return found

    def is_spent(self):
        """Whether no more may be spent on it."""
        return self.stopped or self.nodes >= self.attack_limit

    def attack(self, ply, plies):
        """Plies in which the mover wins by threats alone, if within so many; else 0."""
        moves: Move[MAX_MOVES]
        s: cython.pointer(State) = cython.address(self.stack[ply].state)
        known: cython.pointer(Refuted)
        score: cython.int = 0
        count: cython.int
        found: cython.int
        i: cython.int
        self.line_length[ply] = 0
        if ply and self.is_settled(ply, cython.address(score)):
            return 1 if score > SURE else 0
        if plies < 3 or self.is_refuted(ply, plies):
            return 0
        count = keep_threats(self.variant, s, moves, self.variant.generate(s, ALL, moves))
        known = self.known(ply)
        if known.key == s.key:
            bring_first(moves, count, known.move)
        elif plies >= 5:
            self.order_by_answers(ply, moves, count)
        for i in range(count):
            if not self.make(ply, moves[i]):
                continue
            found = self.defend(ply + 1, plies - 1)
            if self.is_spent():
                return 0
            if found:
                self.keep_line(ply, moves[i])
                return found + 1
        self.refute(ply, plies, moves[0] if count else 0)
        return 0

    def order_by_answers(self, ply, moves, count):
        """Puts the moves first that leave the fewest defences."""
        answers: cython.int[MAX_MOVES]
        m: Move
        i: cython.int
        j: cython.int
        left: cython.int
        for i in range(count):
            m = moves[i]
            left = self.count_defences(ply, m)
            j = i
            while j > 0 and answers[j - 1] > left:
                answers[j] = answers[j - 1]
                moves[j] = moves[j - 1]
                j -= 1
            answers[j] = left
            moves[j] = m

    def count_defences(self, ply, m):
        """How many answers to a move save the king."""
        moves: Move[MAX_MOVES]
        before: State
        after: State
        i: cython.int
        left: cython.int = 0
        self.variant.play(cython.address(self.stack[ply].state), m, cython.address(before))
        for i in range(self.variant.generate(cython.address(before), EVASIONS, moves)):
            self.variant.play(cython.address(before), moves[i], cython.address(after))
            if not self.variant.threatens_win(cython.address(after)):
                left += 1
        return left

    def defend(self, ply, plies):
        """Plies until the mover, whose king is attacked, has lost whatever it does, if within so many; else 0."""
        moves: Move[MAX_MOVES]
        s: cython.pointer(State) = cython.address(self.stack[ply].state)
        known: cython.pointer(Refuted) = self.known(ply)
        score: cython.int = 0
        slowest: cython.int = 0
        count: cython.int
        found: cython.int
        i: cython.int
        self.line_length[ply] = 0
        if self.is_settled(ply, cython.address(score)) or self.is_refuted(ply, plies):
            return 0
        # A move that repeats saves even a king that it leaves hanging.
        count = self.variant.generate(s, ALL if s.reversible_plies >= 3 else EVASIONS, moves)
        if known.key == s.key:
            bring_first(moves, count, known.move)
        for i in range(count):
            if not self.make(ply, moves[i]):
                continue
            found = self.attack(ply + 1, plies - 1)
            if self.is_spent():
                return 0
            if not found:
                self.refute(ply, plies, moves[i])
                return 0
            if found > slowest:
                slowest = found
                self.keep_line(ply, moves[i])
        if not slowest and not self.variant.has_legal_move(s):
            return 0
        return max(slowest, 1) + 1

    def known(self, ply):
        """Where what is known of the position is kept, or of another one."""
        return self.refuted + (self.stack[ply].state.key & (REFUTED - 1))

    def is_refuted(self, ply, plies):
        """Whether it is known that nothing is won from here within so many plies."""
        known: cython.pointer(Refuted) = self.known(ply)
        return known.key == self.stack[ply].state.key and known.plies >= plies

    def refute(self, ply, plies, m):
        """Keeps that nothing is won within so many plies, and the move to look at first next time."""
        known: cython.pointer(Refuted) = self.known(ply)
        known.key = self.stack[ply].state.key
        known.plies = plies
        known.move = m
