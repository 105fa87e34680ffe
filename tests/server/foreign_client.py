"""Two clients as other people have written them, by what the contract says of lichess-bot and BotLi.

They differ in patience, spelling and habits; each habit that a server could trip over is kept, the bad ones too.
"""
from __future__ import annotations

import json
import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import chess
import chess.variant
import requests

Json = dict[str, Any]


class ForeignClient(ABC):
    """What both have in common: a token, absolute paths below the configured address, python-chess for the rules."""

    call_s: float
    move_s: float
    silence_s: float

    def __init__(self, url: str, token: str, user_agent: str) -> None:
        self.url = url
        self.token = token
        self.http = requests.Session()
        self.http.headers.update({"Authorization": f"Bearer {token}", "User-Agent": user_agent})

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.http.get(urljoin(self.url, path), timeout=self.call_s, **options)

    def post(self, path: str, **options: Any) -> requests.Response:
        timeout_s = options.pop("timeout_s", self.call_s)
        return self.http.post(urljoin(self.url, path), timeout=timeout_s, **options)

    def stream(self, path: str) -> Iterator[bytes]:
        """The lines of a stream, blank ones too; a silence that is too long is an error."""
        response = requests.get(
            urljoin(self.url, path), headers=self.http.headers, stream=True, timeout=(self.call_s, self.silence_s)
        )
        response.raise_for_status()
        return response.iter_lines(chunk_size=None)

    def events(self) -> Iterator[Json]:
        return (json.loads(line) for line in self.stream("/api/stream/event") if line.strip())

    def accept(self, challenge_id: str) -> None:
        self.post(f"/api/challenge/{challenge_id}/accept").raise_for_status()

    def chat(self, game_id: str, text: str, room: str = "player") -> None:
        form = {"room": room, "text": text}
        self.post(f"/api/bot/game/{game_id}/chat", data=form, timeout_s=self.move_s).raise_for_status()

    def move(self, game_id: str, move: chess.Move, *, offering_draw: bool = False) -> bool:
        """Send a move; false when it is refused, as after a repetition that has ended the game meanwhile."""
        path = f"/api/bot/game/{game_id}/move/{move}"
        params = {"offeringDraw": str(offering_draw).lower()}
        response = self.post(path, params=params, timeout_s=self.move_s)
        if response.status_code != 400:
            response.raise_for_status()
        return response.ok

    def online_bots(self) -> list[Json]:
        return [json.loads(line) for line in self.get("/api/bot/online").text.splitlines() if line.strip()]

    @abstractmethod
    def follow_game(self, game_id: str, chance: random.Random) -> chess.Board:
        """Play one game to its end; its last position."""

    def choose(self, board: chess.Board, chance: random.Random) -> chess.Move:
        """Any move, though rather one that captures: games shall end."""
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move)]
        return chance.choice(captures if captures and chance.random() < 0.7 else moves)


class LichessBotLike(ForeignClient):
    """Rebuilds the board from the whole list of moves, and parses the first line of a game as JSON, come what may."""

    call_s = 2.0
    move_s = 2.0
    silence_s = 15.0

    def __init__(self, url: str, token: str) -> None:
        # Its configuration has a slash at the end of the address.
        super().__init__(url + "/", token, "lichess-bot/2026.11 user:slashbot")

    def check_token(self) -> Json:
        tested: Json = self.post("/api/token/test", data=self.token).json()
        scopes = tested[self.token]["scopes"].split(",")
        assert "bot:play" in scopes
        account: Json = self.get("/api/account").json()
        return account

    def ongoing(self) -> list[Json]:
        games: list[Json] = self.get("/api/account/playing").json()["nowPlaying"]
        return games

    def challenge(self, opponent: str, **terms: object) -> Json:
        challenge: Json = self.post(f"/api/challenge/{opponent}", json=terms).json()
        return challenge

    def decline(self, challenge_id: str, reason: str) -> None:
        self.post(f"/api/challenge/{challenge_id}/decline", data={"reason": reason}).raise_for_status()

    def follow_game(self, game_id: str, chance: random.Random) -> chess.Board:
        lines = self.stream(f"/api/bot/game/stream/{game_id}")
        full = json.loads(next(lines))
        color = chess.WHITE if full["white"].get("id") == self.check_token()["id"] else chess.BLACK
        state, answered = full["state"], None
        while True:
            board = self._board(full, state["moves"])
            if state["status"] not in ("created", "started"):
                return board
            if board.turn == color and answered != state["moves"] and not board.is_game_over():
                answered = state["moves"]
                self.move(game_id, self.choose(board, chance))
            state = next(each for each in map(json.loads, filter(None, lines)) if each["type"] == "gameState")

    @staticmethod
    def _board(full: Json, moves: str) -> chess.Board:
        """Chosen by the variant's *name*."""
        name, start = full["variant"]["name"], full["initialFen"]
        board: chess.Board
        if start != "startpos" and name in ("Chess960", "From Position"):
            board = chess.Board(start, chess960=True)
        else:
            board = chess.variant.find_variant(name)()
        for move in moves.split():
            board.push_uci(move)
        return board


class BotLiLike(ForeignClient):
    """Sends forms, insists on a clock, and pushes only the last move of each state."""

    call_s = 5.0
    move_s = 1.0
    silence_s = 9.0

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token, "BotLi/2.0 user:hastybot")

    def scopes(self) -> str:
        scopes: str = self.post("/api/token/test", data=self.token).json()[self.token]["scopes"]
        return scopes

    def account(self) -> Json:
        account: Json = self.get("/api/account").json()
        assert "error" not in account
        return account

    def status_of(self, username: str) -> Json:
        status: Json = self.get("/api/users/status", params={"ids": username}).json()[0]
        return status

    def challenge(self, opponent: str, variant: str, limit_s: int, increment_s: int, color: str) -> Iterator[Json]:
        """The lines of the reply as they come: the challenge, then what has become of it."""
        form = {
            "rated": "false",
            "clock.limit": limit_s,
            "clock.increment": increment_s,
            "color": color,
            "variant": variant,
            "keepAliveStream": "true",
        }
        response = self.http.post(
            urljoin(self.url, f"/api/challenge/{opponent}"), data=form, stream=True, timeout=(self.call_s, 60.0)
        )
        return (json.loads(line) for line in response.iter_lines(chunk_size=None) if line.strip())

    def claim_victory(self, game_id: str) -> requests.Response:
        return self.post(f"/api/bot/game/{game_id}/claim-victory")

    def follow_game(self, game_id: str, chance: random.Random) -> chess.Board:
        lines = self.stream(f"/api/bot/game/stream/{game_id}")
        full = next(each for each in map(json.loads, filter(None, lines)) if each["type"] == "gameFull")
        assert full["clock"]["initial"] >= 0 and full["state"]["wtime"] >= 0
        is_white = full["white"].get("name", "AI") == self.account()["username"]
        board = self._board(full)
        state = full["state"]
        while state["status"] == "started":
            if board.turn == is_white and not board.is_game_over():
                self.move(game_id, self.choose(board, chance))
            state = next(each for each in map(json.loads, filter(None, lines)) if each["type"] == "gameState")
            if len(state["moves"].split()) > len(board.move_stack):
                board.push_uci(state["moves"].split()[-1])
        return board

    @staticmethod
    def _board(full: Json) -> chess.Board:
        name, start = full["variant"]["name"], full["initialFen"]
        if name == "Standard":
            board = chess.Board()
        elif name in ("Chess960", "From Position"):
            board = chess.Board(start, chess960=True)
        else:
            board = chess.variant.find_variant(name)()
        for move in full["state"]["moves"].split():
            board.push_uci(move)
        return board


class Rehearsal:
    """Lets a client accept whatever it is challenged to, and play every game in a thread of its own."""

    def __init__(self, client: ForeignClient, name: str, games: int) -> None:
        self.client = client
        self.name = name
        self.boards: dict[str, chess.Board] = {}
        self.problems: list[str] = []
        self.finished: dict[str, str] = {}
        self.reading, self.over = threading.Event(), threading.Event()
        self._games = games
        threading.Thread(target=self._follow_events, daemon=True).start()

    def _follow_events(self) -> None:
        playing = []
        for event in self.client.events():
            self.reading.set()
            if event["type"] == "challenge" and event["challenge"]["challenger"]["id"] != self.name:
                self.client.accept(event["challenge"]["id"])
            elif event["type"] == "gameStart":
                playing.append(threading.Thread(target=self._play, args=(event["game"]["id"],), daemon=True))
                playing[-1].start()
            elif event["type"] == "gameFinish":
                self.finished[event["game"]["id"]] = event["game"]["status"]["name"]
                if len(self.finished) == self._games:
                    break
        for thread in playing:
            thread.join()
        self.over.set()

    def _play(self, game_id: str) -> None:
        try:
            self.boards[game_id] = self.client.follow_game(game_id, random.Random(len(self.boards)))
        except Exception as error:
            self.problems.append(f"{self.name} {game_id}: {error!r}")
