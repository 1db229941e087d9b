"""Dealing boards to tables."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from tests import factories
from tests.web.scoring import points_of_ns


def seating(pool="imps", **players):
    """Four fresh players at a fresh table, some of them replaced."""
    return {"table": factories.table(), "pool": pool, "players": factories.four() | players}


async def dealt(api, body=None):
    """The board that a table is dealt."""
    answer = await api.post("assignments", body or seating())
    assert answer.status == 201, answer
    return answer.body["board"]["id"]


async def test_a_table_gets_the_cards_and_half_an_hour(api, clock):
    board = await factories.board(api)
    answer = await api.post("assignments", seating())
    assert answer.status == 201
    assert answer.body.keys() == {"id", "board", "deal", "expires_at"}
    assert answer.body["board"] == board
    assert answer.body["expires_at"] == "2026-11-25T12:30:00Z"
    read = await api.get(f"boards/{board['id']}", token="director")
    assert read.body["deal"] == answer.body["deal"]
    assert 0 <= points_of_ns(answer.body["deal"]) <= 40
    assert clock.now().hour == 12


async def test_a_board_without_known_cards_is_dealt_without(api):
    body = {"week": factories.WEEK, "boards": [{"number": 1}]}
    assert (await api.post("board-sets", body)).status == 201
    assert (await api.post("assignments", seating())).body["deal"] is None


async def test_half_an_hour_is_a_setting(serve):
    api = (await serve(assignment_minutes=7)).api
    await factories.board(api)
    assert (await api.post("assignments", seating())).body["expires_at"] == "2026-11-25T12:07:00Z"


async def test_boards_short_of_six_come_first_then_those_nearest_to_forty(api):
    empty, two, seven, thirty = await factories.boards(api, 4)
    for board, count in ((two, 2), (seven, 7), (thirty, 30)):
        await factories.results(api, board, count)
    order = [await dealt(api) for _ in range(4)]
    assert order == [two["id"]] * 4  # 2 and four open assignments make 6
    assert [await dealt(api) for _ in range(6)] == [empty["id"]] * 6
    assert [await dealt(api) for _ in range(10)] == [thirty["id"]] * 10
    assert await dealt(api) == seven["id"]


async def test_nobody_is_dealt_what_an_account_of_his_has_seen(api):
    first, second = await factories.boards(api, 2)
    await api.put("players/ann", {"linked": ["ann-2"]})
    assert await dealt(api, seating(N="ann")) == first["id"]
    assert await dealt(api, seating(W="ann-2")) == second["id"]
    answer = await api.post("assignments", seating(S="ann"))
    assert (answer.status, answer.slug) == (409, "no-board-available")


async def test_after_it_has_expired_others_get_the_slot_but_never_the_same_four(serve, clock):
    only = {"method": "datum", "score_at": 1, "retire_at": 1, "trim": "tenth", "members": True}
    api = (await serve(pools={"imps": only})).api
    board = await factories.board(api)
    asked = seating()
    assert await dealt(api, asked) == board["id"]
    clock.advance(timedelta(minutes=30) - timedelta(microseconds=1))
    assert (await api.post("assignments", seating())).slug == "no-board-available"
    clock.advance(timedelta(microseconds=1))
    again = await api.post("assignments", {**asked, "table": "another"})
    assert again.slug == "no-board-available"
    assert await dealt(api) == board["id"]
    late = await api.post("results", factories.result(board, table=asked["table"], players=asked["players"]))
    assert late.status == 201  # assignments limit dealing only


async def test_a_result_ends_the_assignment_of_its_table(serve):
    only = {"method": "datum", "score_at": 1, "retire_at": 2, "trim": "tenth", "members": True}
    api = (await serve(pools={"imps": only})).api
    board = await factories.board(api)
    asked = seating()
    await dealt(api, asked)
    await dealt(api)
    assert (await api.post("assignments", seating())).slug == "no-board-available"
    body = factories.result(board, table=asked["table"], players=asked["players"])
    assert (await api.post("results", body)).status == 201
    assert (await api.post("assignments", seating())).slug == "no-board-available"


async def test_twenty_tables_at_once_share_out_the_slots(serve):
    only = {"method": "datum", "score_at": 1, "retire_at": 3, "trim": "tenth", "members": True}
    served = [await serve(pools={"imps": only}), await serve(pools={"imps": only})]
    boards = await factories.boards(served[0].api, 4)
    posts = [served[i % 2].api.post("assignments", seating()) for i in range(20)]
    answers = await asyncio.gather(*posts)
    assert Counter(answer.slug or answer.status for answer in answers) == {201: 12, "no-board-available": 8}
    got = Counter(answer.body["board"]["id"] for answer in answers if answer.status == 201)
    assert got == {board["id"]: 3 for board in boards}


async def test_only_the_open_week_is_dealt(api, clock):
    await factories.boards(api, 1, week="2026-W49")
    assert (await api.post("assignments", seating())).slug == "no-board-available"
    clock.advance(timedelta(days=7))
    await dealt(api)
    clock.advance(timedelta(days=7))
    assert (await api.post("assignments", seating())).slug == "no-board-available"


async def test_pools_do_not_mix_and_guests_have_their_own(api):
    board = await factories.board(api, pool="guests")
    await api.put("players/guest", {"member": False})
    assert (await api.post("assignments", seating())).slug == "no-board-available"
    refused = await api.post("assignments", seating("imps", E="guest"))
    assert (refused.status, refused.slug, refused.body["player"]) == (403, "members-only", "guest")
    assert await dealt(api, seating("guests", E="guest")) == board["id"]


@pytest.mark.parametrize(
    ("change", "slug", "pointer"),
    [
        ({"pool": "none"}, "unknown-pool", "/pool"),
        ({"pool": 1}, "invalid-body", "/pool"),
        ({"table": ""}, "invalid-body", "/table"),
        ({"players": {"N": "a", "E": "a", "S": "s", "W": "w"}}, "invalid-result", "/players/E"),
        ({"players": {"N": "a", "E": "e", "S": "s"}}, "invalid-body", "/players/W"),
        ({"board": "b_000001"}, "invalid-body", "/board"),
    ],
)
async def test_what_cannot_be_asked_is_refused(api, change, slug, pointer):
    await factories.board(api)
    answer = await api.post("assignments", seating() | change)
    assert (answer.status, answer.slug) == (422, slug)
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


async def test_two_accounts_of_one_person_do_not_sit_at_one_table(api):
    await factories.board(api)
    await api.put("players/ann", {"linked": ["ann-2"]})
    answer = await api.post("assignments", seating(N="ann", W="ann-2"))
    assert (answer.slug, answer.body["errors"][0]["pointer"]) == ("invalid-result", "/players/W")


async def test_strangers_are_refused_where_players_are_entered_by_hand(serve):
    api = (await serve(players_auto_create=False)).api
    await factories.board(api)
    answer = await api.post("assignments", seating())
    assert (answer.status, answer.slug) == (422, "unknown-player")
    assert answer.body["errors"][0]["pointer"] == "/players/N"
