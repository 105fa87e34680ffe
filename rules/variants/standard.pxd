from rules.variant cimport Variant

cdef class Standard(Variant):
    pass
