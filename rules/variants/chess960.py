"""Chess960: standard chess from one of 960 first ranks; castling is king takes rook."""

from rules.variants.standard import Standard


class Chess960(Standard):
    """Chess960; its usual start, number 518, is that of standard chess."""

    key = "chess960"
    name = "Chess960"
    short = "960"
    perf_key = "chess960"
    pgn_name = "Chess960"
    chess960 = True
