"""Who may sit in for a player of an event: for one of a pair, and where it plays."""

import pytest

from server.storage import event_rounds
from server.storage.ids import event_number
from tests import event_days


async def sit_in(server, event, player, substitute):
    body = {"player": player, "substitute": substitute}
    return await server.api.post(f"events/{event}/substitutes", body)


def refused(answer, reason):
    return (answer.status, answer.slug, answer.body["reason"]) == (409, "substitute-refused", reason)


async def kept(server, event):
    found = await server.database.read(
        lambda connection: event_rounds.substitutes(connection, event_number(event))
    )
    return [(each[0], each[3]) for each in found]


@pytest.mark.parametrize(("missing", "partner"), [("x1", "y1"), ("y1", "x1")])
async def test_one_of_a_pair_is_replaced_in_a_round(server, missing, partner):
    event = await event_days.running(server)
    assert (await sit_in(server, event, missing, "eve")).status == 200
    assert refused(await sit_in(server, event, partner, "zoe"), "partner_replaced")
    assert refused(await sit_in(server, event, partner, "eve"), "in_another_pair")
    assert await kept(server, event) == [(1, 1)]
    # Somebody else may sit in for the same player, and for one of another pair.
    assert (await sit_in(server, event, missing, "zoe")).status == 200
    assert (await sit_in(server, event, "y2", "eve")).status == 200


async def test_in_the_next_round_the_partner_may_be_replaced(server):
    event = await event_days.running(server, rounds=4)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    assert (await sit_in(server, event, "y1", "eve")).status == 200
    assert refused(await sit_in(server, event, "x1", "zoe"), "partner_replaced")


async def test_nobody_sits_in_where_a_pair_sits_out(server):
    event = await event_days.running(server, 5)
    (out,) = (await server.api.get(f"events/{event}/rounds/1")).body["sit_outs"]
    assert refused(await sit_in(server, event, f"x{out}", "eve"), "no_table")
    assert await kept(server, event) == []


async def test_nobody_sits_in_where_a_pair_is_not_paired(server):
    event = await event_days.running(server)
    gone = {"entry": 4, "reason": "ill"}
    assert (await server.api.post(f"events/{event}/withdraw", gone)).status == 200
    assert (await sit_in(server, event, "x4", "eve")).status == 200  # it plays on until the round is over
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    assert refused(await sit_in(server, event, "x4", "eve"), "no_table")
