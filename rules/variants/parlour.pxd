from rules.variants.standard cimport Standard

cdef class Parlour(Standard):
    pass
