"""End-game tables: the value of every position with few men, found backwards from the ends of games.

`material` lists the tables, `placement` numbers their positions, `solver` fills one, `tablebase` looks positions up and
judges them by their moves, `files` keeps tables on disk, and `generation` makes, opens and verifies them.

A value is a win, a loss or a draw for the side to move, and the number of plies to the end of the game when the winner
hurries and the loser delays: to mate, or to the king's capture.  So whoever always moves to the shortest win comes
nearer to it with every move.  Repetition is left out (a position that can only go round in circles is a draw), and so
is every limit of quiet plies: the distance tells whether a win comes in time.
"""
