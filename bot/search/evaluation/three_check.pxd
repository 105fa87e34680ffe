# The evaluation of three-check.
from bot.search.evaluation.orthodox cimport Maps, Orthodox
from rules.state cimport State

cdef enum:
    CHECKS_GIVEN = 900      # 3: by how many
    PRESSURE = 903          # 3: each piece that bears on the enemy king's ring, by checks given

cdef class ThreeCheck(Orthodox):
    cdef int king_safety(self, const State* s, const Maps* maps, int color) noexcept nogil
    cdef int winnable(self, const State* s, int score) noexcept nogil
