from rules.variants.standard cimport Standard

cdef class Chess960(Standard):
    pass
