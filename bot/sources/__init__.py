"""Moves from elsewhere, before the search is asked: books, tables, sites, other programs, an author's own function.

`source` says what a source is asked and answers, `guard` sees to it that none of them costs a move, `consultation`
asks those that a game may ask, `opening` makes them of the configuration. Every other module is one kind of source.
Boards of python-chess are made here only (`boards`), from our positions; an answer that our rules do not hold legal is
dropped.
"""
