"""Leaderboards of those only whom filters let pass: the rows and ranks of the whole list."""

from itertools import product
from random import Random

import pytest

from server.services import tallies
from tests import factories
from tests.web.api.test_leaderboards import SECOND, WEEK, World

OPEN, CLOSED = SECOND, factories.WEEK
ORDERS = ("skill", "points", "joint")


@pytest.fixture(params=["classic", "joint"])
async def api(serve, clock, request):
    """A server with a closed week, and an open one that some have played; everything is counted."""
    server = await serve(rating={"shield_boards": 0, "official": request.param})
    world, rng = World(), Random(12)
    await world.play(server.api, CLOSED, 4, 7, rng, leavers=0.1)
    clock.advance(WEEK)
    assert (await server.api.post(f"weeks/{CLOSED}/rate", None, token="admin")).status == 200
    await world.play(server.api, OPEN, 3, 6, rng, leavers=0.1)
    while await tallies.refresh(server.database, ""):
        pass
    return server.api


async def listed(api, week, order, query=""):
    """The whole list."""
    answer = await api.get(f"weeks/{week}/leaderboard?rating={order}&limit=200{query}")
    assert answer.status == 200, answer
    assert answer.body["total"] == len(answer.body["rows"])
    return answer.body["rows"]


async def test_by_index_and_how_well_it_is_founded(api):
    for week, order in product((CLOSED, OPEN), ORDERS):
        await check_filters(api, week, order)


async def check_filters(api, week, order):
    """What filters leave of a list is what they let pass of the whole."""
    everybody = await listed(api, week, order)
    indexes = sorted(row["figures"]["skill_index"] for row in everybody)
    # Between two players: an address has six decimals, an index more.
    low, high = (
        round((indexes[place] + indexes[place + 1]) / 2, 4)
        for place in (len(indexes) // 4, 3 * len(indexes) // 4)
    )
    for query, passes in (
        (f"index_from={low}", lambda row: row["figures"]["skill_index"] >= low),
        (f"index_to={high}", lambda row: row["figures"]["skill_index"] <= high),
        (f"index_from={low}&index_to={high}", lambda row: low <= row["figures"]["skill_index"] <= high),
        ("index_from=1000", lambda _row: False),
        ("index_to=0.5", lambda _row: False),
        ("provisional=true", lambda row: row["provisional"]),
        ("provisional=false", lambda row: not row["provisional"]),
        ("min_boards=3", lambda row: row["figures"]["week_boards"] >= 3),
        ("q=P1", lambda row: "p1" in row["player"]["id"]),
        (f"q=p&min_boards=2&index_to={high}&provisional=true", lambda row: _several(row, high)),
    ):
        expected = [row for row in everybody if passes(row)]
        assert await listed(api, week, order, f"&{query}") == expected, (week, order, query)


def _several(row, high):
    return row["figures"]["week_boards"] >= 2 and row["figures"]["skill_index"] <= high and row["provisional"]


async def test_an_index_is_a_plain_number(api):
    for wrong in ("from=x", "to=-1", "from=1001", "to=1e2", "from=", "to=٣", "from=1.0000001"):
        assert (await api.get(f"weeks/{CLOSED}/leaderboard?index_{wrong}")).status == 422, wrong


async def test_a_list_opens_at_a_player_among_those_who_pass(api):
    for week, order in product((CLOSED, OPEN), ORDERS):
        rows = await listed(api, week, order, "&min_boards=2")
        for row in rows[::5]:
            path = (
                f"weeks/{week}/leaderboard?rating={order}&min_boards=2&limit=1&around={row['player']['id']}"
            )
            found = (await api.get(path)).body
            assert found["rows"] == [row], (week, order)
            assert rows[found["offset"]] == row


async def test_who_hides_is_left_out_of_what_was_published(api):
    for order in ORDERS:
        before = await listed(api, CLOSED, order)
        hidden = before[3]["player"]["id"]
        left = [row for row in before if row["player"]["id"] != hidden]
        assert (await api.put(f"players/{hidden}", {"hidden": True}, token="results")).status == 200
        assert await listed(api, CLOSED, order) == left, order
        around = f"weeks/{CLOSED}/leaderboard?rating={order}&around={hidden}"
        assert (await api.get(around)).status == 404, order
        assert (await api.put(f"players/{hidden}", {"hidden": False}, token="results")).status == 200
        assert await listed(api, CLOSED, order) == before, order


async def test_a_page_that_follows_another_goes_on_where_it_ended(api):
    for order in ORDERS:
        rows = await listed(api, OPEN, order)
        for cut in range(0, len(rows), 7):
            part = (
                await api.get(
                    f"weeks/{OPEN}/leaderboard?rating={order}&limit=7{await _from(api, order, cut)}"
                )
            ).body
            assert part["rows"] == rows[cut : cut + 7]


async def _from(api, order, cut):
    """The cursor behind so many rows."""
    if cut == 0:
        return ""
    found = (await api.get(f"weeks/{OPEN}/leaderboard?rating={order}&limit={cut}")).body
    return f"&cursor={found['cursor']}"
