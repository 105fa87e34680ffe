"""From Position: standard chess from a given FEN, which may castle as Chess960 does."""

from rules.variants.standard import Standard


class FromPosition(Standard):
    """Standard chess from any position; never rated."""

    key = "fromPosition"
    name = "From Position"
    short = "FEN"
    perf_key = "standard"
    pgn_name = "From Position"
    chess960 = True
    needs_fen = True
