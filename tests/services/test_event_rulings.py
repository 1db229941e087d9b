"""What a ruling on a round that is over moves: whatever follows from the round, as if it had been so."""

import pytest
from sqlalchemy import update

from server.services.verify import verify
from server.storage.event_tables import event_entries, masterpoints
from server.storage.ids import event_number
from tests import event_days
from tests.web.verified import check_clean

AWARD = {"round": 1, "table": 1, "board": 1, "ns": "A", "ew": "A", "basis": "unplayable", "reason": "fouled"}
BACK = AWARD | {"ns": None, "ew": None, "basis": None}


@pytest.fixture
async def event(server):
    """Of four pairs, where 4 stayed away from 1 in round 1; 1, 2 and 3 play the second of four rounds."""
    event = await event_days.running(server, rounds=4)
    for player in ("x1", "y1"):
        await server.api.post(f"events/{event}/tables/1/arrive", {"player": player})
    for board in (1, 2):
        assert (
            await server.api.post(f"events/{event}/results", event_days.passed(1, 2, board))
        ).status == 201
    await event_days.closed(server)
    return event


async def adjust(server, event, body, version):
    answer = await server.api.post(f"events/{event}/adjustments", body, headers={"If-Match": f'"v{version}"'})
    assert answer.status == 200, answer
    await check_clean(server)


async def entry(server, event, number=4):
    return (await server.api.get(f"events/{event}")).body["entries"][str(number)]


async def playing(server, event, number):
    found = (await server.api.get(f"events/{event}/rounds/{number}")).body
    pairs = {pair for table in found["tables"] for pair in (table["ns"], table["ew"])}
    return pairs.union(found["sit_outs"])


async def test_who_was_there_after_all_is_paired_again(server, event):
    assert (await entry(server, event))["absent_in"] == 1
    assert await playing(server, event, 2) == {1, 2, 3}
    await adjust(server, event, AWARD, 0)
    assert "absent_in" not in await entry(server, event)
    assert await playing(server, event, 2) == {1, 2, 3}  # what has started stays
    await event_days.report_all(server, event, 2)
    await event_days.closed(server)
    assert await playing(server, event, 3) == {1, 2, 3, 4}


async def test_who_was_not_there_after_all_is_not_paired(server, event):
    await adjust(server, event, AWARD, 0)
    await adjust(server, event, BACK, 1)
    assert (await entry(server, event))["absent_in"] == 1
    await event_days.report_all(server, event, 2)
    await event_days.closed(server)
    assert await playing(server, event, 3) == {1, 2, 3}


async def test_who_has_played_since_stays_paired_whatever_is_ruled_about_the_round_before(server, event):
    await adjust(server, event, AWARD, 0)
    await event_days.report_all(server, event, 2)
    await event_days.closed(server)
    await adjust(server, event, BACK, 1)
    assert "absent_in" not in await entry(server, event)
    await event_days.report_all(server, event, 3)
    await event_days.closed(server)
    assert 4 in await playing(server, event, 4)


async def test_what_follows_from_a_round_is_verified(server, event):
    number = event_number(event)
    for _ in range(3):
        await event_days.closed(server)
    assert (await server.api.post(f"events/{event}/publish", {})).status == 200
    await check_clean(server)

    def spoil(connection):
        mine = (event_entries.c.event == number) & (event_entries.c.number == 2)
        connection.execute(update(event_entries).where(mine).values(absent_in=7))
        connection.execute(update(masterpoints).where(masterpoints.c.event == number).values(points=9))

    await server.database.write(spoil)
    found = [each async for each in verify(server.database, server.clock.now())]
    wrong = [one.what for each in found for one in each.discrepancies if one.where == event]
    assert wrong == ["absent pairs", "master points"]
