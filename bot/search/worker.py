"""One thread of a search: its stack, what it has learnt, and the tests that come before a node is searched."""

import cython


class Worker:
    """Holds what a search of one game needs; `Searcher` and `Driver` build on it."""

    def __cinit__(self, *settings):
        self.frames = cython.cast(cython.pointer(Frame), calloc(ALL_PLIES, cython.sizeof(Frame)))
        self.histories = cython.cast(cython.pointer(Histories), calloc(1, cython.sizeof(Histories)))
        self.scratch = cython.cast(cython.pointer(Scratch), calloc(1, cython.sizeof(Scratch)))
        if not self.frames or not self.histories or not self.scratch:
            raise MemoryError("no room for a search")
        self.stack = self.frames + BEFORE_ROOT

    def __dealloc__(self):
        free(self.frames)
        free(self.histories)
        free(self.scratch)

    def __init__(self, table: Table, variant: Variant, evaluation: Evaluation, options: dict) -> None:
        self.table = table
        self.variant = variant
        self.evaluation = evaluation
        self.options = options

    def use_tables(self, endings: Tablebase | None) -> None:
        """Look positions up in these end-game tables from now on; others may do so at the same time."""
        self.endings = endings

    def forget(self) -> None:
        """Begin as new: nothing learnt in earlier searches is left."""
        memset(self.histories, 0, cython.sizeof(Histories))
        memset(self.scratch, 0, cython.sizeof(Scratch))

    def place(self, positions: list, policy: DrawPolicy, salt: int) -> None:
        """Set up the root: the last of a game's positions, the others being its history."""
        last: cython.Py_ssize_t = len(positions) - 1
        position: Position = positions[last]
        earlier: Position
        memset(self.frames, 0, ALL_PLIES * cython.sizeof(Frame))
        for index in range(ALL_PLIES):
            self.frames[index].slot = NO_SLOT
        halve(self.histories)
        self.nodes = 0
        self.stack[0].state = position.state
        self.stack[0].pressing = self.variant.pressing(cython.address(position.state))
        self.draws_count = self.endings is None or self.endings.look_up(cython.address(position.state)) != 0
        self.policy = policy
        self.quiet_limit = policy.quiet_limit_in(self.variant)
        self.fade_plies = self.quiet_limit * 100 // max(self.options.fade_percent, 1)
        self.occurrences_limit = policy.occurrences_limit
        self.salt = salt
        window = positions[last - min(position.reversible_plies, last, MAX_PAST) : last]
        self.past = len(window)
        for index, earlier in enumerate(window):
            self.keys[index] = earlier.state.key
        self.keys[self.past] = position.state.key

    def poll(self):
        """Looks at the flag, the clock and the number of nodes."""
        if self.flag.raised or self.nodes >= self.node_limit:
            self.stopped = True
        elif self.deadline_us and now_us() >= self.deadline_us:
            self.stopped = True
        elif self.flag.deadline_us and now_us() >= self.flag.deadline_us:
            self.stopped = True
        self.next_poll = min(self.nodes + POLL_NODES, self.node_limit)

    def make(self, ply, m):
        """Plays a move from this ply's position into the next frame; False when it turns out to be unlawful."""
        frame: cython.pointer(Frame) = self.stack + ply
        child: cython.pointer(Frame) = frame + 1
        prefetch(self.table, likely_key(cython.address(frame.state), m) ^ self.salt)
        self.variant.play(cython.address(frame.state), m, cython.address(child.state))
        if not self.variant.generates_lawful and not self.variant.is_lawful(cython.address(child.state)):
            return False
        frame.move = m
        frame.slot = slot_of(frame.state.turn, m)
        self.keys[self.past + ply + 1] = child.state.key
        child.pressing = self.variant.pressing(cython.address(child.state))
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()
        return True

    def make_null(self, ply):
        """Passes the turn into the next frame."""
        frame: cython.pointer(Frame) = self.stack + ply
        child: cython.pointer(Frame) = frame + 1
        self.variant.pass_turn(cython.address(frame.state), cython.address(child.state))
        frame.move = 0
        frame.slot = NO_SLOT
        self.keys[self.past + ply + 1] = child.state.key
        child.pressing = 0
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()

    def table_key(self, ply):
        """The position's key; late among quiet plies the same position is worth less, and is kept apart."""
        s: cython.pointer(State) = cython.address(self.stack[ply].state)
        key: u64 = s.key ^ self.salt
        if self.quiet_limit and 5 * s.halfmoves > 3 * self.quiet_limit:
            key ^= quiet_key(s.halfmoves >> 2)
        return key

    def static_score(self, ply):
        """The evaluation, scaled down as a draw by quiet plies comes near."""
        key: u64 = self.stack[ply].state.key
        entry: cython.pointer(JudgedEntry) = cython.address(self.scratch.judged[key % JUDGED_ENTRIES])
        score: cython.int
        # The same positions come again and again, in other iterations and by other orders of moves.
        if entry.key != key:
            entry.key = key
            entry.score = self.evaluation.evaluate(self.stack, ply, self.scratch)
        score = entry.score
        if self.fade_plies:
            score = score * (self.fade_plies - self.stack[ply].state.halfmoves) // self.fade_plies
        return max(-SURE + 1, min(SURE - 1, score))

    def verdict_score(self, verdict, ply):
        """What an ending of variant.pxd is worth."""
        if verdict & 3 == WON:
            return WIN - ply
        if verdict & 3 == LOST:
            return ply - WIN
        return 0

    def repeated_ply(self, ply):
        """The ply that the position repeats (-1: one before the root, often enough to end the game), else NO_LEAN."""
        index: cython.int = self.past + ply
        furthest: cython.int = index - min(cython.cast(cython.int, self.stack[ply].state.reversible_plies), index)
        seen: cython.int = 1
        earlier: cython.int = index - 4
        while earlier >= furthest:
            if self.keys[earlier] == self.keys[index]:
                if earlier >= self.past:
                    return earlier - self.past
                seen += 1
                if seen == self.occurrences_limit:
                    return -1
            earlier -= 2
        return NO_LEAN

    def repetition_score(self, ply):
        """Nothing, a little less for the side that stands better: it should look for more."""
        score: cython.int = self.static_score(ply)
        if score > 2 * self.options.repeat_cp:
            return -self.options.repeat_cp
        if score < -2 * self.options.repeat_cp:
            return self.options.repeat_cp
        return 0

    def is_settled(self, ply, score):
        """Whether the game ends here, by the policy's draws too, or the next move wins; then fills the score in."""
        frame: cython.pointer(Frame) = self.stack + ply
        s: cython.pointer(State) = cython.address(frame.state)
        verdict: cython.int = self.variant.decided(s)
        frame.leans_on = NO_LEAN
        if verdict:
            score[0] = self.verdict_score(verdict, ply)
            return True
        if s.reversible_plies >= 4:
            frame.leans_on = self.repeated_ply(ply)
            if frame.leans_on != NO_LEAN:
                score[0] = self.repetition_score(ply)
                return True
        elif s.reversible_plies == 0 and self.policy.is_dead(self.variant, s):
            score[0] = 0
            return True
        if self.quiet_limit and s.halfmoves >= self.quiet_limit:
            score[0] = 0
            if frame.pressing and not self.variant.has_legal_move(s):
                score[0] = self.verdict_score(self.variant.without_moves(s), ply)
            return True
        if self.variant.threatens_win(s):
            score[0] = WIN - ply - 1
            return True
        return False

    def is_in_tables(self, ply, score):
        """Whether the end-game tables tell what comes of the position, in time; then fills the score in.

        A win that may come too late for the limit of quiet plies is left to the search, as is the loss it is to the
        other side.
        """
        s: cython.pointer(State) = cython.address(self.stack[ply].state)
        value: cython.int = self.endings.look_up(s)
        plies: cython.int = plies_of(value)
        if value == UNKNOWN or (value == 0 and not self.draws_count):
            return False
        if value and self.quiet_limit and s.halfmoves + plies > self.quiet_limit:
            return False
        score[0] = 0 if value == 0 else WIN - ply - plies if value > 0 else ply + plies - WIN
        return True

    def keep_line(self, ply, m):
        """The principal variation here: a move, and the child's after it."""
        length: cython.int = self.line_length[ply + 1]
        i: cython.int
        self.line[ply][0] = m
        for i in range(length):
            self.line[ply][i + 1] = self.line[ply + 1][i]
        self.line_length[ply] = length + 1
