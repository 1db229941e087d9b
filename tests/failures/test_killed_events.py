"""The server of an event is killed, again and again: each step is done once, and an outage is given back."""

import asyncio
import random
from contextlib import suppress
from datetime import datetime, timedelta

import pytest

from server.services import bulletins
from server.storage.database import open_database
from tests.long.servers import Server, command, free_port
from tests.long.wire import Connection

pytestmark = pytest.mark.programs
BEGINS = datetime.fromisoformat("2026-11-27T12:00:00+00:00")
SPEED = 60  # simulated seconds in a real one
ROUNDS = 2
API = "/api/v1/events"
OUTAGE = 6.0  # real seconds; at this speed, what takes more than five is an outage
NOTED = 20.0  # simulated seconds between two notes that the clock is kept, a look at it included


@pytest.fixture
async def killed(place):
    """A server on a quick clock that the test kills."""
    server = Server(place, port=free_port(), CROSSRUFF_CLOCK=f"{BEGINS.isoformat()},{SPEED}")
    await server.start()
    yield server
    await server.kill()


async def ask(server, path, body=None):
    async with Connection(server.url, server.place.tokens["organiser"]) as connection:
        if body is None:
            return await connection.get(path)
        return await connection.post(path, body, str(random.random()))


async def announced(server, **rules):
    """An event of four pairs that begins seven real seconds after the clock did, at most."""
    body = {"kind": "pairs", "name": "Killed", "start_at": (BEGINS + timedelta(minutes=7)).isoformat()}
    made = await ask(server, API, body | {"rounds": ROUNDS, "boards": 1, "last_board_s": 0} | rules)
    assert made.status == 201, made.body
    for pair in range(4):
        entered = await ask(server, f"{API}/{made.json['id']}/entries", {"players": [f"a{pair}", f"b{pair}"]})
        assert entered.status == 201, entered.body
    return made.json["id"]


async def until(server, event, holds):
    """The event once it is so."""
    async with asyncio.timeout(60):
        while True:
            found = (await ask(server, f"{API}/{event}")).json
            if holds(found):
                return found
            await asyncio.sleep(0.05)


async def report(server, event):
    """Both tables report the board of the round that is played, if they have not yet and one is."""
    with suppress(ConnectionError):
        found = (await ask(server, f"{API}/{event}")).json
        if found["state"] != "running":
            return
        for table in (1, 2):
            row = {"round": found["round"], "table": table, "board": found["round"], "contract": "PASS"}
            answer = await ask(server, f"{API}/{event}/results", row)
            assert answer.status in (201, 409), answer.body


async def test_every_step_is_done_once_however_often_the_server_is_killed(killed, place):
    event = await announced(killed, round_s=180, closing_s=30)
    kills = 0
    async with asyncio.timeout(90):
        while (await ask(killed, f"{API}/{event}")).json["state"] != "finished":
            await report(killed, event)
            await asyncio.sleep(random.uniform(0, 0.6))
            await killed.kill()
            await killed.start()
            kills += 1
    await killed.kill()
    assert kills >= ROUNDS
    steps = await place.rows("SELECT before, after, round FROM event_transitions ORDER BY due_at, done_at")
    played = [
        step
        for number in range(1, ROUNDS + 1)
        for step in (("closing", "running", number), ("running", "closing", number))
    ]
    expected = [("announced", "registration", 0), ("registration", "running", 1), *played[1:]]
    assert [tuple(step) for step in steps] == [*expected, ("closing", "finished", 0)]
    for table, rows in (("event_matches", 2), ("event_boards", 1), ("event_scores", 4)):
        found = await place.rows(f"SELECT round, count(*) FROM {table} GROUP BY round ORDER BY round")
        assert [tuple(each) for each in found] == [(number, rows) for number in range(1, ROUNDS + 1)], table
    database = open_database(place.url)
    await bulletins.number_shared(database)
    await database.close()
    verified = await command(place, "verify")
    assert verified.returncode == 0, verified.stdout


async def test_an_outage_is_given_back(killed):
    event = await announced(killed, round_s=10_000)
    loop = asyncio.get_running_loop()
    before = await until(killed, event, lambda found: found["state"] == "running")
    await asyncio.sleep(random.uniform(0, 1))
    alive = loop.time()
    await killed.kill()
    dead = loop.time()
    await asyncio.sleep(OUTAGE)
    away = loop.time() - dead
    await killed.start()
    after = await until(killed, event, lambda found: found["ends_at"] != before["ends_at"])
    seen = loop.time() - alive
    ends = [datetime.fromisoformat(each["ends_at"]) for each in (before, after)]
    assert away * SPEED <= (ends[1] - ends[0]).total_seconds() <= seen * SPEED + NOTED
