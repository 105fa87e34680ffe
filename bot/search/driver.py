"""The root of a search: moves, iterations, aspiration, and when to stop.

The move is that of the last finished iteration, or one that the iteration in progress has proven better.
"""

import cython


class Driver(Forcing):
    """Thinks about one position at a time; not to be used by two threads at once."""

    def think(self, limits: dict, flag: StopFlag, on_iteration=None) -> dict:
        """Search the root set up by `place`; without a limit, until the flag is up.

        `limits` may hold time_us, soft_us, depth, nodes, mate (moves), lines (how many), moves (codes: the only ones
        to be looked at) and ahead; `on_iteration` is given what `result` returns.

        Raises: ValueError when there is no legal move; whatever `on_iteration` raises.
        """
        self.begun_us = now_us()
        self.flag = flag
        self.on_iteration = on_iteration
        self.reporting = on_iteration is not None
        self.failure = None
        self.stopped = False
        self.node_limit = limits.get("nodes") or (1 << 62)
        self.next_poll = 1
        self.depth_limit = min(limits.get("depth") or MAX_PLY - 1, MAX_PLY - 1)
        self.soft_us = limits.get("soft_us") or 0
        hard_us: cython.longlong = limits.get("time_us") or 0
        # The first iteration mostly costs next to nothing: it has a moment even where there is no time at all.
        self.deadline_us = self.begun_us + max(hard_us, FIRST_ITERATION_US) if hard_us else 0
        self.null_from = 0
        self.mate_moves = min(limits.get("mate") or 0, MAX_PLY)
        self.ahead = limits.get("ahead") or 0
        with cython.nogil:
            self.list_root()
        self.restricted = False
        if "moves" in limits:
            self.restrict(limits["moves"])
        self.lines = max(min(limits.get("lines") or 1, self.root_count), 1)
        if self.root_count == 0:
            raise ValueError("there is no legal move to think about")
        with cython.nogil:
            self.aspire()
            if not self.wins_by_force(hard_us):
                if hard_us:
                    self.deadline_us = self.begun_us + hard_us
                    self.next_poll = self.nodes
                self.iterate()
                if self.stopped and self.depth:
                    self.settle()
        if self.failure is not None:
            raise self.failure
        return self.result()

    def result(self) -> dict:
        """What is known so far; moves as codes, the score in the search's own scale."""
        best: cython.pointer(RootMove) = cython.address(self.root[0])
        return {
            "line": [best.line[index] for index in range(best.length)],
            "score": self.score,
            "depth": self.depth,
            "selective_depth": max(best.selective_depth, self.depth),
            "nodes": self.nodes,
            "time_us": now_us() - self.begun_us,
            "others": self.others(),
        }

    def others(self) -> list[dict]:
        """The lines after the best one, as far as they are known."""
        found: list = []
        root: cython.pointer(RootMove)
        for number in range(1, self.lines):
            root = cython.address(self.root[number])
            if root.score == -INFINITE:
                break
            line = [root.line[index] for index in range(root.length)]
            deepest = max(root.selective_depth, self.depth)
            found.append({"line": line, "score": root.score, "selective_depth": deepest})
        return found

    def restrict(self, codes: list[int]) -> None:
        """Leave only these moves at the root."""
        kept: cython.int = 0
        for index in range(self.root_count):
            if self.root[index].move in codes:
                self.root[kept] = self.root[index]
                kept += 1
        self.restricted = kept < self.root_count
        self.root_count = kept

    def key_at_root(self) -> int:
        """The table's key of the position set up, for tests."""
        return self.table_key(0)

    def list_root(self):
        """The legal moves, the one that the table knows first."""
        moves: Move[MAX_MOVES]
        hit: Hit
        i: cython.int
        self.root_count = self.variant.legal_moves_into(cython.address(self.stack[0].state), moves)
        self.table.probe(self.table_key(0), 0, cython.address(hit))
        self.stack[0].evaluation = NO_SCORE if self.stack[0].pressing else self.static_score(0)
        self.first = 0
        self.depth = 0
        self.score = 0
        self.earlier_score = 0
        self.steady = 0
        for i in range(self.root_count):
            self.root[i].move = moves[i]
            self.root[i].score = -INFINITE
            self.root[i].leans_on = NO_LEAN
            self.root[i].nodes = 0
            self.root[i].length = 1
            self.root[i].line[0] = moves[i]
            self.root[i].selective_depth = 0
        for i in range(1, self.root_count):
            if moves[i] == hit.move:
                self.bring_forward(i)

    def wins_by_force(self, hard_us):
        """Whether threats alone win from the root, as far as a share of the limits tells; that is then the result."""
        plies: cython.int = self.options.forced_plies
        found: cython.int
        i: cython.int
        if plies == 0 or self.stopped or self.ahead or self.lines > 1 or abs(self.score) >= SURE:
            return False
        if hard_us:
            self.deadline_us = self.begun_us + hard_us // BUDGET_SHARE
            self.next_poll = self.nodes
        found = self.forced_win(min(plies, 2 * self.mate_moves - 1) if self.mate_moves else plies)
        self.stopped = False
        self.deadline_us = 0
        self.next_poll = self.nodes
        for i in range(self.root_count):
            if found and self.root[i].move == self.line[0][0]:
                self.stack[1].leans_on = NO_LEAN
                self.take_best(i, WIN - found)
                self.root_depth = found
                self.finish_iteration()
                return True
        return False

    def iterate(self):
        """Goes deeper, after the first iteration, until a limit is reached."""
        while not self.stopped:
            self.finish_iteration()
            if self.depth >= self.depth_limit or self.is_proven() or self.is_enough():
                return
            self.aspire()

    def aspire(self):
        """One iteration: the best line, then as many more as are wanted, each without the first moves before it."""
        number: cython.int
        i: cython.int
        self.root_depth = self.depth + 1
        if self.ahead and (self.root_depth + self.ahead) & 1 and self.root_depth < self.depth_limit:
            self.root_depth += 1
        self.iteration_nodes = self.nodes
        for i in range(self.root_count):
            self.root[i].nodes = 0
        for number in range(self.lines):
            self.first = number
            self.aspire_line(self.root_depth)
            if self.stopped:
                return

    def aspire_line(self, depth):
        """One line: a narrow window round its last score, widened as it fails."""
        score: cython.int = self.root[self.first].score
        less: cython.int = 0
        margin: cython.int = self.options.aspiration_cp
        alpha: cython.int = -INFINITE
        beta: cython.int = INFINITE
        value: cython.int
        if margin and depth >= 5 and abs(score) < SURE:
            alpha = score - margin
            beta = score + margin
        while True:
            value = self.search_root(max(depth - less, 1), alpha, beta)
            if self.stopped:
                return
            if value <= alpha and alpha > -INFINITE:
                beta = (alpha + beta) // 2
                alpha = max(value - margin, -INFINITE)
                less = 0
            elif value >= beta and beta < INFINITE:
                beta = min(value + margin, INFINITE)
                less = min(less + 1, 2)
            else:
                return
            margin += margin // 2 + 5
            if margin > 800:
                alpha = -INFINITE
                beta = INFINITE

    def search_root(self, depth, alpha, beta):
        """The value of the line within a window; moves that raise alpha come to its front."""
        best: cython.int = -INFINITE
        value: cython.int
        i: cython.int
        for i in range(self.first, self.root_count):
            value = self.root_value(i, depth, alpha, beta)
            if self.stopped:
                return best
            if value > best:
                best = value
            if value > alpha:
                self.take_best(i, value)
                alpha = value
                if value >= beta:
                    break
        return best

    def root_value(self, index, depth, alpha, beta):
        """The value of one root move."""
        root: cython.pointer(RootMove) = cython.address(self.root[index])
        before: u64 = self.nodes
        value: cython.int = alpha + 1
        less: cython.int = 0
        noisy: cython.bint = self.variant.is_noisy(cython.address(self.stack[0].state), root.move)
        self.selective_depth = 0
        self.make(0, root.move)
        depth -= 1
        index -= self.first
        if self.stack[1].pressing and self.options.check_extension:
            depth += 1
        elif index > 2 and depth >= 3 and self.options.reductions and not noisy:
            less = max(self.reduction_table[min(depth, 63)][min(index, 63)] - 1, 0)
        if less:
            value = -self.search(1, depth - less, -alpha - 1, -alpha, True)
        if index and value > alpha and not self.stopped:
            value = -self.search(1, depth, -alpha - 1, -alpha, True)
        if value > alpha and not self.stopped:
            value = -self.search(1, depth, -beta, -alpha, False)
        root.nodes += self.nodes - before
        root.selective_depth = self.selective_depth
        return value

    def take_best(self, index, value):
        """Makes a root move the best one of the line."""
        root: cython.pointer(RootMove) = cython.address(self.root[index])
        i: cython.int
        self.keep_line(0, root.move)
        root.length = self.line_length[0]
        for i in range(root.length):
            root.line[i] = self.line[0][i]
        root.leans_on = lean_of_child(self.stack, 0)
        root.score = value
        if not self.first:
            self.score = value
            if index:
                self.steady = 0
        self.bring_forward(index)

    def bring_forward(self, index):
        """Moves a root move to the front of the line; the others keep their order."""
        chosen: RootMove = self.root[index]
        i: cython.int = index
        while i > self.first:
            self.root[i] = self.root[i - 1]
            i -= 1
        self.root[self.first] = chosen

    def finish_iteration(self):
        """Stores the root, puts the moves that took most work first, and reports."""
        moved: RootMove
        i: cython.int
        j: cython.int
        self.depth = self.root_depth
        self.steady += 1
        self.rank_lines()
        if self.root[0].leans_on == NO_LEAN and not self.restricted:
            self.table.store(self.table_key(0), 0, self.root[0].move, self.score, self.depth, EXACT)
        for i in range(self.lines + 1, self.root_count):
            moved = self.root[i]
            j = i
            while j > self.lines and self.root[j - 1].nodes < moved.nodes:
                self.root[j] = self.root[j - 1]
                j -= 1
            self.root[j] = moved
        self.settled = self.root[0]
        if self.reporting:
            self.report()

    def settle(self):
        """After an iteration that was cut short: the best line first.

        Where its move now looks lost, and no other was found better, the others were not all tried: such a loss is
        not proven, and what was known before stands.
        """
        self.rank_lines()
        if self.score < -SURE and self.settled.score >= -SURE and self.root[0].move == self.settled.move:
            self.root[0] = self.settled
            self.score = self.settled.score

    def rank_lines(self):
        """Puts the lines into the order of their scores: a later one may have come out better."""
        moved: RootMove
        i: cython.int
        j: cython.int
        for i in range(1, self.lines):
            moved = self.root[i]
            j = i
            while j > 0 and self.root[j - 1].score < moved.score:
                self.root[j] = self.root[j - 1]
                j -= 1
            self.root[j] = moved
            if j == 0:
                self.steady = 0
        self.score = self.root[0].score

    def is_proven(self):
        """Whether the game is won, or lost, within as many moves as were asked for."""
        return self.mate_moves and abs(self.score) > SURE and WIN - abs(self.score) <= 2 * self.mate_moves

    def is_enough(self):
        """Whether another iteration is not worth its time; asked only where time is managed (a soft limit)."""
        spent: cython.longlong
        percent: cython.longlong
        soft_us: cython.longlong = self.flag.soft_us or self.soft_us
        drop: cython.int = self.earlier_score - self.score
        self.earlier_score = self.score
        if not soft_us:
            return False
        if self.root_count == 1 and self.depth >= ONLY_MOVE_DEPTH:
            return True
        if abs(self.score) >= SURE and self.depth > WIN - abs(self.score) + 2:
            return True
        spent = now_us() - (self.flag.soft_from_us if self.flag.soft_us else self.begun_us)
        # Long settled moves that took most of the work need less time; a falling score needs more.
        percent = 150 - cython.cast(
            cython.longlong, 80 * self.root[0].nodes // max(self.nodes - self.iteration_nodes, cython.cast(u64, 1))
        )
        percent -= 5 * min(self.steady, 8)
        percent += max(min(drop, 50), 0)
        return spent * 100 >= soft_us * percent

    def report(self):
        """Tells the listener; what it raises ends the search and is raised again by `think`."""
        try:
            self.on_iteration(self.result())
        except BaseException as error:
            self.failure = error
            self.stopped = True
