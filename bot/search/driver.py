"""The root of a search: moves, iterations, aspiration, and when to stop.

The move is that of the last finished iteration, or one that the iteration in progress has proven better.
"""

import cython


class Driver(Searcher):
    """Thinks about one position at a time; not to be used by two threads at once."""

    def think(self, limits: dict, flag: StopFlag, on_iteration=None) -> dict:
        """Search the root set up by `place`; without a limit, until the flag is up.

        `limits` may hold time_us, soft_us, depth and nodes; `on_iteration` is given what `result` returns.

        Raises: ValueError when there is no legal move; whatever `on_iteration` raises.
        """
        self.begun_us = now_us()
        self.flag = flag
        self.on_iteration = on_iteration
        self.reporting = on_iteration is not None
        self.failure = None
        self.nodes = 0
        self.stopped = False
        self.node_limit = limits.get("nodes") or (1 << 62)
        self.next_poll = 1
        self.depth_limit = min(limits.get("depth") or MAX_PLY - 1, MAX_PLY - 1)
        self.soft_us = limits.get("soft_us") or 0
        # The first iteration costs next to nothing: it is finished whatever the clock says.
        self.deadline_us = 0
        self.null_from = 0
        with cython.nogil:
            self.list_root()
        if self.root_count == 0:
            raise ValueError("there is no legal move to think about")
        hard_us: cython.longlong = limits.get("time_us") or 0
        with cython.nogil:
            self.aspire()
            if hard_us:
                self.deadline_us = self.begun_us + hard_us
                self.next_poll = self.nodes
            self.iterate()
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
        }

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
        self.stack[0].evaluation = NO_SCORE if self.stack[0].checkers else self.static_score(0)
        self.stack[0].leans_on = NO_LEAN
        self.depth = 0
        self.score = 0
        self.earlier_score = 0
        self.steady = 0
        for i in range(self.root_count):
            self.root[i].move = moves[i]
            self.root[i].nodes = 0
            self.root[i].length = 1
            self.root[i].line[0] = moves[i]
            self.root[i].selective_depth = 0
        for i in range(1, self.root_count):
            if moves[i] == hit.move:
                self.bring_forward(i)

    def iterate(self):
        """Goes deeper, after the first iteration, until a limit is reached."""
        while not self.stopped:
            self.finish_iteration()
            if self.depth >= self.depth_limit or self.is_enough():
                return
            self.aspire()

    def aspire(self):
        """One iteration: a narrow window round the last score, widened as it fails."""
        depth: cython.int = self.depth + 1
        less: cython.int = 0
        margin: cython.int = self.options.aspiration_cp
        alpha: cython.int = -INFINITE
        beta: cython.int = INFINITE
        value: cython.int
        i: cython.int
        self.root_depth = depth
        self.iteration_nodes = self.nodes
        for i in range(self.root_count):
            self.root[i].nodes = 0
        if margin and depth >= 5 and abs(self.score) < SURE:
            alpha = self.score - margin
            beta = self.score + margin
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
        """The value of the root within a window; moves that raise alpha come to the front."""
        best: cython.int = -INFINITE
        value: cython.int
        i: cython.int
        for i in range(self.root_count):
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
        if self.stack[1].checkers and self.options.check_extension:
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
        """Makes a root move the best one, with its line."""
        root: cython.pointer(RootMove) = cython.address(self.root[index])
        i: cython.int
        self.keep_line(0, root.move)
        root.length = self.line_length[0]
        for i in range(root.length):
            root.line[i] = self.line[0][i]
        self.stack[0].leans_on = lean_of_child(self.stack, 0)
        self.score = value
        if index:
            self.steady = 0
        self.bring_forward(index)

    def bring_forward(self, index):
        """Moves a root move to the front; the others keep their order."""
        chosen: RootMove = self.root[index]
        i: cython.int = index
        while i > 0:
            self.root[i] = self.root[i - 1]
            i -= 1
        self.root[0] = chosen

    def finish_iteration(self):
        """Stores the root, puts the moves that took most work first, and reports."""
        moved: RootMove
        i: cython.int
        j: cython.int
        self.depth = self.root_depth
        self.steady += 1
        if self.stack[0].leans_on == NO_LEAN:
            self.table.store(self.table_key(0), 0, self.root[0].move, self.score, self.depth, EXACT)
        for i in range(2, self.root_count):
            moved = self.root[i]
            j = i
            while j > 1 and self.root[j - 1].nodes < moved.nodes:
                self.root[j] = self.root[j - 1]
                j -= 1
            self.root[j] = moved
        if self.reporting:
            self.report()

    def is_enough(self):
        """Whether another iteration is not worth its time; asked only where time is managed (a soft limit)."""
        spent: cython.longlong
        percent: cython.longlong
        drop: cython.int = self.earlier_score - self.score
        self.earlier_score = self.score
        if not self.soft_us:
            return False
        if self.root_count == 1 or (abs(self.score) >= SURE and self.depth > WIN - abs(self.score) + 2):
            return True
        spent = now_us() - self.begun_us
        # Long settled moves that took most of the work need less time; a falling score needs more.
        percent = 150 - cython.cast(
            cython.longlong, 80 * self.root[0].nodes // max(self.nodes - self.iteration_nodes, 1)
        )
        percent -= 5 * min(self.steady, 8)
        percent += max(min(drop, 50), 0)
        return spent * 100 >= self.soft_us * percent

    def report(self):
        """Tells the listener; what it raises ends the search and is raised again by `think`."""
        try:
            self.on_iteration(self.result())
        except BaseException as error:
            self.failure = error
            self.stopped = True
