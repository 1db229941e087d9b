"""Who may sit in for a player of an event: for one of a pair, and where it plays."""

from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from server.storage import event_substitutes
from server.storage.ids import event_number
from tests import event_days
from tests.web.api.test_event_bulletins import follow
from tests.web.verified import check_clean


async def sit_in(server, event, player, substitute):
    body = {"player": player, "substitute": substitute}
    return await server.api.post(f"events/{event}/substitutes", body)


def refused(answer, reason):
    return (answer.status, answer.slug, answer.body["reason"]) == (409, "substitute-refused", reason)


async def kept(server, event):
    found = await server.database.read(
        lambda connection: event_substitutes.of_event(connection, event_number(event))
    )
    return [(each.round, each.entry) for each in found]


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


async def event_of(server, event):
    return (await server.api.get(f"events/{event}")).body


async def report(server, event, number, board, **told):
    answer = await server.api.post(f"events/{event}/results", event_days.passed(number, 1, board) | told)
    assert answer.status == 201, answer
    found = (await server.api.get(f"results/{answer.body['id']}", token="director")).body
    return set(found["players"].values())


async def link(server, player, other):
    assert (await server.api.put(f"players/{player}", {"linked": [other]})).status == 200


@pytest.mark.parametrize("back_as", ["x1", "x1-too"])
async def test_who_is_back_plays_on(server, back_as):
    """Results name who really sits; followers of the event learn it, whatever account he comes by."""
    event = await event_days.running(server)
    await link(server, "x1", "x1-too")
    before = await event_of(server, event)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await event_days.arrive(server, event, "eve", "y1", "x4", "y4")
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200
    assert "eve" in await report(server, event, 1, 1)
    assert (await sit_in(server, event, "x1", back_as)).status == 200
    after = await event_of(server, event)
    await follow(server, event, before, after)
    assert ("substitutes" in after["tables"]["1"], sorted(after["tables"]["1"]["arrived"])) == (
        False,
        ["x1", "x4", "y1", "y4"],  # the seat was never empty
    )
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200
    assert await report(server, event, 1, 2) == {"x1", "y1", "x4", "y4"}
    assert (await sit_in(server, event, "x1", back_as)).status == 200  # again: nothing changes
    assert await event_of(server, event) | {"position": 0, "tables": 0} == after | {
        "position": 0,
        "tables": 0,
    }
    await check_clean(server)


async def test_who_is_back_before_his_substitute_came_comes_himself(server):
    event = await event_days.running(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await event_days.arrive(server, event, "y1", "x4", "y4")
    assert (await sit_in(server, event, "x1", "x1")).status == 200
    early = await server.api.post(f"events/{event}/tables/1/next-board", {})
    assert early.body["reason"] == "not_everybody_there"
    gone = await server.api.post(f"events/{event}/tables/1/arrive", {"player": "eve"})
    assert gone.slug == "not-at-table"
    await event_days.arrive(server, event, "x1")
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).status == 200


@pytest.mark.parametrize("then", ["x1", "zoe"])
async def test_a_pair_was_there_since_its_first_substitute_came(server, clock, then):
    event = await event_days.running(server, round_s=900, absent_s=60, last_board_s=100)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await event_days.arrive(server, event, "eve", "y1", "x4", "y4")
    clock.advance(timedelta(seconds=50))
    await event_course.advance(server.database, Keeper(), clock.now)
    clock.advance(timedelta(seconds=50))
    assert (await sit_in(server, event, "x1", then)).status == 200
    for _ in range(18):
        await event_course.advance(server.database, Keeper(), clock.now)
        clock.advance(timedelta(seconds=50))
    card = (await server.api.get(f"events/{event}/entries/1", token="events")).body["rounds"][0]
    assert (card["kind"], card["score"]) == ("played", 0)  # nobody lost the boards for being late
    await check_clean(server)


async def test_a_result_may_name_who_sat_there_when_the_board_was_played(server):
    """The substitute plays a board, the player is back, and only then the board is reported."""
    event = await event_days.running(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    assert (await sit_in(server, event, "x1", "x1")).status == 200
    table = (await server.api.get(f"events/{event}/rounds/1")).body["tables"][0]["players"]
    played = {seat: "eve" if player == "x1" else player for seat, player in table.items()}
    assert "eve" in await report(server, event, 1, 1, players=played)
    # And one that the two shared: she began it, he ended it.
    seat = next(seat for seat, player in table.items() if player == "x1")
    assert "x1" in await report(server, event, 1, 2, substitutes={seat: "eve"})


async def test_the_share_of_substitutes_is_what_they_played(server):
    """Of six boards at most three: one in round 1, two in round 2; what the player played is none."""
    event = await event_days.running(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await report(server, event, 1, 1)
    assert (await sit_in(server, event, "x1", "x1")).status == 200
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await event_days.report_all(server, event, 2)
    await event_days.closed(server)
    assert refused(await sit_in(server, event, "x1", "eve"), "too_many_boards")


async def test_who_has_come_to_a_table_sits_in_at_no_other(server):
    """Otherwise the pair there would have been complete since he came somewhere else."""
    event = await event_days.running(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await event_days.arrive(server, event, "eve")
    assert (await sit_in(server, event, "x1", "x1")).status == 200
    assert refused(await sit_in(server, event, "x2", "eve"), "in_another_pair")


async def test_who_has_seen_boards_sits_in_at_no_other_table(server):
    """He could have no result of them there; as long as he has seen nothing he may."""
    event = await event_days.running(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    await report(server, event, 1, 1)
    for player, other in (("x1", "zoe"), ("x2", "zoe2")):
        assert (await sit_in(server, event, player, other)).status == 200
    assert refused(await sit_in(server, event, "x2", "eve"), "in_another_pair")
    assert (await sit_in(server, event, "x2", "x2")).status == 200
    assert (await sit_in(server, event, "x3", "zoe2")).status == 200
    assert (await sit_in(server, event, "x1", "eve")).status == 200  # back at her own


WHY = {"reason": "why"}
DIRECTED = (
    ("post", "pause", {}),
    ("post", "resume", {}),
    ("post", "withdraw", {"entry": 1}),
    ("post", "pairings", {"round": 2, "matches": [[1, 2], [3, 4]]}),
    ("post", "pairings/2/cancel", {}),
    ("post", "penalties", {"entry": 1}),
    ("post", "penalties/1/lift", {}),
    ("get", "pairings", None),
    ("get", "penalties", None),
)


@pytest.mark.parametrize("as_player", ["eve", "eve-too"])
@pytest.mark.parametrize("ended", [False, True])
async def test_who_sits_in_or_has_directs_nothing(server, as_player, ended):
    event = await event_days.running(server)
    assert (await sit_in(server, event, "x1", "eve")).status == 200
    if ended:
        assert (await sit_in(server, event, "x1", "x1")).status == 200
    await link(server, "eve", "eve-too")
    made = await server.api.post(f"events/{event}/results", event_days.passed(1, 2, 1))
    await event_days.closed(server)
    token = await server.token("console", "director", player=as_player)
    for method, path, body in DIRECTED:
        given = {} if body is None else {"json": body | WHY}
        answer = await getattr(server.api, method)(f"events/{event}/{path}", token=token, **given)
        assert (answer.status, answer.slug) == (403, "director-plays"), path
    answer = await server.api.post(
        f"results/{made.body['id']}/void", WHY, token=token, headers={"If-Match": '"v1"'}
    )
    assert (answer.status, answer.slug) == (403, "director-plays")
