"""Places: exact while games come and go."""

from __future__ import annotations

from bot.places import Guest, Places

PERSON = Guest("rival")
MACHINE = Guest("fusebox", bot=True)
SLOW = Guest("slowpoke", slow=True)


def test_live_games_bots_and_slow_games_are_counted_apart() -> None:
    places = Places()
    places.reserve("one", PERSON, 10.0)
    places.reserve("two", MACHINE, 10.0)
    places.take("three", SLOW)
    assert (places.live, places.live_bots, places.slow, places.expected_bots) == (2, 1, 1, 1)
    places.take("two", MACHINE)
    assert (places.live, places.live_bots, places.expected_bots) == (2, 1, 0)
    assert (places.with_player("Rival"), places.with_player("nobody")) == (1, 0)


def test_a_reservation_lapses_and_a_running_game_does_not() -> None:
    places = Places()
    places.reserve("one", PERSON, 10.0)
    places.reserve("two", PERSON, 20.0)
    places.take("two", PERSON)
    assert places.next_deadline() == 10.0
    assert places.take_overdue(30.0) == ["one"]
    assert "two" in places
    assert places.live == 1


def test_a_running_game_is_not_cancelled_nor_reserved_anew() -> None:
    places = Places()
    places.take("one", PERSON)
    places.cancel("one")
    places.reserve("one", PERSON, 5.0)
    assert places.take_overdue(9.0) == []
    assert "one" in places
    places.free("one")
    assert places.live == 0


def test_what_the_challenge_said_is_kept_until_the_game_starts() -> None:
    places = Places()
    places.reserve("one", Guest("rival", rematch_of="zero", rules=("noRematch",)), 10.0)
    guest = places.guest("one")
    assert guest is not None
    assert (guest.rematch_of, guest.rules) == ("zero", ("noRematch",))
    assert places.guest("other") is None
