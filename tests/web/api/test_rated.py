"""Whether a result is rated, and if not why: the same on every address, for everybody and for each player."""

from datetime import timedelta

from server.services import tallies
from tests import factories
from tests.web.verified import check_clean

NEXT = "2026-W49"
WEEK = timedelta(days=7)


async def rate(api, week=factories.WEEK):
    """Close a week."""
    answer = await api.post(f"weeks/{week}/rate", None, token="admin")
    assert answer.status == 200, answer


async def reasons(api, board):
    """Why each result of a board is not rated, in order of arrival."""
    rows = (await api.get(f"boards/{board['id']}/traveller", token="director")).body["results"]
    assert all(row["rated"] == (row["reason"] is None) for row in rows)
    rows.sort(key=lambda row: row["sequence"])
    for row in rows:
        alone = (await api.get(f"results/{row['id']}", token="director")).body
        explained = (await api.get(f"results/{row['id']}/explain", token="director")).body
        assert alone["reason"] == row["reason"]
        assert explained["result"]["reason"] == row["reason"], explained
    return [row["reason"] for row in rows]


async def own_reasons(api, player):
    """Why each of a player's results is not rated for him, newest board first."""
    rows = (await api.get(f"players/{player}/results", token="director")).body["results"]
    return [row["reason"] for row in rows]


async def test_a_late_result_makes_no_others_rated(server, api, clock):
    """Five came in time, which are too few; the sixth is late."""
    board = await factories.board(api)
    posted = [factories.result(board) for _ in range(6)]
    for each in posted[:5]:
        assert (await api.post("results", each)).status == 201
    clock.advance(WEEK)
    await rate(api)
    clock.advance(timedelta(days=3))
    late = (await api.post("results", posted[5])).body
    assert (late["rated"], late["reason"]) == (False, "late")
    assert await reasons(api, board) == ["too-few-results"] * 5 + ["late"]
    assert await own_reasons(api, posted[0]["players"]["N"]) == ["too-few-results"]
    assert await own_reasons(api, posted[5]["players"]["N"]) == ["late"]
    await check_clean(server)


async def test_who_sat_in_for_somebody_has_no_rate_of_it(api, clock):
    board = await factories.board(api)
    await factories.results(api, board, 5)
    posted = factories.result(board)
    answer = await api.post("results", posted | {"substitutes": {"W": "gone"}})
    assert answer.status == 201, answer
    clock.advance(WEEK)
    await rate(api)
    assert await reasons(api, board) == [None] * 6
    assert await own_reasons(api, posted["players"]["W"]) == ["substitute"]
    assert await own_reasons(api, posted["players"]["N"]) == [None]


async def test_a_newcomer_at_the_table_leaves_the_others_without_a_rate(serve, clock):
    """Those with fewer rated boards than the shield asks for are rated; who is settled is not."""
    served = await serve(rating={"shield_boards": 1})
    api, old = served.api, factories.four()
    first = await factories.board(api)
    await factories.results(api, first, 5)
    assert (await api.post("results", factories.result(first, players=old))).status == 201
    clock.advance(WEEK)
    await rate(api)
    second, third = await factories.boards(api, 2, NEXT)
    mixed = {**factories.four(), "N": old["N"]}
    for board, players in ((second, mixed), (third, old)):
        await factories.results(api, board, 5)
        assert (await api.post("results", factories.result(board, players=players))).status == 201
    assert await own_reasons(api, old["N"]) == [None] * 3  # not settled before the week is rated
    clock.advance(WEEK)
    await rate(api, NEXT)
    assert await own_reasons(api, old["N"]) == [None, "newcomer-at-table", None]
    assert await own_reasons(api, old["E"]) == [None, None]
    assert await own_reasons(api, mixed["S"]) == [None]


async def test_boards_of_a_week_that_is_over_and_not_rated_yet_are_among_all_boards(server, api, clock):
    players = factories.four()
    for week in (factories.WEEK, NEXT):
        for board in await factories.boards(api, 2, week):
            posted = factories.result(board, players=players)
            assert (await api.post("results", posted)).status == 201
        if week == factories.WEEK:
            clock.advance(WEEK)
    while await tallies.refresh(server.database, ""):
        pass
    (row, *_) = (await api.get(f"weeks/{NEXT}/leaderboard?rating=points")).body["rows"]
    assert (row["figures"]["week_boards"], row["figures"]["total_boards"]) == (2, 4)
    assert (await api.get(f"players/{players['N']}")).body["figures"]["total_boards"] == 4
    await rate(api)
    (row, *_) = (await api.get(f"weeks/{NEXT}/leaderboard?rating=points")).body["rows"]
    assert (row["figures"]["week_boards"], row["figures"]["total_boards"]) == (2, 4)
