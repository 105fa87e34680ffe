"""Material, squares and mobility: what every game with pieces has, and the maps that its further terms are made of."""

import cython


class Mobile(Evaluation):
    """Counts for each side alike; a game adds its own terms in `further`."""

    LAYOUT = (
        ("material", 0, 6), ("squares", 6, 192), ("knight_reach", MOBILE_KNIGHT, 9),
        ("bishop_reach", MOBILE_BISHOP, 14), ("rook_reach", MOBILE_ROOK, 15), ("queen_reach", MOBILE_QUEEN, 28),
        ("tempo", MOBILE_TEMPO, 1),
    )  # fmt: skip

    def evaluate(self, stack, ply, scratch):
        """Centipawns for the side to move."""
        s: cython.pointer(cython.const[State]) = cython.address(stack[ply].state)
        reach: Reach
        score: cython.int
        self.survey(s, cython.address(reach))
        score = self.mobility(s, cython.address(reach), 0) - self.mobility(s, cython.address(reach), 1)
        score += self.further(s, cython.address(reach), 0) - self.further(s, cython.address(reach), 1)
        score += -self.weights[MOBILE_TEMPO] if s.turn else self.weights[MOBILE_TEMPO]
        score = self.finished(s, reach.phase, score)
        return -score if s.turn else score

    def survey(self, s, reach):
        """What kings and pawns tell before the pieces are looked at; a side may be without a king."""
        color: cython.int
        around: u64
        reach.phase = 0
        for color in range(2):
            reach.king[color] = king_square(s, color)
            around = 0 if reach.king[color] == NO_SQUARE else KING_ATTACKS[reach.king[color]]
            reach.pawns[color] = pawn_attacks_of(s.roles[PAWN] & s.colors[color], color)
            reach.minors[color] = 0
            reach.rooks[color] = 0
            reach.queens[color] = 0
            reach.pieces[color] = around
            reach.twice[color] = 0
            reach.ring[color] = around | (s.roles[KING] & s.colors[color])
            reach.units[color] = 0
            reach.attackers[color] = 0

    def mobility(self, s, reach, color):
        """Men of one side on their squares, and how far its pieces reach; fills in what they attack."""
        occupied: u64 = occupied_of(s)
        own: u64 = s.colors[color]
        goals: u64 = ~(own | reach.pawns[color ^ 1])
        role: cython.int
        square: cython.int
        men: u64
        attacks: u64
        score: cython.int = 0
        for role in range(6):
            # A man in hand counts like one on the board, on no square in particular.
            score += self.weights[role] * s.pocket[color][role]
            men = s.roles[role] & own
            while men:
                square = lsb(men)
                men &= men - 1
                score += self.men[color][role][square]
                if role == PAWN or role == KING:
                    continue
                attacks = piece_attacks(role, square, occupied)
                reach.twice[color] |= reach.pieces[color] & attacks
                reach.pieces[color] |= attacks
                score += self.weights[reach_of(role) + popcount(attacks & goals)]
                reach.phase += phase_of(role)
                if role <= BISHOP:
                    reach.minors[color] |= attacks
                elif role == ROOK:
                    reach.rooks[color] |= attacks
                else:
                    reach.queens[color] |= attacks
                if attacks & reach.ring[color ^ 1]:
                    reach.attackers[color] += 1
                    reach.units[color] += weight_of(role) + popcount(attacks & reach.ring[color ^ 1])
        return score

    def further(self, s, reach, color):
        """What the game adds for one side: nothing here."""
        return 0

    def finished(self, s, phase, packed):
        """One number for White, from midgame and endgame and the men that are left."""
        phase = min(phase, WHOLE_PHASE)
        return (midgame(packed) * phase + endgame(packed) * (WHOLE_PHASE - phase)) // WHOLE_PHASE
