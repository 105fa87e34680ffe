"""The evaluation of games that are played as chess is: a king to guard, pawns to promote.

Everything is counted for each side alike; the result is the difference, between midgame and endgame by what is left.
"""

import cython


class Orthodox(Evaluation):
    """Material, squares, mobility, pawn structure, threats and the king's safety."""

    LAYOUT = (
        ("material", MATERIAL, 6), ("squares", SQUARES, 192), ("knight_reach", KNIGHT_REACH, 9),
        ("bishop_reach", BISHOP_REACH, 14), ("rook_reach", ROOK_REACH, 15), ("queen_reach", QUEEN_REACH, 28),
        ("bishop_pair", BISHOP_PAIR, 1), ("rook_file", ROOK_FILE, 2), ("outpost", OUTPOST, 2),
        ("shielded_minor", SHIELDED_MINOR, 1), ("bishop_pawn", BISHOP_PAWN, 1), ("doubled", DOUBLED, 1),
        ("isolated", ISOLATED, 2), ("backward", BACKWARD, 2), ("phalanx", PHALANX, 8), ("supported", SUPPORTED, 8),
        ("passed", PASSED, 8), ("passed_free", PASSED_FREE, 8), ("passed_own_king", PASSED_OWN_KING, 8),
        ("passed_their_king", PASSED_THEIR_KING, 8), ("pawn_threat", PAWN_THREAT, 6),
        ("minor_threat", MINOR_THREAT, 6), ("rook_threat", ROOK_THREAT, 6), ("king_threat", KING_THREAT, 1),
        ("hanging", HANGING, 1), ("push_threat", PUSH_THREAT, 1), ("shelter", SHELTER, 8), ("storm", STORM, 8),
        ("open_king", OPEN_KING, 1), ("danger", DANGER, 32), ("tempo", TEMPO, 1),
    )  # fmt: skip

    def evaluate(self, stack, ply, scratch):
        """Centipawns for the side to move."""
        s: cython.pointer(cython.const[State]) = cython.address(stack[ply].state)
        maps: Maps
        score: cython.int
        self.survey(s, cython.address(maps))
        score = self.pawns(s, cython.address(maps), scratch)
        score += self.pieces(s, cython.address(maps), 0) - self.pieces(s, cython.address(maps), 1)
        score += self.king_safety(s, cython.address(maps), 0) - self.king_safety(s, cython.address(maps), 1)
        score += self.threats(s, cython.address(maps), 0) - self.threats(s, cython.address(maps), 1)
        score += self.passers(s, cython.address(maps), 0) - self.passers(s, cython.address(maps), 1)
        score += -self.weights[TEMPO] if s.turn else self.weights[TEMPO]
        score = self.tapered(s, cython.address(maps), score)
        return -score if s.turn else score

    def survey(self, s, maps):
        """What kings and pawns tell before the pieces are looked at."""
        color: cython.int
        pawns: u64
        attacks: u64
        maps.phase = 0
        for color in range(2):
            pawns = s.roles[PAWN] & s.colors[color]
            attacks = pawn_attacks_of(pawns, color)
            maps.king[color] = king_square(s, color)
            maps.by[color][PAWN] = attacks
            maps.by[color][KNIGHT] = 0
            maps.by[color][BISHOP] = 0
            maps.by[color][ROOK] = 0
            maps.by[color][QUEEN] = 0
            maps.by[color][KING] = KING_ATTACKS[maps.king[color]]
            maps.all[color] = attacks | maps.by[color][KING]
            maps.twice[color] = attacks & maps.by[color][KING]
            maps.ring[color] = maps.by[color][KING] | bit(maps.king[color])
            maps.ring[color] |= ahead(color, maps.ring[color])
            maps.units[color] = 0
            maps.attackers[color] = 0
        for color in range(2):
            pawns = s.roles[PAWN] & s.colors[color]
            # Pawns that cannot move, or have not, are no places for pieces to go to.
            pawns &= ahead(color ^ 1, occupied_of(s)) | rank_mask(6 if color else 1)
            maps.goals[color] = ~(maps.by[color ^ 1][PAWN] | pawns | bit(maps.king[color]))

    def pawns(self, s, maps, scratch):
        """Pawn structure, White's less Black's, remembered by the pawns' squares."""
        white: u64 = s.roles[PAWN] & s.colors[0]
        black: u64 = s.roles[PAWN] & s.colors[1]
        key: u64 = mixed(white, black)
        entry: cython.pointer(PawnEntry) = cython.address(scratch.pawns[key % PAWN_ENTRIES])
        if entry.key != key:
            entry.key = key
            entry.score = self.pawns_of(s, 0, cython.address(entry.passed[0]))
            entry.score -= self.pawns_of(s, 1, cython.address(entry.passed[1]))
        maps.passed[0] = entry.passed[0]
        maps.passed[1] = entry.passed[1]
        return entry.score

    def pawns_of(self, s, color, passed):
        """Structure of one side's pawns, with their material and squares; fills in which are passed."""
        own: u64 = s.roles[PAWN] & s.colors[color]
        theirs: u64 = s.roles[PAWN] & s.colors[color ^ 1]
        left: u64 = own
        score: cython.int = 0
        square: cython.int
        rank: cython.int
        here: u64
        front: u64
        neighbours: u64
        half_open: cython.int
        passed[0] = 0
        while left:
            square = lsb(left)
            here = left & -left
            left &= left - 1
            rank = relative_rank(color, square)
            front = ranks_ahead(color, square >> 3)
            neighbours = beside(file_mask(square & 7))
            half_open = 0 if theirs & front & file_mask(square & 7) else 1
            score += self.men[color][PAWN][square]
            if not theirs & front & (neighbours | file_mask(square & 7)) and not own & front & file_mask(square & 7):
                passed[0] |= here
            if own & front & file_mask(square & 7):
                score += self.weights[DOUBLED]
            if beside(here) & own:
                score += self.weights[PHALANX + rank]
            if ahead(color ^ 1, beside(here)) & own:
                score += self.weights[SUPPORTED + rank]
            if not neighbours & own:
                score += self.weights[ISOLATED + half_open]
            elif not neighbours & own & ~front and pawn_attacks_of(theirs, color ^ 1) & ahead(color, here):
                score += self.weights[BACKWARD + half_open]
        return score

    def pieces(self, s, maps, color):
        """Knights to queens of one side: squares, mobility, posts; fills in what they attack."""
        own: u64 = s.colors[color]
        men: u64
        role: cython.int
        score: cython.int = self.men[color][KING][maps.king[color]]
        for role in range(KNIGHT, KING):
            men = s.roles[role] & own
            while men:
                score += self.piece(s, maps, color, role, lsb(men))
                men &= men - 1
        men = s.roles[BISHOP] & own
        if men & (men - 1):
            score += self.weights[BISHOP_PAIR]
        return score

    def piece(self, s, maps, color, role, square):
        """One knight, bishop, rook or queen."""
        occupied: u64 = occupied_of(s)
        pawns: u64 = s.roles[PAWN] & s.colors[color]
        score: cython.int = self.men[color][role][square]
        attacks: u64
        reach: cython.int
        if role == KNIGHT:
            attacks = KNIGHT_ATTACKS[square]
            reach = KNIGHT_REACH
            maps.phase += 1
        elif role == BISHOP:
            attacks = bishop_attacks(square, occupied & ~s.roles[QUEEN])
            reach = BISHOP_REACH
            maps.phase += 1
        elif role == ROOK:
            attacks = rook_attacks(square, occupied & ~(s.roles[QUEEN] | (s.roles[ROOK] & s.colors[color])))
            reach = ROOK_REACH
            maps.phase += 2
        else:
            attacks = rook_attacks(square, occupied) | bishop_attacks(square, occupied)
            reach = QUEEN_REACH
            maps.phase += 4
        maps.twice[color] |= maps.all[color] & attacks
        maps.all[color] |= attacks
        maps.by[color][role] |= attacks
        score += self.weights[reach + popcount(attacks & maps.goals[color])]
        if attacks & maps.ring[color ^ 1]:
            maps.attackers[color] += 1
            maps.units[color] += attacker_units(role) + popcount(attacks & maps.ring[color ^ 1])
        if role == ROOK:
            if not pawns & file_mask(square & 7):
                score += self.weights[ROOK_FILE + (0 if s.roles[PAWN] & file_mask(square & 7) else 1)]
        elif role <= BISHOP:
            if ahead(color, bit(square)) & s.roles[PAWN]:
                score += self.weights[SHIELDED_MINOR]
            if outposts(color) & maps.by[color][PAWN] & bit(square):
                if not ranks_ahead(color, square >> 3) & beside(file_mask(square & 7)) & s.roles[PAWN] & ~pawns:
                    score += self.weights[OUTPOST + role - KNIGHT]
            if role == BISHOP:
                score += self.weights[BISHOP_PAWN] * popcount(pawns & same_color(square))
        return score

    def king_safety(self, s, maps, color):
        """How safe one side's king is: its pawns, the pawns that come, and the pieces that bear on it."""
        score: cython.int = self.shelter(s, maps, color)
        them: cython.int = color ^ 1
        king: cython.int = maps.king[color]
        occupied: u64 = occupied_of(s) & ~(s.roles[QUEEN] & s.colors[color])
        frail: u64 = ~maps.all[color] | maps.by[color][KING] | maps.by[color][QUEEN]
        weak: u64 = maps.all[them] & ~maps.twice[color] & frail
        safe: u64 = ~s.colors[them] & (~maps.all[color] | (weak & maps.twice[them]))
        straight: u64 = rook_attacks(king, occupied) & safe
        slanting: u64 = bishop_attacks(king, occupied) & safe
        units: cython.int = maps.units[them]
        if not s.roles[QUEEN] & s.colors[them]:
            units -= 14
        if maps.attackers[them] > 1:
            units += 3 * (maps.attackers[them] - 1)
        units += 3 * popcount(maps.ring[color] & weak)
        if straight & maps.by[them][ROOK]:
            units += 14
        if (straight | slanting) & maps.by[them][QUEEN]:
            units += 11
        if slanting & maps.by[them][BISHOP]:
            units += 8
        if KNIGHT_ATTACKS[king] & safe & maps.by[them][KNIGHT]:
            units += 12
        if units > 0:
            score -= self.weights[DANGER + min(units // 3, 31)]
        return score

    def shelter(self, s, maps, color):
        """Own and enemy pawns on the king's file and the two beside it."""
        king: cython.int = maps.king[color]
        middle: cython.int = min(max(king & 7, 1), 6)
        front: u64 = ranks_ahead(color, king >> 3) | rank_mask(king >> 3)
        own: u64 = s.roles[PAWN] & s.colors[color] & front
        theirs: u64 = s.roles[PAWN] & s.colors[color ^ 1] & front
        score: cython.int = 0
        file: cython.int
        pawns: u64
        for file in range(middle - 1, middle + 2):
            pawns = own & file_mask(file)
            score += self.weights[SHELTER + (relative_rank(color, nearest(color, pawns)) if pawns else 0)]
            pawns = theirs & file_mask(file)
            score += self.weights[STORM + (relative_rank(color, nearest(color, pawns)) if pawns else 0)]
            if not s.roles[PAWN] & file_mask(file):
                score += self.weights[OPEN_KING]
        return score

    def threats(self, s, maps, color):
        """What one side attacks that the other should mind."""
        theirs: u64 = s.colors[color ^ 1] & ~s.roles[KING]
        guarded: u64 = maps.by[color ^ 1][PAWN] | (maps.twice[color ^ 1] & ~maps.twice[color])
        loose: u64 = theirs & ~guarded & maps.all[color]
        score: cython.int = 0
        role: cython.int
        pushes: u64
        for role in range(KNIGHT, KING):
            score += self.weights[PAWN_THREAT + role] * popcount(theirs & s.roles[role] & maps.by[color][PAWN])
        for role in range(PAWN, KING):
            score += self.weights[MINOR_THREAT + role] * popcount(
                theirs & s.roles[role] & ~maps.by[color ^ 1][PAWN] & (maps.by[color][KNIGHT] | maps.by[color][BISHOP])
            )
            score += self.weights[ROOK_THREAT + role] * popcount(loose & s.roles[role] & maps.by[color][ROOK])
        if loose & maps.by[color][KING]:
            score += self.weights[KING_THREAT]
        score += self.weights[HANGING] * popcount(loose & (~maps.all[color ^ 1] | (maps.twice[color] & ~s.roles[PAWN])))
        pushes = ahead(color, s.roles[PAWN] & s.colors[color]) & ~occupied_of(s)
        pushes |= ahead(color, pushes & rank_mask(5 if color else 2)) & ~occupied_of(s)
        pushes &= ~maps.by[color ^ 1][PAWN] & (maps.all[color] | ~maps.all[color ^ 1])
        pushes = pawn_attacks_of(pushes, color) & theirs & ~s.roles[PAWN] & ~maps.by[color][PAWN]
        return score + self.weights[PUSH_THREAT] * popcount(pushes)

    def passers(self, s, maps, color):
        """Passed pawns: how far, how free, and whose king is near."""
        pawns: u64 = maps.passed[color]
        score: cython.int = 0
        square: cython.int
        rank: cython.int
        stop: u64
        while pawns:
            square = lsb(pawns)
            stop = ahead(color, pawns & -pawns)
            pawns &= pawns - 1
            rank = relative_rank(color, square)
            score += self.weights[PASSED + rank]
            if rank < 3:
                continue
            score += self.weights[PASSED_OWN_KING + distance(maps.king[color], lsb(stop))]
            score += self.weights[PASSED_THEIR_KING + distance(maps.king[color ^ 1], lsb(stop))]
            if not stop & occupied_of(s) and not (stop & maps.all[color ^ 1] & ~maps.all[color]):
                score += self.weights[PASSED_FREE + rank]
        return score

    def tapered(self, s, maps, packed):
        """One number for White, from midgame and endgame and the men that are left."""
        phase: cython.int = min(maps.phase, FULL_PHASE)
        score: cython.int = (midgame(packed) * phase + endgame(packed) * (FULL_PHASE - phase)) // FULL_PHASE
        return self.winnable(s, score) if maps.phase <= ENDING_PHASE else score

    def tempered(self, s, score):
        """The same for a score of the mover that is whole already."""
        pieces: u64 = occupied_of(s) & ~(s.roles[PAWN] | s.roles[KING])
        phase: cython.int = popcount(pieces) + popcount(s.roles[ROOK]) + 3 * popcount(s.roles[QUEEN])
        if phase > ENDING_PHASE:
            return score
        return -self.winnable(s, -score) if s.turn else self.winnable(s, score)

    def winnable(self, s, score):
        """An advantage scaled down where it is hard to win with, and guided where it is easy."""
        strong: cython.int = 0 if score > 0 else 1
        own: cython.int = pieces_worth(s, strong)
        gap: cython.int = own - pieces_worth(s, strong ^ 1)
        bishops: u64 = s.roles[BISHOP]
        if not s.roles[PAWN] & s.colors[strong]:
            if own < 500:
                return score // 16
            if gap <= 330 and s.roles[PAWN] | s.colors[strong ^ 1] & ~s.roles[KING]:
                return score // 8 if own <= 660 else score // 4
            if popcount(s.colors[strong]) == 3 and popcount(s.roles[KNIGHT] & s.colors[strong]) == 2:
                return score // 16
        if own == 330 and gap == 0 and bishops and popcount(bishops) == 2 and popcount(bishops & same_color(0)) == 1:
            return score // 2
        if gap >= 400 and not s.roles[PAWN] & s.colors[strong ^ 1]:
            return score + (self.mop_up(s, strong) if strong == 0 else -self.mop_up(s, strong))
        return score

    def mop_up(self, s, strong):
        """Drive the weak king to the edge (for bishop and knight: to the bishop's corner), the own king near it."""
        king: cython.int = king_square(s, strong)
        weak: cython.int = king_square(s, strong ^ 1)
        bishops: u64 = s.roles[BISHOP] & s.colors[strong]
        edge: cython.int = max(3 - (weak & 7), (weak & 7) - 4) + max(3 - (weak >> 3), (weak >> 3) - 4)
        score: cython.int = 12 * edge + 8 * (7 - distance(king, weak))
        if pieces_worth(s, strong) == 650 and bishops:
            # the diagonal between the two corners is the furthest from them
            corner: cython.int = weak if bishops & same_color(0) else weak ^ 7
            score += 60 * abs(7 - (corner & 7) - (corner >> 3)) + 20 * (7 - distance(king, weak))
        return score
