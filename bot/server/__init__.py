"""A local Lichess: the Bot and Board APIs over HTTP, for any client that lets its server be chosen."""
