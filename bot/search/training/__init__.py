"""Learning an evaluation: games that the engine plays against itself, their records, and what is made of them."""
