"""The plain state of a game and the code of a move; all of it is in the header, to be inlined."""
