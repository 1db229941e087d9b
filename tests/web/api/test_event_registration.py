"""Signing up in the registration room: what breaks the count, who may not, restarts, two processes."""

import asyncio
from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days

HOLD_S = 20


class Room:
    """The room of an event that starts in ten minutes; the clock stands until it is told otherwise."""

    def __init__(self, server, event):
        self.server, self.event, self.opened = server, event, server.clock.now()

    async def do(self, verb, player, *place, server=None):
        body = {"player": player} | (dict(zip(("table", "seat"), place, strict=True)) if place else {})
        api = (server or self.server).api
        return await api.post(f"events/{self.event}/room/{verb}", body, key=None)

    async def done(self, *acts):
        """Acts that are all taken: player, verb, and of sitting down the place."""
        for player, verb, *place in acts:
            answer = await self.do(verb, player, *place)
            assert answer.status == 200, (player, verb, answer)

    async def hands_up(self, north="ann", south="sam", table=1):
        await self.done(
            *((north, "sit", table, "N"), (south, "sit", table, "S"), (north, "raise"), (south, "raise"))
        )

    async def after(self, seconds, tick=True):
        """So long after the room was opened."""
        self.server.clock.set(self.opened + timedelta(seconds=seconds))
        if tick:
            await event_course.advance(self.server.database, Keeper(), self.server.clock.now)

    async def entries(self):
        """Players by number, and after how many seconds they were entered."""
        rows = (await self.server.api.get(f"events/{self.event}/entries")).body["entries"]
        return {row["entry"]: (*row["players"], self.seconds(row["registered_at"])) for row in rows}

    def seconds(self, instant):
        whole = int(self.opened.strftime("%H")) * 3600 + int(self.opened.strftime("%M")) * 60
        hours, minutes, rest = instant[11:].rstrip("Z").split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(rest) - whole

    async def seats(self):
        return (await self.server.api.get(f"events/{self.event}")).body["room"]["seats"]


async def opened(server, **rules):
    start = (server.clock.now() + timedelta(minutes=10)).isoformat()
    body = {"kind": "swiss_pairs", "name": "Room", "start_at": start, "rounds": 2, "boards": 1}
    made = await server.api.post("events", body | {"min_pairs": 2, "hold_s": HOLD_S} | rules)
    assert made.status == 201, made
    return Room(server, made.body["id"])


@pytest.fixture
async def room(server):
    return await opened(server)


async def refused(answer, reason):
    assert (answer.status, answer.slug, answer.body["reason"]) == (409, "room-refused", reason)


async def test_twenty_seconds_and_not_one_less(room):
    await room.hands_up()
    await room.after(HOLD_S - 1)
    assert await room.entries() == {}
    await room.after(HOLD_S)
    assert await room.entries() == {1: ("ann", "sam", HOLD_S)}
    assert await room.seats() == {}  # both have been stood up


async def test_nobody_is_entered_twice(room):
    """Neither the same pair, in whatever order, nor one of them with somebody else."""
    await room.hands_up()
    await room.after(HOLD_S)
    for player, seat in (("ann", "N"), ("sam", "S"), ("sam", "N"), ("ann", "S")):
        await refused(await room.do("sit", player, 2, seat), "already_registered")
    await room.done(("eve", "sit", 2, "N"), ("eve", "raise"))
    await refused(await room.do("sit", "sam", 2, "S"), "already_registered")
    await refused(await room.do("raise", "sam"), "not_seated")
    await room.after(3 * HOLD_S)
    assert await room.entries() == {1: ("ann", "sam", HOLD_S)}
    assert list(await room.seats()) == ["2N"]


SITS_AGAIN = [("sam", "sit", 1, "S"), ("sam", "raise")]
BREAKS = {  # what is done, and what it takes to count again
    "stands up": ([("sam", "stand")], SITS_AGAIN),
    "loses the connection": ([("sam", "disconnect")], SITS_AGAIN),
    "moves to another table": ([("sam", "sit", 3, "S")], SITS_AGAIN),
    "lowers the hand": ([("sam", "lower")], [("sam", "raise")]),
    "lowers it for a moment": ([("sam", "lower"), ("sam", "raise"), ("sam", "lower")], [("sam", "raise")]),
    "the other lowers his": ([("ann", "lower")], [("ann", "raise")]),
}


@pytest.mark.parametrize("what", BREAKS)
async def test_what_breaks_the_count_starts_it_anew(room, what):
    await room.hands_up()
    await room.after(HOLD_S - 1)
    breaks, again = BREAKS[what]
    await room.done(*breaks)
    await room.after(HOLD_S + 5)
    assert await room.entries() == {}
    await room.done(*again)
    await room.after(2 * HOLD_S + 4)
    assert await room.entries() == {}
    await room.after(2 * HOLD_S + 5)
    assert await room.entries() == {1: ("ann", "sam", 2 * HOLD_S + 5)}


async def test_what_comes_in_the_instant_in_which_it_completes_is_too_late(room):
    await room.hands_up()
    await room.after(HOLD_S, tick=False)
    await refused(await room.do("lower", "sam"), "not_seated")
    assert await room.entries() == {1: ("ann", "sam", HOLD_S)}


async def test_who_has_cancelled_enters_with_somebody_else_under_another_number(room):
    await room.hands_up()
    await room.after(HOLD_S)
    await room.done(("sam", "cancel"))
    assert await room.entries() == {}
    await refused(await room.do("cancel", "ann"), "not_registered")
    await room.hands_up("ann", "eve")
    await room.hands_up("zoe", "sam", 2)
    await room.after(2 * HOLD_S)
    assert await room.entries() == {2: ("ann", "eve", 2 * HOLD_S), 3: ("zoe", "sam", 2 * HOLD_S)}


async def test_when_it_starts_everybody_stands_up_and_the_door_is_closed(room):
    await room.hands_up("ann", "sam", 1)
    await room.hands_up("eve", "zoe", 2)
    await room.after(580)
    await room.hands_up("bob", "tim", 3)  # complete in the instant of the start
    await room.after(581)
    await room.hands_up("kay", "liz", 4)  # and these a second later
    await room.after(600)
    assert await room.entries() == {
        1: ("ann", "sam", HOLD_S),
        2: ("eve", "zoe", HOLD_S),
        3: ("bob", "tim", 600),
    }
    assert await room.seats() == {}
    await room.after(602)
    assert len(await room.entries()) == 3
    await refused(await room.do("sit", "kay", 4, "N"), "room_closed")
    await refused(await room.do("cancel", "ann"), "event_started")


async def test_a_process_that_starts_again_goes_on_counting(serve):
    """What the room knows is stored: the hands that were up then are up, and since when."""
    first = await serve()
    room = await opened(first)
    await room.hands_up()
    await room.after(12, tick=False)
    second = await serve()  # the first one is asked nothing any more
    room.server = second
    await room.after(HOLD_S - 1)
    assert await room.entries() == {}
    await room.after(HOLD_S)
    assert await room.entries() == {1: ("ann", "sam", HOLD_S)}


async def test_a_process_that_was_away_enters_whoever_completed_meanwhile(serve):
    first = await serve()
    room = await opened(first)
    await room.hands_up()
    await room.done(("eve", "sit", 2, "N"), ("eve", "raise"), ("zoe", "sit", 2, "S"))
    await room.after(300, tick=False)
    room.server = await serve()
    await room.done(("zoe", "raise"))  # the first to be asked
    assert await room.entries() == {1: ("ann", "sam", HOLD_S)}
    await room.after(300 + HOLD_S)
    assert await room.entries() == {1: ("ann", "sam", HOLD_S), 2: ("eve", "zoe", 300 + HOLD_S)}


async def test_two_processes_give_a_seat_once_and_a_player_one_seat(serve):
    servers = [await serve(), await serve()]
    room = await opened(servers[0])
    for table in range(1, 6):
        answers = await asyncio.gather(
            *(room.do("sit", f"p{table}{i}", table, "N", server=servers[i % 2]) for i in range(4))
        )
        assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
        assert {answer.body["reason"] for answer in answers if answer.status == 409} == {"seat_taken"}
    await asyncio.gather(
        *(room.do("sit", "ann", table, "S", server=servers[table % 2]) for table in (1, 2, 3))
    )
    seats = await room.seats()
    assert [place for place, each in seats.items() if each["player"] == "ann"] in (["1S"], ["2S"], ["3S"])
    assert len(seats) == 6


async def test_two_processes_enter_each_pair_once(serve):
    """Both keep the clock, and players ask both, in the instant in which three pairs complete."""
    servers = [await serve(), await serve()]
    room = await opened(servers[0])
    for table in (1, 2, 3):
        await room.hands_up(f"n{table}", f"s{table}", table)
    await room.after(HOLD_S, tick=False)
    now = servers[0].clock.now
    answers = await asyncio.gather(
        *(event_course.advance(each.database, Keeper(), now) for each in servers),
        *(room.do("raise", f"n{table}", server=servers[table % 2]) for table in (1, 2, 3)),
    )
    for answer in answers[2:]:  # all have been stood up
        await refused(answer, "not_seated")
    assert await room.entries() == {
        1: ("n1", "s1", HOLD_S),
        2: ("n2", "s2", HOLD_S),
        3: ("n3", "s3", HOLD_S),
    }


async def test_nobody_becomes_a_player_by_what_is_not_done(room):
    """Only who is given a seat is made a player."""
    await room.done(("ann", "sit", 1, "N"))
    await refused(await room.do("sit", "ghost", 1, "N"), "seat_taken")
    await refused(await room.do("sit", "ghost", 1, "E"), "seat_not_for_registration")
    for verb, reason in (("raise", "not_seated"), ("lower", "not_seated"), ("cancel", "not_registered")):
        await refused(await room.do(verb, "ghost"), reason)
    await room.done(("ghost", "stand"), ("ghost", "disconnect"))
    assert (await room.server.api.get("players/ghost")).status == 404
    await room.done(("ghost", "sit", 1, "S"))
    assert (await room.server.api.get("players/ghost")).status == 200


async def test_where_players_are_not_made_the_room_makes_none(room, serve):
    closed = await serve(players_auto_create=False)
    for verb, place in (("sit", (1, "N")), ("raise", ())):
        unknown = await room.do(verb, "ghost", *place, server=closed)
        assert (unknown.status, unknown.slug) == (422, "unknown-player")


async def test_what_an_event_does_not_take_says_why(server, room):
    """With the state that it is in, and in words; a pair is two players, of an event as of a room."""
    day = await event_days.pairs_event(server)
    in_room = await server.api.post(f"events/{day}/room/sit", {"player": "a", "table": 1, "seat": "N"})
    entered = await server.api.post(f"events/{room.event}/entries", {"players": ["a", "b"]})
    early = await server.api.post(f"events/{room.event}/tables/1/arrive", {"player": "a"})
    published = await server.api.post(f"events/{day}/publish", {})
    said = [
        (answer.status, answer.slug, answer.body["state"], answer.body["detail"])
        for answer in (in_room, entered, early, published)
    ]
    opened = "The event has not started; its registration is open."
    assert said == [
        (409, "event-state", "registration", "A pairs event has no registration room: enter its pairs."),
        (409, "event-state", "registration", "Pairs enter a Swiss pairs in its registration room."),
        (409, "event-state", "registration", opened),
        (409, "event-state", "registration", opened),
    ]
    twice = await server.api.post(f"events/{day}/entries", {"players": ["a", "a"]})
    assert (twice.status, twice.slug) == (422, "invalid-event")
    assert twice.body["errors"] == [{"pointer": "/players/1", "detail": "a pair is two players"}]
    table = await server.api.post(f"events/{day}/tables/abc/arrive", {"player": "a"})
    assert (table.status, table.slug, table.body["title"]) == (
        404,
        "not-found",
        "The event has no such table",
    )
    to_come = await server.api.get(f"events/{day}/rounds/1")
    assert (to_come.status, to_come.body["detail"]) == (404, "Round 1 has not started.")
    assert (await server.api.get(f"events/{day}/rounds/4")).body["title"] == "The event has no such round"
