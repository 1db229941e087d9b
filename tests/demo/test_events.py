"""Events that simulated pairs enter and play over HTTP while a server runs."""

import asyncio
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest

from server.app import Installed
from server.bridge.contract import parse_result
from server.bridge.deal import parse_deal
from server.bridge.seats import Seat, Vulnerability
from server.clock import SimulatedClock
from server.demo import platform_token
from server.demo.events import Events, seeded_deal
from server.demo.line import Line
from server.demo.plan import BEGINS, Plan
from server.demo.programme import Programme
from server.services import event_course
from server.services.event_course import Keeper
from server.storage.ids import event_number
from server.web.routes import BASE
from server.world.events import result
from tests.running import serving

PLAN = Plan(seed=3, players=60, weeks=1, speed=500.0)
PROGRAMME = Programme(PLAN, pairs=5, rounds=2, boards=2, board_time=timedelta(seconds=500))
PATIENCE = 120.0
PEOPLE = {person.id: person for person in PLAN.world().people}


@pytest.fixture
async def stage(database_url, tmp_path):
    """A server whose clock runs fast, and what holds events there until the block ends."""
    clock = SimulatedClock(BEGINS, PLAN.speed, datetime.now(UTC))
    async with serving(database_url, tmp_path, clock, deal=seeded_deal(PLAN)) as served:
        login = await platform_token.login(tmp_path, Installed(served.database, clock, None))
        keeper = Keeper(patience_s=1_000_000, deal=seeded_deal(PLAN))

        async def keep():
            while True:
                await event_course.advance(served.database, keeper, clock.now)
                await asyncio.sleep(0.1)

        @asynccontextmanager
        async def held():
            headers = {"Authorization": f"Bearer {login.token}"}
            async with aiohttp.ClientSession(f"{served.url}{BASE}/", headers=headers) as session:
                holding = asyncio.create_task(Events(Line(session, clock), PROGRAMME).hold())
                yield
                assert not holding.done(), holding.result()
                holding.cancel()
                with suppress(asyncio.CancelledError):
                    await holding

        keeping = asyncio.create_task(keep())
        yield served, held
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping


async def until(api, holds):
    """The newest event once it is so far."""
    async with asyncio.timeout(PATIENCE):
        while True:
            listed = (await api.get("events")).body["events"]
            if listed and holds(listed):
                return listed[0]["id"]
            await asyncio.sleep(0.1)


async def check_results(api, event, number):
    """What is on its boards is what the world says; how many results there are."""
    count = 0
    for round_number in range(1, PROGRAMME.rounds + 1):
        found = (await api.get(f"events/{event}/rounds/{round_number}")).body
        seats = {f"R{round_number}-T{table['table']}": table["players"] for table in found["tables"]}
        for board in found["boards"]:
            played = (await api.get(f"events/{event}/boards/{board['number']}")).body
            deal = seeded_deal(PLAN)(event_number(event), board["number"])
            assert parse_deal(played["deal"]) == deal
            for row in played["results"]:
                seated = {Seat(seat): PEOPLE[name] for seat, name in seats[row["table"]].items()}
                made = result(
                    PLAN.world(),
                    number,
                    1,
                    seated,
                    board["number"],
                    deal,
                    Vulnerability(board["vulnerability"]),
                )
                told = (
                    row["contract"]
                    if row["contract"] == "PASS"
                    else (f"{row['contract']}{row['declarer']}{row['tricks']}")
                )
                contract = made.outcome.contract
                assert told == (
                    "PASS" if contract is None else f"{contract}{made.outcome.declarer}{made.outcome.tricks}"
                )
                assert row["lead"] == made.lead
                assert parse_result(str(made.outcome)) == made.outcome
                count += 1
    return count


async def test_one_event_after_another_is_entered_played_and_ranked(stage):
    served, held = stage
    async with held():
        first = await until(served.api, lambda listed: listed[0]["round"] == 1)
    async with held():  # started again in the middle of it
        await until(served.api, lambda listed: listed[-1]["state"] == "finished")
        second = await until(served.api, lambda listed: len(listed) == 2)
    entries = (await served.api.get(f"events/{first}/entries")).body["entries"]
    came = [[person.id for person in pair] for pair in PROGRAMME.entrants(1)]
    assert [row["players"] for row in entries] == came
    assert await check_results(served.api, first, 1) >= 6  # of 8: some may be cut off
    standings = (await served.api.get(f"events/{first}/standings")).body
    assert standings["scored_rounds"] == 2
    assert [row["rank"] for row in standings["rows"] if row["rank"]] == list(range(1, 6))
    names = [(await served.api.get(f"events/{each}")).body["name"] for each in (first, second)]
    assert names == [PROGRAMME.name(1), PROGRAMME.name(2)]


async def test_an_event_of_somebody_else_is_left_alone(stage):
    served, held = stage
    start = (served.clock.now() + timedelta(days=30)).isoformat()
    body = {"kind": "swiss_pairs", "name": "Mine", "start_at": start, "rounds": 2}
    mine = (await served.api.post("events", body)).body["id"]
    async with held():
        await until(
            served.api, lambda listed: (listed[0]["name"], listed[0]["round"]) == (PROGRAMME.name(1), 1)
        )
    found = (await served.api.get(f"events/{mine}")).body
    assert (found["entries"], found["room"]["seats"]) == ({}, {})
