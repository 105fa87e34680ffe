"""Parlour chess: the moves of standard chess; it differs in how a game is drawn, in its clock and in its ratings.

Draws come of themselves after 50 plies without a pawn move or a capture, by stalemate and by a table of dead material;
repetition ends nothing.  The draw policy holds them.  Source: the chess tables of a public games portal.
"""

from rules import draws
from rules.variants.standard import Standard


class Parlour(Standard):
    """Parlour chess, played on our own hosts only."""

    key = "parlour"
    name = "Parlour chess"
    short = "Parlour"
    uci_name = "parlour"
    perf_key = "parlour"
    pgn_name = "Parlour"
    own_policy = draws.PARLOUR
    lichess = False
