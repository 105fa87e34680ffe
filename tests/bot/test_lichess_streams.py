"""Streams over HTTP: each line as it comes, silence noticed, and no way to hang."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from bot.config import Network
from bot.lichess import Lichess
from bot.transport import Limited, Refused, ServerTrouble, Unreachable
from tests.bot.clients import TOKEN, client
from tests.bot.loopback import Exchange, loopback

# where it is not the waiting that is tested, a busy machine has its time
PATIENT = Network(stall_timeout_s=30)

def test_a_stream_gives_every_line_and_blank_ones_too() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.open_stream()
        for piece in (b'{"a":1}\n\n{"b"', b":2}", b"\n", '{"t":"x\u2028y"}\n'.encode(), b""):
            exchange.chunk(piece)

    with loopback(answer) as server:
        assert list(client(server).game("abcdefgh")) == ['{"a":1}', "", '{"b":2}', '{"t":"x\u2028y"}']


def test_a_stream_that_falls_silent_is_noticed_and_keep_alives_hold_it() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.open_stream()
        for _ in range(4):
            exchange.chunk(b"\n")
            exchange.server.over.wait(0.15)
        exchange.server.over.wait(5)

    with loopback(answer) as server:
        lines = []
        began = time.monotonic()
        with pytest.raises(Unreachable, match="no answer in time"):
            for line in client(server).events():
                lines.append(line)
        assert lines == ["", "", "", ""]
        assert 0.5 < time.monotonic() - began < 2


def test_a_stream_cut_in_the_middle_is_unreachable() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.chunk(b'{"a":1}\n')
        exchange.close_connection = True

    with loopback(answer) as server, pytest.raises(Unreachable):
        list(client(server).events())


def test_a_refused_stream_is_refused() -> None:
    with loopback(lambda exchange: exchange.reply_json({"error": "No such game"}, 404)) as server:
        with pytest.raises(Refused) as caught:
            Lichess(server.url, TOKEN, PATIENT).game("abcdefgh")
        assert caught.value.status == 404


def test_a_web_page_where_a_stream_was_expected_is_server_trouble() -> None:
    with loopback(lambda exchange: exchange.reply(200, "<html>please log in</html>", "text/html")) as server:
        lichess = Lichess(server.url, TOKEN, PATIENT)
        for open_stream in (lichess.events, partial(lichess.game, "abcdefgh")):
            with pytest.raises(ServerTrouble):
                open_stream()


def test_a_stream_can_be_closed_under_its_reader() -> None:
    def answer(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.chunk(b'{"a":1}\n')
        exchange.server.over.wait(5)

    with loopback(answer) as server:
        stream = Lichess(server.url, TOKEN, PATIENT).events()
        read: list[str] = []
        first = threading.Event()

        def reader() -> None:
            for line in stream:
                read.append(line)
                first.set()

        thread = threading.Thread(target=reader)
        thread.start()
        assert first.wait(5)
        stream.close()
        thread.join(2)
        assert not thread.is_alive()
        assert read == ['{"a":1}']


def test_closing_ends_the_wait_for_a_pause() -> None:
    with loopback(lambda exchange: exchange.reply(429, "", Retry_After="600")) as server:
        lichess = client(server)
        with pytest.raises(Limited):
            lichess.account()
        closer = threading.Timer(0.1, lichess.close)
        closer.start()
        with pytest.raises(Unreachable, match="shutting down"):
            lichess.account()
        closer.join()
