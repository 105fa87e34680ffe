"""The search of a node: principal variation search, with quiescence below it.

A node is settled by the rules, answered by the table, pruned by a static judgement or a null move, or searched move by
move.  Every margin and switch stands in `Options`, of which each game has its own.
"""

import cython


class Searcher(Quiescence):
    """Searches nodes; a value that was cut short by `stopped` means nothing."""

    def __init__(self, table, variant, evaluation, options: dict) -> None:
        depth: cython.int
        count: cython.int
        Quiescence.__init__(self, table, variant, evaluation, options)
        for depth in range(1, 64):
            for count in range(1, 64):
                plies = (0.8 + log(depth) * log(count) / 2.25) * self.options.reductions / 100
                self.reduction_table[depth][count] = int(plies)

    def search(self, ply, depth, alpha, beta, cut):
        """The value of the position at this ply for its mover, searched to a depth; fails soft."""
        n: Node
        picker: Picker
        score: cython.int = 0
        if depth <= 0:
            return self.quiesce(ply, 0, alpha, beta)
        if self.ends_early(ply, cython.address(alpha), cython.address(beta), cython.address(score)):
            return score
        n.ply = ply
        n.depth = depth
        n.alpha = alpha
        n.first_alpha = alpha
        n.beta = beta
        n.pv = beta - alpha > 1
        n.cut = cut
        n.best = -INFINITE
        n.best_move = 0
        if self.table_ends(cython.address(n)):
            return n.best
        self.assess(cython.address(n))
        if self.prune(cython.address(n)):
            return n.best
        if self.stopped:
            return 0
        if self.probe_cut(cython.address(n), cython.address(picker)):
            return n.best
        if n.depth >= 4 and not n.hit.move and not self.stack[ply].excluded:
            n.depth -= 1
        n.best = -INFINITE
        self.try_moves(cython.address(n), cython.address(picker))
        if self.stopped:
            return 0
        self.leave(cython.address(n))
        return n.best

    def assess(self, n):
        """The static view of the node."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        n.endangered = frame.pressing != 0
        n.searched = 0
        n.quiets = 0
        n.noisies = 0
        n.aimed = False
        n.hushed = False
        n.improving = False
        n.hash_noisy = n.hit.move != 0 and self.variant.is_noisy(cython.address(frame.state), n.hit.move)
        (frame + 2).killers[0] = 0
        (frame + 2).killers[1] = 0
        if n.endangered:
            frame.evaluation = NO_SCORE
            n.evaluation = NO_SCORE
            return
        if not frame.excluded:
            frame.evaluation = self.static_score(n.ply)
        n.evaluation = frame.evaluation
        if n.hit.bound == EXACT or n.hit.bound == (LOWER if n.hit.score > n.evaluation else UPPER):
            n.evaluation = n.hit.score
        if n.ply >= 2 and (frame - 2).evaluation != NO_SCORE:
            n.improving = frame.evaluation > (frame - 2).evaluation
        elif n.ply >= 4 and (frame - 4).evaluation != NO_SCORE:
            n.improving = frame.evaluation > (frame - 4).evaluation

    def prune(self, n):
        """Whether a static judgement, a null move or a shallow look is enough; then fills `best` in."""
        margin: cython.int
        if n.pv or n.endangered or self.stack[n.ply].excluded or abs(n.beta) >= SURE:
            return False
        if self.options.reverse_futility_cp and n.depth <= 8 and n.evaluation < SURE:
            margin = self.options.reverse_futility_cp * (n.depth - n.improving)
            if n.evaluation - margin >= n.beta:
                n.best = n.evaluation - margin // 2
                return True
        if self.options.razoring_cp and n.depth <= 3 and n.evaluation + self.options.razoring_cp * n.depth < n.alpha:
            n.best = self.quiesce(n.ply, 0, n.alpha, n.alpha + 1)
            if n.best <= n.alpha:
                return True
        return self.options.null_move > 0 and not self.stopped and self.null_move_refutes(n)

    def null_move_refutes(self, n):
        """Whether even passing the turn holds beta; deep down that is verified, as zugzwang may deceive."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        score: cython.int
        depth: cython.int
        if n.depth < 2 or n.evaluation < n.beta or frame.evaluation < n.beta - 20 * n.depth + 100:
            return False
        if (frame - 1).move == 0 or not self.variant.may_pass(cython.address(frame.state)):
            return False
        if n.ply < self.null_from:
            return False
        depth = n.depth - self.options.null_move - n.depth // 4 - min((n.evaluation - n.beta) // 200, 3)
        self.make_null(n.ply)
        score = -self.search(n.ply + 1, depth, -n.beta, 1 - n.beta, not n.cut)
        if self.stopped or score < n.beta:
            return False
        n.best = n.beta if score > SURE else score
        frame.leans_on = lean_of_child(frame, n.ply)
        if n.depth < 12:
            return True
        self.null_from = n.ply + 3 * max(depth, 1) // 4
        score = self.search(n.ply, max(depth, 1), n.beta - 1, n.beta, False)
        self.null_from = 0
        return not self.stopped and score >= n.beta

    def probe_cut(self, n, picker):
        """Whether a capture that wins much holds beta by a margin in a shallower search."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        goal: cython.int = n.beta + self.options.probe_cut_cp
        score: cython.int
        m: Move
        frame.leans_on = NO_LEAN
        if not self.options.probe_cut_cp or n.depth < 5 or n.pv or n.endangered or frame.excluded:
            return False
        if abs(n.beta) >= SURE - 1000 or (n.hit.depth >= n.depth - 3 and n.hit.score < goal):
            return False
        begin(picker, self.variant, frame, self.histories, n.hit.move, CALM)
        while True:
            m = next_move(picker, self.variant)
            if not m:
                return False
            if not self.variant.exchange_at_least(cython.address(frame.state), m, goal - frame.evaluation):
                continue
            if not self.make(n.ply, m):
                continue
            score = -self.quiesce(n.ply + 1, 0, -goal, 1 - goal)
            if score >= goal:
                score = -self.search(n.ply + 1, n.depth - 4, -goal, 1 - goal, not n.cut)
            if self.stopped:
                return False
            if score >= goal:
                n.best = score
                n.best_move = m
                frame.leans_on = lean_of_child(frame, n.ply)
                if frame.leans_on == NO_LEAN:
                    self.table.store(n.key, n.ply, m, score, n.depth - 3, LOWER)
                return True

    def plan(self, n):
        """Which moves the node wants; where no rule forces it, a king may be left hanging by a move that repeats."""
        s: cython.pointer(State) = cython.address(self.stack[n.ply].state)
        if not n.endangered:
            return WHOLE
        return RESCUE if self.variant.has_check or s.reversible_plies < 3 else WHOLE

    def try_moves(self, n, picker):
        """Searches the moves in the picker's order until one refutes."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        plies: cython.int
        m: Move
        begin(picker, self.variant, frame, self.histories, n.hit.move, self.plan(n))
        while True:
            m = next_move(picker, self.variant)
            if not m:
                return
            if m == frame.excluded:
                continue
            if self.skips(n, picker, m) and not self.endangers(n, m):
                continue
            plies = self.extension(n, m)
            if self.stopped or n.best >= n.beta:
                return
            if not self.make(n.ply, m):
                continue
            n.searched += 1
            if self.accept(n, m, self.value_of(n, picker, m, n.depth - 1 + plies)) or self.stopped:
                if not self.stopped:
                    self.learn(n, picker.noisy)
                return
            if not picker.noisy and n.quiets < TRIED:
                n.quiet_moves[n.quiets] = m
                n.quiets += 1
            elif picker.noisy and n.noisies < TRIED:
                n.noisy_moves[n.noisies] = m
                n.noisies += 1

    def skips(self, n, picker, m):
        """Whether a move is too unlikely to matter this near the leaves; never before one that does not lose."""
        s: cython.pointer(State) = cython.address(self.stack[n.ply].state)
        depth: cython.int
        if n.best <= -SURE:
            return False
        if picker.noisy:
            if not self.options.exchange_noisy_cp or n.depth > 7 or m == n.hit.move:
                return False
            return not self.variant.exchange_at_least(s, m, -self.options.exchange_noisy_cp * n.depth)
        if n.endangered:
            return False
        depth = max(n.depth - self.reduction_table[min(n.depth, 63)][min(n.searched + 1, 63)], 0)
        if self.options.late_moves and n.depth <= 8:
            if n.searched >= (self.options.late_moves + n.depth * n.depth) // (2 - n.improving):
                if not n.hushed:
                    self.hush(n, picker)
                return True
        if self.options.futility_cp and depth <= 7:
            if n.evaluation + self.options.futility_cp * (depth + 1) <= n.alpha:
                return True
        if depth <= 4 and picker.score < -4000 * (depth + 1):
            return True
        if not self.options.exchange_quiet_cp or depth > 7:
            return False
        return not self.variant.exchange_at_least(s, m, -self.options.exchange_quiet_cp * depth * depth)

    def extension(self, n, m):
        """Plies to add for a hash move that alone holds; when another holds beta as well the node ends in `best`."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        score: cython.int
        goal: cython.int
        if m != n.hit.move or frame.excluded:
            return 0
        if not self.options.singular_depth or n.depth < self.options.singular_depth:
            return 0
        if n.hit.depth < n.depth - 3 or not n.hit.bound & LOWER or abs(n.hit.score) >= SURE:
            return 0
        if n.ply >= 2 * self.root_depth:
            return 0
        goal = n.hit.score - 2 * n.depth
        frame.excluded = m
        score = self.search(n.ply, (n.depth - 1) // 2, goal - 1, goal, n.cut)
        frame.excluded = 0
        frame.leans_on = NO_LEAN
        if self.stopped:
            return 0
        if score < goal:
            return 2 if not n.pv and score < goal - 20 else 1
        if goal >= n.beta and not n.pv:
            n.best = goal
            return 0
        return -1 if n.hit.score >= n.beta else 0

    def value_of(self, n, picker, m, depth):
        """The value of the child just made: reduced and with a null window first, as the move's place suggests."""
        child: cython.int = n.ply + 1
        value: cython.int = n.alpha + 1
        less: cython.int = 0
        if self.options.check_extension and self.stack[child].pressing and n.ply < 2 * self.root_depth:
            if self.variant.exchange_at_least(cython.address(self.stack[n.ply].state), m, 0):
                depth += 1
        if n.searched > 1 and n.depth >= 3:
            less = max(min(self.reduction(n, picker), depth - 1), 0)
        if less:
            value = -self.search(child, depth - less, -n.alpha - 1, -n.alpha, True)
            if value <= n.alpha or self.stopped:
                return value
        if not n.pv or n.searched > 1:
            value = -self.search(child, depth, -n.alpha - 1, -n.alpha, not n.cut)
        if n.pv and (n.searched == 1 or value > n.alpha) and not self.stopped:
            value = -self.search(child, depth, -n.beta, -n.alpha, False)
        return value

    def reduction(self, n, picker):
        """Plies that a late move is searched less."""
        less: cython.int
        if not self.options.reductions:
            return 0
        less = self.reduction_table[min(n.depth, 63)][min(n.searched, 63)]
        if picker.noisy:
            return less // 2 - (self.stack[n.ply + 1].pressing != 0)
        less += n.cut + (not n.improving) + n.hash_noisy
        less -= n.pv + picker.special + (self.stack[n.ply + 1].pressing != 0) + n.endangered
        return less - max(-2, min(2, picker.score // HISTORY_LIMIT))

    def endangers(self, n, m):
        """Whether a move attacks the enemy king."""
        s: cython.pointer(State) = cython.address(self.stack[n.ply].state)
        if not n.aimed:
            n.aimed = True
            self.variant.aim(s, cython.address(n.aims))
        return self.variant.attacks_king(s, cython.address(n.aims), m)

    def hush(self, n, picker):
        """Leaves of the quiet moves to come those that attack the enemy king: the others come too late."""
        kept: cython.int = picker.next
        i: cython.int
        n.hushed = True
        for i in range(picker.next, picker.end):
            if self.endangers(n, picker.moves[i]):
                picker.moves[kept] = picker.moves[i]
                picker.worth[kept] = picker.worth[i]
                kept += 1
        picker.end = kept

    def learn(self, n, noisy):
        """Rewards the move that refuted, and counts down those that were tried before it."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        h: cython.pointer(Histories) = self.histories
        s: cython.pointer(State) = cython.address(frame.state)
        bonus: cython.int = min(160 * n.depth - 80, 1600)
        i: cython.int
        for i in range(n.noisies):
            reward(capture_entry(h, s, n.noisy_moves[i]), -bonus)
        if noisy:
            reward(capture_entry(h, s, n.best_move), bonus)
            return
        if frame.killers[0] != n.best_move:
            frame.killers[1] = frame.killers[0]
            frame.killers[0] = n.best_move
        h.replies[(frame - 1).slot] = n.best_move
        if n.depth > 2 or n.quiets:
            reward_quiet(h, frame, n.best_move, bonus)
        for i in range(n.quiets):
            reward_quiet(h, frame, n.quiet_moves[i], -bonus)

    def leave(self, n):
        """Settles a node without moves, and stores what holds on every path to the position."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        bound: cython.int = LOWER if n.best >= n.beta else EXACT if n.best > n.first_alpha else UPPER
        if frame.excluded:
            n.best = n.first_alpha if n.searched == 0 else n.best
            return
        if n.searched == 0 and n.best == -INFINITE:
            n.best = self.without_moves_score(n.ply)
            bound = EXACT
        if frame.leans_on < n.ply:
            bound = 0
        self.table.store(n.key, n.ply, n.best_move, n.best, n.depth, bound)
