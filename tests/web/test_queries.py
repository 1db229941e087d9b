"""Lists: pages of any size, cursors that nobody else can make, weeks and pools."""

import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web import queries
from server.web.problems import InvalidBody
from tests import factories

SECRET = b"a secret of this installation"
_SYMBOLS = string.ascii_letters + string.digits + "-_"


async def walk(api, limit, **params):
    """All boards, page by page, following the links; and the sizes of the pages."""
    boards, sizes = [], []
    query = params | ({} if limit is None else {"limit": str(limit)})
    answer = await api.get("boards", params=query)
    while True:
        boards += answer.body["boards"]
        sizes.append(len(answer.body["boards"]))
        link = answer.headers.get("Link")
        assert (link is None) == (answer.body["cursor"] is None)
        if link is None:
            return boards, sizes
        address, relation = link.split("; ")
        assert relation == 'rel="next"'
        assert f"cursor={answer.body['cursor']}" in address
        answer = await api.get(address.strip("<>"))


@pytest.mark.parametrize(
    ("limit", "sizes"), [(7, [7, 7, 7, 2]), (23, [23]), (200, [23]), (None, [23]), (22, [22, 1])]
)
async def test_a_whole_list_comes_page_by_page_in_order(api, limit, sizes):
    await factories.boards(api, 23)
    await factories.boards(api, 3, pool="mp")
    boards, found = await walk(api, limit)
    assert found == sizes
    assert [board["number"] for board in boards] == list(range(1, 24))
    mp, _ = await walk(api, 2, pool="mp", week=factories.WEEK)
    assert [board["pool"] for board in mp] == ["mp"] * 3


async def test_what_is_added_meanwhile_comes_at_its_place(api):
    await factories.boards(api, 4)
    first = await api.get("boards", params={"limit": "3"})
    await factories.boards(api, 2)
    rest = await api.get("boards", params={"cursor": first.body["cursor"]})
    assert [board["number"] for board in rest.body["boards"]] == [4, 5, 6]


async def test_fifty_unless_said_otherwise_and_two_hundred_at_most(api):
    await factories.boards(api, 201)
    assert [(await walk(api, limit))[1] for limit in (None, 200)] == [[50, 50, 50, 50, 1], [200, 1]]


async def test_a_week_without_boards_is_an_empty_list(api):
    for params in ({}, {"week": "2019-W01"}, {"pool": "guests"}, {"week": "2026-W53"}):
        answer = await api.get("boards", params=params)
        assert (answer.status, answer.body) == (200, {"boards": [], "cursor": None})


@pytest.mark.parametrize(
    ("params", "slug", "pointer"),
    [
        ({"limit": "0"}, "invalid-body", "?limit"),
        ({"limit": "201"}, "invalid-body", "?limit"),
        ({"limit": "-1"}, "invalid-body", "?limit"),
        ({"limit": ""}, "invalid-body", "?limit"),
        ({"limit": "7.0"}, "invalid-body", "?limit"),
        ({"limit": "٧"}, "invalid-body", "?limit"),
        ({"limit": "9" * 5000}, "invalid-body", "?limit"),
        ({"week": "2025-W53"}, "invalid-body", "?week"),
        ({"week": "2026-W00"}, "invalid-body", "?week"),
        ({"week": "0000-W01"}, "invalid-body", "?week"),
        ({"week": "2026W48"}, "invalid-body", "?week"),
        ({"week": "\x00"}, "invalid-body", "?week"),
        ({"pool": "none"}, "unknown-pool", "?pool"),
        ({"pool": "\x00"}, "unknown-pool", "?pool"),
        ({"cursor": ""}, "invalid-body", "?cursor"),
        ({"cursor": "x"}, "invalid-body", "?cursor"),
        ({"cursor": "ÄÖÜ"}, "invalid-body", "?cursor"),
        ({"cursor": "A" * 4000}, "invalid-body", "?cursor"),
    ],
)
async def test_a_wrong_parameter_is_named(api, params, slug, pointer):
    answer = await api.get("boards", params=params)
    assert (answer.status, answer.slug) == (422, slug)
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


async def test_a_cursor_of_another_installation_is_none(api, serve):
    await factories.boards(api, 3)
    cursor = (await api.get("boards", params={"limit": "1"})).body["cursor"]
    assert (await api.get("boards", params={"cursor": cursor})).status == 200
    other = (await serve(secret_key="another")).api
    assert (await other.get("boards", params={"cursor": cursor})).status == 422


@given(after=st.integers(1, 10**9), place=st.integers(0, 60), symbol=st.sampled_from(_SYMBOLS + "!=+/"))
def test_no_symbol_of_a_cursor_can_be_changed(after, place, symbol):
    cursor = queries.cursor(after, SECRET)
    assert queries.read_cursor(cursor, SECRET) == after
    place %= len(cursor)
    changes = [cursor[:place] + symbol + cursor[place:], cursor[:place] + cursor[place + 1 :]]
    if symbol != cursor[place]:
        changes.append(cursor[:place] + symbol + cursor[place + 1 :])
    for changed in changes:
        with pytest.raises(InvalidBody):
            queries.read_cursor(changed, SECRET)


@given(data=st.binary(max_size=40))
def test_no_other_bytes_are_a_cursor(data):
    with pytest.raises(InvalidBody):
        queries.read_cursor(base64.urlsafe_b64encode(data).decode(), SECRET)
