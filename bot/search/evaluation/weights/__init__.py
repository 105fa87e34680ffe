"""What things are worth, by game: tables of (midgame, endgame) pairs in centipawns, tuned on games of our own.

Half boards go from rank 1 up, and from the a-file to the d-file; the other wing mirrors them.
"""
