"""What is said in one game, and to whom."""

from __future__ import annotations

import logging

from bot import __version__, chat
from bot.chat import SPECTATORS, Scene
from bot.following import FollowedGame
from bot.surroundings import Surroundings
from bot.wire import ChatLine
from rules import variants
from rules.move import Color

logger = logging.getLogger(__name__)

PLAYERS = "player"
GREETED_BEFORE_PLIES = 2


class Talk:
    """Hands lines to the account's speaker; nothing here waits."""

    def __init__(self, game: FollowedGame, surroundings: Surroundings) -> None:
        self._game = game
        self._around = surroundings
        self._settings = surroundings.config.chat

    def greet(self, plies: int) -> None:
        """Greet, unless the game has been going on."""
        if plies < GREETED_BEFORE_PLIES:
            self._say(self._settings.greeting, self._settings.greeting_spectators)

    def take_leave(self) -> None:
        """Say goodbye."""
        self._say(self._settings.goodbye, self._settings.goodbye_spectators)

    def hear(self, line: ChatLine, score_cp: int | None, takebacks_left: int) -> str | None:
        """Answer a command; the level that was chosen, if one was."""
        logger.debug("game %s: %s says %r in %s", self._game.full.id, line.username, line.text, line.room)
        scene = self._scene(score_cp, takebacks_left)
        reply = chat.reply(line, scene, self._settings)
        if reply is None:
            return None
        self._around.speaker.say(self._game.full.id, line.room, reply.text)
        return reply.level

    def _say(self, to_players: str | None, to_spectators: str | None) -> None:
        game, scene = self._game, self._scene(None, 0)
        if to_players is not None and (self._settings.bots or not game.opponent.is_machine):
            self._around.speaker.say(game.full.id, PLAYERS, chat.greeting(to_players, scene))
        if to_spectators is not None:
            self._around.speaker.say(game.full.id, SPECTATORS, chat.greeting(to_spectators, scene))

    def _scene(self, score_cp: int | None, takebacks_left: int) -> Scene:
        game, around = self._game, self._around
        ours = game.full.white if game.color is Color.WHITE else game.full.black
        humans, strength, crowd = around.config.accept.humans, around.config.strength, around.crowd()
        may_choose = not game.opponent.is_machine and game.mode in strength.levels_in
        return Scene(
            account_id=around.account_id,
            me=ours.shown_name,
            opponent=game.opponent.shown_name,
            opponent_is_machine=game.opponent.is_machine,
            we_are_white=game.color is Color.WHITE,
            variant=game.variant.name,
            speed=game.full.speed,
            version=__version__,
            played=[each.name for each in variants.ALL if each.key in (*humans.casual, *humans.rated)],
            playing=crowd.playing,
            places=crowd.places,
            waiting=crowd.waiting,
            takebacks_left=takebacks_left,
            score_cp=score_cp,
            levels=tuple(strength.levels) if may_choose else (),
        )
