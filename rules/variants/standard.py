"""Standard chess: FIDE's moves, a king that is never captured; the base class is this game."""


class Standard(Variant):
    """Standard chess."""

    key = "standard"
    name = "Standard"
    short = "Std"
    perf_key = "standard"
    pgn_name = "Standard"
    tablebase_suffix = "standard"
