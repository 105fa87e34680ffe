# The evaluation of racing kings.
from rules.state cimport BLACK, KING, WHITE
from bot.search.evaluation.mobile cimport Mobile

cdef class RacingKings(Mobile):
    cdef void derive(self)
