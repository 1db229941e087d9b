"""Batches: each row is answered as if it had come alone, and a bad one harms no other."""

import json
from random import Random

import pytest

from tests import factories
from tests.web.scoring import Judge, check_traveller, random_outcome

NDJSON = {"Content-Type": "application/x-ndjson"}


def rows(board, count, **changes):
    """Good rows of fresh tables."""
    return [row(board, **changes) for _ in range(count)]


def row(board, **changes):
    """A good row of a fresh table; the key is the name of the table."""
    body = factories.result(board)
    return body | {"idempotency_key": body["table"]} | changes


def lines(*given):
    """NDJSON of rows; bytes stay as they are."""
    return b"\n".join(each if isinstance(each, bytes) else json.dumps(each).encode() for each in given)


async def posted(api, given, **options):
    """The items that a batch in either form is answered with."""
    if isinstance(given, bytes):
        answer = await api.post("results/batch", data=given, key=None, headers=NDJSON, **options)
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert answer.raw.count(b"\n") == len(answer.body)
        items = answer.body
    else:
        answer = await api.post("results/batch", given, key=None, **options)
        items = answer.body["results"]
    assert answer.status == 200
    return items


def kinds(items):
    """Status or kind of problem of each row."""
    return [item["body"].get("type", "").removeprefix("/problems/") or item["status"] for item in items]


@pytest.mark.parametrize("form", [list, lambda given: lines(*given)], ids=["array", "NDJSON"])
async def test_forty_in_one_batch_score_like_forty_alone(api, form):
    board, rng = await factories.board(api), Random(5)
    outcomes = [random_outcome(rng, board["number"]) for _ in range(42)]
    given = [row(board, **members) for members, _ in outcomes]
    items = await posted(api, form(given))
    assert kinds(items) == [201] * 40 + ["board-retired"] * 2
    for index, item in enumerate(items[:40]):
        assert item["body"]["table"] == given[index]["table"]
        assert item["body"]["sequence"] == index + 1
        assert item["body"]["state"] == ("pending" if index < 5 else "scored")
    traveller = await api.get(f"boards/{board['id']}/traveller")
    check_traveller(Judge("datum"), traveller.body, [score for _, score in outcomes[:40]])


async def bad_rows(api, board):
    """Rows that must be refused, by the kind of problem; one row of the board is taken for it."""
    later = await factories.board(api, week="2026-W49")
    played = (await factories.results(api, board, 1))[0]
    known = (await api.get(f"results/{played['id']}", token="director")).body
    await api.post("results", factories.result(board), key="used")
    await api.put("players/guest", {"member": False})
    keys = ("", "k" * 256, None, 5)
    return {
        "idempotency-key-missing": [{k: v for k, v in row(board).items() if k != "idempotency_key"}],
        "invalid-body": [5, None, "row", [], {}, row(board, tricks="x"), row(board, extra=1)]
        + [row(board, idempotency_key=key) for key in keys],
        "invalid-result": [row(board, tricks=14), row(board, contract="9S"), row(board, tricks=10**30)],
        "board-not-found": [row("b_nowhere"), row("b_00zzzz"), row({"week": "2026-W48", "number": 999})],
        "board-not-open": [row(later)],
        "table-already-reported": [row(board, table=played["table"])],
        "already-played": [row(board, players=factories.four() | {"N": known["players"]["N"]})],
        "idempotency-key-reused": [row(board, idempotency_key="used")],
        "members-only": [row(board, players=factories.four() | {"S": "guest"})],
    }


async def test_every_kind_of_bad_row_stands_for_itself(api):
    board = await factories.board(api)
    bad = await bad_rows(api, board)
    expected = [(kind, each) for kind, group in bad.items() for each in group]
    Random(9).shuffle(expected)
    mixed = [each for one in expected for each in (one, (201, row(board)))]
    items = await posted(api, [each for _, each in mixed])
    assert kinds(items) == [kind for kind, _ in mixed]
    assert all(item["status"] == item["body"].get("status", 201) for item in items)
    again = await posted(api, lines(*(each for _, each in mixed)))
    assert [item.get("replayed", False) for item in again] == [kind == 201 for kind, _ in mixed]
    taken = [[item["body"] for item in each if item["status"] == 201] for each in (items, again)]
    assert taken[0] == taken[1]


async def test_a_row_that_json_cannot_say_harms_no_other(api):
    board = await factories.board(api)
    good = [json.dumps(each) for each in rows(board, 5)]
    odd = [
        ('{"table": NaN}', "/table"),
        ('{"players": {"N": "a", "N": "b"}}', "/players/N"),
        ('{"table": "\\ud800", "x": -Infinity}', "/x"),
        ("NaN", ""),
        ('{"table": "\\ud800"}', "/table"),
    ]
    array = (
        f"[{good[0]}, {odd[0][0]}, {odd[1][0]}, {good[1]}, {odd[2][0]}, {odd[3][0]}, {odd[4][0]}]".encode()
    )
    answer = await api.post("results/batch", data=array, key=None)
    items = answer.body["results"]
    assert [item["status"] for item in items] == [201, 422, 422, 201, 422, 422, 422]
    wrong = [item["body"]["errors"][0]["pointer"] for item in items if item["status"] == 422]
    assert wrong == [pointer for _, pointer in odd]
    surrogate = lines(good[2].encode(), b'{"table": "\\ud800"}', good[3].encode())
    assert kinds(await posted(api, surrogate)) == [201, "invalid-body", 201]
    alone = f'[{good[4]}, {{"table": "\\ud800"}}]'.encode()
    items = (await api.post("results/batch", data=alone, key=None)).body["results"]
    assert kinds(items) == [201, "invalid-body"]
    assert items[1]["body"]["errors"][0]["pointer"] == "/table"


async def test_a_line_that_is_no_json_harms_no_other(api):
    board = await factories.board(api)
    one, two, three = rows(board, 3)
    given = lines(one, b"{", b"\xff", b"", b"  ", two, b"[" * 5000, b"nothing", three, b"")
    items = await posted(api, given)
    malformed = "malformed-json"
    assert kinds(items) == [201, malformed, malformed, 201, malformed, malformed, 201]
    windows = b"\r\n".join([lines(row(board)), lines(row(board)), b""])
    assert kinds(await posted(api, windows)) == [201, 201]


async def test_an_array_that_is_no_json_is_refused_as_a_whole(api):
    board = await factories.board(api)
    data = json.dumps(rows(board, 2)).encode()[:-1]
    answer = await api.post("results/batch", data=data, key=None)
    assert (answer.status, answer.slug) == (400, "malformed-json")
    assert (await api.get(f"boards/{board['id']}")).body["results"] == 0


async def test_a_batch_has_1_to_1000_rows(api):
    for data, headers in ((b"[]", {}), (b"", NDJSON), (b"\n \n", NDJSON)):
        answer = await api.post("results/batch", data=data, key=None, headers=headers)
        assert (answer.status, answer.slug) == (422, "invalid-body"), data
    for form in (lambda given: json.dumps(given).encode(), lambda given: lines(*given)):
        headers = {} if form([]) == b"[]" else NDJSON
        full = await api.post("results/batch", data=form([5] * 1000), key=None, headers=headers)
        assert full.status == 200
        over = await api.post("results/batch", data=form([5] * 1001), key=None, headers=headers)
        assert (over.status, over.slug) == (422, "invalid-body")


async def test_rows_of_one_batch_see_each_other(api):
    board = await factories.board(api)
    first, same_player, again = row(board, table="T"), row(board), row(board, table="T")
    same_player["players"]["S"] = first["players"]["W"]
    reused = row(board, idempotency_key="T-key")
    other = row(board, idempotency_key="T-key")
    given = [first, again, same_player, first, reused, other, *rows(board, 4), first]
    items = await posted(api, given)
    assert kinds(items) == [
        201,
        "table-already-reported",
        "already-played",
        201,
        201,
        "idempotency-key-reused",
        *[201] * 4,
        201,
    ]
    assert [at for at, item in enumerate(items) if item.get("replayed")] == [3, 10]
    assert items[0]["body"] == items[3]["body"] == items[10]["body"]
    assert items[2]["body"]["result"] == items[0]["body"]["id"]
    assert items[9]["body"]["state"] == "scored"  # the sixth
    assert items[10]["body"]["state"] == "pending"  # the first answer again


async def test_a_batch_may_have_many_boards_and_more_rows_than_one_commit(api):
    boards = await factories.boards(api, 13)
    given = [row(board) for _ in range(40) for board in boards]
    items = await posted(api, given)
    assert kinds(items) == [201] * len(given)
    states = {(await api.get(f"boards/{board['id']}")).body["state"] for board in boards}
    assert states == {"retired"}


async def test_new_players_are_made_only_where_that_is_allowed(serve):
    api = (await serve(players_auto_create=False)).api
    board = await factories.board(api)
    assert kinds(await posted(api, rows(board, 2))) == ["unknown-player"] * 2


async def test_a_row_needs_no_header_and_the_header_is_not_its_key(api):
    board = await factories.board(api)
    body = row(board)
    bare = {name: value for name, value in body.items() if name != "idempotency_key"}
    answer = await api.post("results/batch", [bare, body], key="header")
    assert kinds(answer.body["results"]) == ["idempotency-key-missing", 201]
