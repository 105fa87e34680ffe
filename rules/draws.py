"""When play stops without a winner, and the order of the tests that follow a move.

A game is a variant and one of these policies.  `order` names the tests: mate, variantEnd (what the position itself
decides), stalemate (or noMoves), deadMaterial, repetition, quietPlies.
"""

import cython

LICHESS_ORDER = ("mate", "variantEnd", "stalemate", "deadMaterial", "repetition", "quietPlies")


class DrawPolicy:
    """Lichess's policy, and the base of the others."""

    def __init__(self, name: str, quiet_limit: int, occurrences_limit: int, order: tuple = LICHESS_ORDER) -> None:
        self.name = name
        self.quiet_limit = quiet_limit
        self.occurrences_limit = occurrences_limit
        self.order = order

    def __repr__(self):
        return f"<{self.name} draw policy>"

    def is_dead(self, variant, s):
        """Whether the material left ends the game: on Lichess, when neither side can win."""
        return not variant.can_win(s, WHITE) and not variant.can_win(s, BLACK)

    def dead(self, position: Position) -> bool:
        """Whether the material left ends the game."""
        return self.is_dead(position.variant, cython.address(position.state))

    def quiet_limit_in(self, variant: Variant) -> int:
        """The limit of quiet plies in this game, 0 for none: men that can be dropped have no such limit."""
        return 0 if variant.has_pocket else self.quiet_limit


class EnginePolicy(DrawPolicy):
    """The practice board's: only a bare king against at most one minor piece is dead."""

    def is_dead(self, variant, s):
        if popcount(occupied_of(s)) > 3 or s.roles[PAWN] | s.roles[ROOK] | s.roles[QUEEN]:
            return False
        return not variant.can_win(s, WHITE) and not variant.can_win(s, BLACK)


class ParlourPolicy(DrawPolicy):
    """The parlour's table: minor pieces, at most one a side, or two knights against a bare king."""

    def is_dead(self, variant, s):
        minors: u64 = s.roles[KNIGHT] | s.roles[BISHOP]
        white: cython.int = popcount(minors & s.colors[WHITE])
        black: cython.int = popcount(minors & s.colors[BLACK])
        if s.roles[PAWN] | s.roles[ROOK] | s.roles[QUEEN]:
            return False
        if white <= 1 and black <= 1:
            return True
        return white + black == 2 and not s.roles[BISHOP]


class SparkPolicy(DrawPolicy):
    """Spark's: its material draws belong to the position itself."""

    def is_dead(self, variant, s):
        return False


LICHESS = DrawPolicy("lichess", 100, 5)
# Where a player is a bot, the server claims the third occurrence at once.
LICHESS_WITH_BOT = DrawPolicy("lichessWithBot", 100, 3)
ENGINE = EnginePolicy("engine", 100, 3)
# Decision: the parlour's 50 moves are counted over both players together; repetition ends nothing there.
PARLOUR = ParlourPolicy("parlour", 50, 0, ("mate", "stalemate", "deadMaterial", "quietPlies"))
# Decision: Spark tests in this order: the king's capture and the material draws, repetition, no legal move.
SPARK = SparkPolicy("spark", 0, 2, ("variantEnd", "repetition", "noMoves"))


def for_game(variant: Variant, with_bot: bool, engine: bool = False) -> DrawPolicy:
    """The policy of a game: the variant's own where it has one, else Lichess's, or the engine policy if asked for."""
    if variant.own_policy is not None:
        return variant.own_policy
    if engine:
        return ENGINE
    return LICHESS_WITH_BOT if with_bot else LICHESS
