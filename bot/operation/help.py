"""The commands that a running bot takes."""

from __future__ import annotations

from typing import Final

HELP: Final = {
    "status": "how every account fares, and its games",
    "games": "the running games with their addresses",
    "health": "whether all is well",
    "pause [ACCOUNT]": "begin no games for now",
    "resume [ACCOUNT]": "begin games again",
    "challenge NAME [3+2] [VARIANT] [rated] [white] [from ACCOUNT]": "ask somebody for a game",
    "open [3+2] [VARIANT] [rated] [white] [from ACCOUNT]": "make a challenge for whoever is given its address",
    "join ARENA": "take part in an arena",
    "leave ARENA": "take part in it no more",
    "reload": "read the configuration anew",
    "finish": "stop when the running games have ended",
    "stop": "stop soon; what still runs then is resumed at the next start",
    "help": "this list",
}
