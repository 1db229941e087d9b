"""What is refused when a result is reported, with which problem, where, and in which order."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from server.storage.tables import boards as boards_table
from tests import factories

FOUR = {"N": "ann", "E": "eve", "S": "sam", "W": "wes"}
DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
BODY = [  # change of a good body, problem, where
    ({"board": None}, "invalid-body", "/board"),
    ({"board": 17}, "invalid-body", "/board"),
    ({"board": ""}, "invalid-body", "/board"),
    ({"board": "b" * 65}, "invalid-body", "/board"),
    ({"board": {"week": "2026-W48"}}, "invalid-body", "/board/number"),
    ({"board": {"week": "2026-W48", "number": 0}}, "invalid-body", "/board/number"),
    ({"board": {"week": "2026-W48", "number": 10**9}}, "invalid-body", "/board/number"),
    ({"board": {"week": "W48", "number": 1}}, "invalid-body", "/board/week"),
    ({"board": {"week": "2026-W48", "number": 1, "pool": "\x00"}}, "invalid-body", "/board/pool"),
    ({"board": {"week": "2026-W48", "number": 1, "extra": 1}}, "invalid-body", "/board/extra"),
    ({"table": None}, "invalid-body", "/table"),
    ({"table": ""}, "invalid-body", "/table"),
    ({"table": "t" * 65}, "invalid-body", "/table"),
    ({"table": "a/b"}, "invalid-body", "/table"),
    ({"table": "a\nb"}, "invalid-body", "/table"),
    ({"table": "a\n"}, "invalid-body", "/table"),
    ({"table": "a\u0000"}, "invalid-body", "/table"),
    ({"table": "a\u0085"}, "invalid-body", "/table"),
    ({"table": "\u202etable"}, "invalid-body", "/table"),
    ({"table": "\u2066table"}, "invalid-body", "/table"),
    ({"table": "\u200ftable"}, "invalid-body", "/table"),
    ({"table": 4}, "invalid-body", "/table"),
    ({"players": None}, "invalid-body", "/players"),
    ({"players": ["ann", "eve", "sam", "wes"]}, "invalid-body", "/players"),
    ({"players": {"N": "a", "E": "e", "S": "s"}}, "invalid-body", "/players/W"),
    ({"players": FOUR | {"X": "x"}}, "invalid-body", "/players/X"),
    ({"players": FOUR | {"n": "x"}}, "invalid-body", "/players/n"),
    ({"players": FOUR | {"S": 5}}, "invalid-body", "/players/S"),
    ({"players": FOUR | {"S": "s/m"}}, "invalid-body", "/players/S"),
    ({"players": FOUR | {"S": "s" * 65}}, "invalid-body", "/players/S"),
    ({"players": FOUR | {"S": "ann"}}, "invalid-result", "/players/S"),
    ({"contract": None}, "invalid-body", "/contract"),
    ({"contract": "8S"}, "invalid-result", "/contract"),
    ({"contract": "0S"}, "invalid-result", "/contract"),
    ({"contract": "4X"}, "invalid-result", "/contract"),
    ({"contract": "4SXXX"}, "invalid-result", "/contract"),
    ({"contract": "4S\x00"}, "invalid-result", "/contract"),
    ({"contract": "4" * 25}, "invalid-body", "/contract"),
    ({"contract": 4}, "invalid-body", "/contract"),
    ({"contract": "PASS"}, "invalid-result", "/declarer"),
    ({"contract": "PASS", "declarer": None}, "invalid-result", "/tricks"),
    ({"contract": "PASS", "declarer": None, "tricks": None, "lead": "HK"}, "invalid-result", "/lead"),
    ({"declarer": None}, "invalid-result", "/declarer"),
    ({"declarer": "X"}, "invalid-body", "/declarer"),
    ({"declarer": "n"}, "invalid-body", "/declarer"),
    ({"tricks": None}, "invalid-result", "/tricks"),
    ({"tricks": 14}, "invalid-result", "/tricks"),
    ({"tricks": -1}, "invalid-result", "/tricks"),
    ({"tricks": 10**40}, "invalid-result", "/tricks"),
    ({"tricks": "10"}, "invalid-body", "/tricks"),
    ({"tricks": 9.5}, "invalid-body", "/tricks"),
    ({"tricks": True}, "invalid-body", "/tricks"),
    ({"result": "4SN="}, "invalid-body", "/contract"),
    ({"contract": None, "result": "4SN="}, "invalid-body", "/declarer"),
    ({"contract": None, "declarer": None, "tricks": None, "result": "4SN+4"}, "invalid-result", "/result"),
    ({"contract": None, "declarer": None, "tricks": None, "result": ""}, "invalid-result", "/result"),
    ({"contract": None, "declarer": None, "tricks": None, "result": "x" * 25}, "invalid-body", "/result"),
    ({"lead": "HH"}, "invalid-result", "/lead"),
    ({"lead": "S1"}, "invalid-result", "/lead"),
    ({"lead": "HK" * 5}, "invalid-body", "/lead"),
    ({"played_at": "2026-11-25"}, "invalid-body", "/played_at"),
    ({"played_at": "2026-11-25T12:00:00"}, "invalid-body", "/played_at"),
    ({"played_at": "0001-01-01T00:00:00+10:00"}, "invalid-body", "/played_at"),
    ({"played_at": 1764072000}, "invalid-body", "/played_at"),
    ({"auction": "1S P"}, "invalid-body", "/auction"),
    ({"auction": ["P"] * 401}, "invalid-body", "/auction"),
    ({"auction": ["1S", "\x07"]}, "invalid-body", "/auction/1"),
    ({"play": ["HK"] * 53}, "invalid-body", "/play"),
    ({"disconnects": "ann"}, "invalid-body", "/disconnects"),
    ({"disconnects": ["ann", "nobody"]}, "invalid-result", "/disconnects/1"),
    ({"disconnects": ["ann"] * 5}, "invalid-body", "/disconnects"),
    ({"substitutes": {"N": "ann"}}, "invalid-result", "/substitutes/N"),
    ({"substitutes": {"N": "x", "S": "x"}}, "invalid-result", "/substitutes/S"),
    ({"substitutes": {"Q": "x"}}, "invalid-body", "/substitutes/Q"),
    ({"score": 420}, "invalid-body", "/score"),
    ({"idempotency_key": "K"}, "invalid-body", "/idempotency_key"),
]


def good(board, **changes):
    """A good result by ann, eve, sam and wes; members that are Ellipsis are left out."""
    return factories.result(board, players=FOUR, **changes)


async def test_every_wrong_member_is_named_with_its_place(api):
    board = await factories.board(api)
    wrong = []
    for change, slug, pointer in BODY:
        answer = await api.post("results", good(board) | change)
        assert answer.headers["Content-Type"] == "application/problem+json"
        found = [error["pointer"] for error in answer.body.get("errors", [])]
        if (answer.status, answer.slug, found) != (422, slug, [pointer]):
            wrong.append((change, answer.status, answer.slug, found))
    assert wrong == []
    assert (await api.get(f"boards/{board['id']}")).body["results"] == 0
    assert (await api.get("players/ann")).status == 404  # refusals make no players


@pytest.mark.parametrize("name", ["board", "table", "players", "contract"])
async def test_a_missing_member_is_named(api, name):
    body = good(await factories.board(api))
    del body[name]
    answer = await api.post("results", body)
    assert (answer.slug, answer.body["errors"][0]["pointer"]) == ("invalid-body", f"/{name}")


async def test_there_must_be_such_a_board(api):
    board = await factories.board(api)
    numbered = {"week": factories.WEEK, "number": board["number"]}
    for named in (
        "b_nowhere",
        "b_00zzzz",
        "b_" + "z" * 12,
        board["id"].upper(),
        "r_000001000001",
        "\x00",
        numbered | {"number": board["number"] + 1},
        numbered | {"pool": "mp"},
        numbered | {"pool": "none"},
        numbered | {"week": "2026-W47"},
        numbered | {"week": "2026-W99"},
    ):
        answer = await api.post("results", good(named))
        assert (answer.status, answer.slug) == (404, "board-not-found"), named


async def test_a_lead_that_the_leader_was_not_dealt_is_impossible(api):
    body = {"week": factories.WEEK, "boards": [{"number": 1, "deal": DEAL}, {"number": 2}]}
    known, unknown = (await api.post("board-sets", body)).body["boards"]
    answer = await api.post("results", good(known, lead="SA"))  # North declares, East leads
    assert (answer.status, answer.slug) == (422, "invalid-result")
    assert answer.body["errors"][0]["pointer"] == "/lead"
    assert (await api.post("results", good(known, lead="SQ"))).status == 201
    assert (await api.post("results", good(unknown, lead="SA"))).status == 201


async def test_a_player_may_be_new_only_where_that_is_allowed(serve):
    api = (await serve(players_auto_create=False)).api
    board = await factories.board(api)
    answer = await api.post("results", good(board))
    assert (answer.status, answer.slug) == (422, "unknown-player")
    assert answer.body["errors"][0]["pointer"] == "/players/N"
    for player in ("ann", "eve", "sam", "wes"):
        assert (await api.put(f"players/{player}", {"name": player})).status == 200
    assert (await api.post("results", good(board))).status == 201


async def test_a_linked_account_at_the_same_table_is_the_same_player(api):
    board = await factories.board(api)
    await api.put("players/ann", {"linked": ["wes"]})
    answer = await api.post("results", good(board))
    assert (answer.slug, answer.body["errors"][0]["pointer"]) == ("invalid-result", "/players/W")


async def test_members_play_among_themselves_and_with_guests(api):
    board, guests = await factories.board(api), await factories.board(api, pool="guests")
    await api.put("players/sam", {"member": False})
    answer = await api.post("results", good(board))
    assert (answer.status, answer.slug, answer.body["player"]) == (403, "members-only", "sam")
    assert (await api.post("results", good(guests))).status == 201


async def test_already_played_names_the_player_and_his_result(api):
    board = await factories.board(api)
    await api.put("players/eve", {"linked": ["eve-2"]})
    first = await api.post("results", good(board))
    for seat, name in (("N", "wes"), ("W", "eve-2"), ("S", "eve")):
        answer = await api.post("results", factories.result(board, players=factories.four() | {seat: name}))
        assert (answer.status, answer.slug) == (409, "already-played")
        assert (answer.body["player"], answer.body["result"]) == (name, first.body["id"])
    await api.put("players/nat", {"linked": ["sam"]})  # linked only after he has played
    answer = await api.post("results", factories.result(board, players=factories.four() | {"E": "nat"}))
    assert (answer.slug, answer.body["player"]) == ("already-played", "nat")


async def test_a_table_reports_once(api):
    board, other = await factories.boards(api, 2)
    await api.post("results", good(board, table="T"))
    answer = await api.post("results", factories.result(board, table="T"))
    assert (answer.status, answer.slug, answer.body["table"]) == (409, "table-already-reported", "T")
    assert (await api.post("results", factories.result(board, table="t"))).status == 201
    assert (await api.post("results", factories.result(other, table="T"))).status == 201


async def test_a_week_to_come_is_not_open_and_a_past_one_still_is(api, clock):
    board = await factories.board(api, week="2026-W49")
    opens = "2026-11-29T16:00:00Z"  # midnight in Shanghai
    answer = await api.post("results", good(board))
    assert (answer.status, answer.slug, answer.body["opens_at"]) == (409, "board-not-open", opens)
    clock.advance(timedelta(days=4, hours=4) - timedelta(microseconds=1))
    assert (await api.post("results", good(board))).slug == "board-not-open"
    clock.advance(timedelta(microseconds=1))
    assert (await api.post("results", good(board))).status == 201
    clock.advance(timedelta(days=70))
    assert (await api.post("results", factories.result(board))).status == 201


async def withdraw(server, board):
    """As a director will do: withdrawn by a ruling."""
    statement = update(boards_table).values(withdrawn_at=server.clock.now())
    where = boards_table.c.id == int(board["id"].removeprefix("b_"), 32)
    await server.database.write(lambda connection: connection.execute(statement.where(where)))


async def test_refusals_come_in_their_order(server, clock):
    """Every request offends against one rule and all that are asked after it."""
    api = server.api
    board = await factories.board(api, week="2026-W49")
    withdrawn = await factories.board(api, week="2026-W49")
    clock.advance(timedelta(days=7))
    first = factories.result(board, table="T", players=FOUR)
    for each in (board, withdrawn):
        assert (await api.post("results", first | {"board": each["id"]}, key=each["id"])).status == 201
        await factories.results(api, each, 39)
    await withdraw(server, withdrawn)
    again = {"table": "T", "players": FOUR}

    async def refused(key=None, **changes):
        options = {} if key is None else {"key": key}
        return (await api.post("results", factories.result(board) | changes, **options)).slug

    assert await refused(**again, board=withdrawn["id"]) == "board-withdrawn"
    assert await refused(**again) == "table-already-reported"
    assert await refused(players=FOUR) == "already-played"
    assert await refused() == "board-retired"
    clock.advance(timedelta(days=-7))
    assert await refused(**again, board=withdrawn["id"]) == "board-not-open"
    assert await refused(**again, board="b_nowhere") == "board-not-found"
    assert await refused(**again, board="b_nowhere", tricks=14) == "invalid-result"
    assert await refused(**again, board="b_nowhere", tricks="x", key="k" * 256) == "invalid-body"
    assert await refused(**again, board="b_00zzzz", key=board["id"]) == "idempotency-key-reused"
    replay = await api.post("results", first | {"board": board["id"]}, key=board["id"])
    assert (replay.status, replay.headers["Idempotency-Replayed"]) == (201, "true")
