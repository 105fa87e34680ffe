"""Centella, a bot that plays chess, its variants and Spark Chess on Lichess."""

__version__ = "0.1.0"
