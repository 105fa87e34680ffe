"""Quiescence: captures, promotions and what else cannot wait are played out, then the position is judged.

Also the first and the last steps of any node, which the search above shares.
"""

import cython


class Quiescence(Worker):
    """Settles positions down to where a static judgement holds."""

    def quiesce(self, ply, level, alpha, beta):
        """The value once captures, promotions and what else cannot wait have been played out."""
        n: Node
        picker: Picker
        frame: cython.pointer(Frame) = self.stack + ply
        score: cython.int = 0
        if self.ends_early(ply, cython.address(alpha), cython.address(beta), cython.address(score)):
            return score
        n.ply = ply
        n.depth = 0
        n.alpha = alpha
        n.first_alpha = alpha
        n.beta = beta
        n.pv = beta - alpha > 1
        n.best = -INFINITE
        n.best_move = 0
        n.searched = 0
        n.endangered = frame.pressing != 0 and level < self.options.evasion_plies
        if self.table_ends(cython.address(n)):
            return n.best
        if n.endangered:
            n.evaluation = NO_SCORE
            begin(cython.address(picker), self.variant, frame, self.histories, n.hit.move, RESCUE)
        else:
            n.best = self.stand_pat(cython.address(n))
            if n.best >= beta:
                return n.best
            n.alpha = max(alpha, n.best)
            begin(
                cython.address(picker), self.variant, frame, self.histories, n.hit.move,
                CALM_THREATS if level < self.options.threat_plies else CALM,
            )  # fmt: skip
        self.try_forcing(cython.address(n), cython.address(picker), level)
        if self.stopped:
            return 0
        if n.endangered and n.searched == 0:
            n.best = self.without_moves_score(ply)
        if frame.leans_on >= ply:
            self.table.store(
                n.key, ply, n.best_move, n.best, 0, LOWER if n.best >= beta else EXACT if n.best > alpha else UPPER
            )
        return n.best

    def ends_early(self, ply, alpha, beta, score):
        """What any node looks at first: stop, the end of the game, the end of the stack, nearer wins elsewhere."""
        frame: cython.pointer(Frame) = self.stack + ply
        self.line_length[ply] = 0
        frame.leans_on = NO_LEAN
        if self.stopped:
            return True
        if ply > self.selective_depth:
            self.selective_depth = ply
        if self.is_settled(ply, score):
            return True
        if self.endings is not None and self.is_in_tables(ply, score):
            return True
        if ply >= MAX_PLY:
            score[0] = self.static_score(ply)
            return True
        alpha[0] = max(alpha[0], ply - WIN)
        beta[0] = min(beta[0], WIN - ply - 1)
        score[0] = alpha[0]
        return alpha[0] >= beta[0]

    def table_ends(self, n):
        """Looks the node up; True when what stands there is enough.  Near the root it never is: repetition."""
        n.key = self.table_key(n.ply)
        if self.stack[n.ply].excluded:
            n.hit.move = 0
            n.hit.depth = -1
            n.hit.bound = 0
            return False
        self.table.probe(n.key, n.ply, cython.address(n.hit))
        if n.pv or n.ply <= 2 or n.hit.depth < n.depth:
            return False
        n.best = n.hit.score
        return n.hit.bound == EXACT or n.hit.bound == (LOWER if n.hit.score >= n.beta else UPPER)

    def stand_pat(self, n):
        """The value of doing nothing, as the table corrects it."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        frame.evaluation = self.static_score(n.ply)
        n.evaluation = frame.evaluation
        if n.hit.bound == EXACT or n.hit.bound == (LOWER if n.hit.score > n.evaluation else UPPER):
            return n.hit.score
        return n.evaluation

    def try_forcing(self, n, picker, level):
        """Plays the picker's moves, save captures that cannot lift the score to alpha."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        need: cython.int
        m: Move
        while True:
            m = next_move(picker, self.variant)
            if not m:
                return
            if picker.noisy and not n.endangered:
                need = n.alpha - n.evaluation - self.options.delta_cp
                if need > 0 and not self.variant.exchange_at_least(cython.address(frame.state), m, need):
                    continue
            if not self.make(n.ply, m):
                continue
            n.searched += 1
            if self.accept(n, m, -self.quiesce(n.ply + 1, level + 1, -n.beta, -n.alpha)) or self.stopped:
                return

    def accept(self, n, m, value):
        """Takes a move's value in; True when it refutes."""
        frame: cython.pointer(Frame) = self.stack + n.ply
        if value <= n.best:
            return False
        n.best = value
        frame.leans_on = lean_of_child(frame, n.ply)
        if value <= n.alpha:
            return False
        n.best_move = m
        if value >= n.beta:
            return True
        n.alpha = value
        self.keep_line(n.ply, m)
        return False

    def without_moves_score(self, ply):
        """The score when no move was worth a try: the end of the game, or a king that cannot be saved."""
        s: cython.pointer(State) = cython.address(self.stack[ply].state)
        if not self.variant.has_check and self.variant.has_legal_move(s):
            return ply + 2 - WIN
        return self.verdict_score(self.variant.without_moves(s), ply)
