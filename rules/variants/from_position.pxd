from rules.variants.standard cimport Standard

cdef class FromPosition(Standard):
    pass
