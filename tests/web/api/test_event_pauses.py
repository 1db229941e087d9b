"""Rounds that cannot be closed, paired or stored: the event is paused and says why; then it goes on."""

import asyncio
from datetime import timedelta

from sqlalchemy import delete, insert

from server.services import event_course
from server.services.event_course import Keeper
from server.storage.event_tables import event_boards, event_entries
from server.storage.ids import board_number, event_number
from tests import event_days
from tests.event_days import Day


class CardsMissing(Exception):
    """Nobody has cards"""


def no_cards(_event, _board):
    raise CardsMissing


async def snapshot(server, event):
    return (await server.api.get(f"events/{event}")).body


async def moved(server, clock, keeper, *steps):
    """Time passes, and whoever keeps the clocks looks once after each step."""
    for seconds in steps:
        clock.advance(timedelta(seconds=seconds))
        await event_course.advance(server.database, keeper, clock.now)


async def resumed(server, clock, event):
    """What is played once a director lets it go on."""
    answer = await server.api.post(f"events/{event}/resume", {"reason": "mended"})
    assert answer.status == 200
    assert "pause_reason" not in await snapshot(server, event)
    await moved(server, clock, Keeper(), 1)
    return await snapshot(server, event)


async def test_a_round_that_cannot_be_paired_is_paused_and_others_go_on(server, clock):
    event = await event_days.running(server)
    await event_days.report_all(server, event, 1)
    broken = Keeper(deal=no_cards)
    await moved(server, clock, broken, 50, 5)
    found = await snapshot(server, event)
    assert (found["state"], found["paused_in"], found["round"]) == ("paused", "closing", 1)
    assert found["pause_reason"] == "round 1 could not be scored, or the next one paired"
    assert found["scored_rounds"] == 0  # nothing of it was kept
    await moved(server, clock, broken, 1, 1)
    assert (await snapshot(server, event))["state"] == "paused"
    other = await event_days.running(server)  # is not held up by it
    assert (await snapshot(server, other))["state"] == "running"
    found = await resumed(server, clock, event)
    assert (found["state"], found["round"], found["scored_rounds"]) == ("running", 2, 1)
    again = await server.api.post(f"events/{event}/results", event_days.passed(2, 1, 3))
    assert again.status == 201


async def test_a_round_that_cannot_be_stored_is_paused_and_others_go_on(server, clock):
    event = await event_days.running(server)
    other = await event_days.running(server)
    for each in (event, other):
        await event_days.report_all(server, each, 1)
    row = board_number((await server.api.get(f"events/{other}/rounds/1")).body["boards"][0]["id"])
    number = event_number(event)
    taken = event_boards.c.event == number, event_boards.c.number == 3

    def occupy(connection):  # board 3 is there before its round
        connection.execute(delete(event_boards).where(event_boards.c.board == row))
        connection.execute(insert(event_boards).values(event=number, round=1, number=3, board=row))

    await server.database.write(occupy)
    await moved(server, clock, Keeper(), 50, 5)
    found = await snapshot(server, event)
    assert (found["state"], found["paused_in"]) == ("paused", "closing")
    assert "paired" in found["pause_reason"]
    assert (await snapshot(server, other))["round"] == 2
    await server.database.write(lambda connection: connection.execute(delete(event_boards).where(*taken)))
    found = await resumed(server, clock, event)
    assert (found["state"], found["round"]) == ("running", 2)


async def test_a_director_says_why_he_pauses(server):
    event = await event_days.running(server)
    assert (await server.api.post(f"events/{event}/pause", {"reason": "fire alarm"})).status == 200
    assert (await snapshot(server, event))["pause_reason"] == "fire alarm"


async def test_several_processes_keep_the_clock_while_results_come_in(serve, server, clock):
    """Whoever looks and whoever reports in the same moment: each step is done once, and nothing is lost."""
    others = [await serve() for _ in range(2)]
    day = Day(server)
    await day.announce(rounds=2, boards=2)
    await day.enter(range(1, 7))

    async def keep():
        await asyncio.gather(
            *(
                event_course.advance(each.database, Keeper(), clock.now)
                for each in (server, *others)
                for _ in range(2)
            )
        )

    clock.advance(timedelta(minutes=10))
    await keep()
    for number in (1, 2):
        found = await day.get(f"rounds/{number}")
        rows = [
            event_days.passed(number, table["table"], board["number"])
            for table in found["tables"]
            for board in found["boards"]
        ]
        answers, _ = await asyncio.gather(
            asyncio.gather(
                *(
                    served.api.post(f"events/{day.id}/results", row, key=f"{number} {index}")
                    for index, row in enumerate(rows)
                    for served in (server, others[index % 2])
                )
            ),
            keep(),
        )
        assert {answer.status for answer in answers} <= {201, 503}
        assert sum(answer.status == 201 for answer in answers) >= len(rows)
        for _ in range(30):
            clock.advance(timedelta(seconds=45))
            await keep()
    found = await day.get()
    assert (found["state"], found["scored_rounds"]) == ("finished", 2)
    rows = (await day.get("standings"))["rows"]
    assert [row["boards"] for row in rows] == [4] * 6
    assert {row["score"] for row in rows} == {0}


async def test_a_round_without_pairs_enough_is_the_last(server, clock):
    event = await event_days.running(server)
    await event_days.report_all(server, event, 1)
    number = event_number(event)

    def leave(connection):
        gone = event_entries.update().where(event_entries.c.event == number, event_entries.c.number > 1)
        connection.execute(gone.values(withdrawn_at=clock.now()))

    await server.database.write(leave)
    await moved(server, clock, Keeper(), 50, 5)
    assert (await snapshot(server, event))["state"] == "finished"
