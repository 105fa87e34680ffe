"""What is kept of every game, and how it is shown."""
