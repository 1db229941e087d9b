"""Disconnects: with a result or without, once for each player and board, taken back by a director."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from server.storage import tables
from tests import factories
from tests.web.test_secrecy import followed
from tests.web.verified import check_clean


def leaving(board, **changes):
    """A disconnect to be posted: North leaves a fresh table of fresh players."""
    players = changes.pop("players", None) or factories.four()
    body = {
        "player": players["N"],
        "board": board.get("id", board),
        "table": factories.table(),
        "players": players,
        "at": "2026-11-25T19:59:00+08:00",
    }
    return body | changes


async def left(api, board, **changes):
    """Report a disconnect, which must be taken; what was posted and answered."""
    posted = leaving(board, **changes)
    answer = await api.post("disconnects", posted)
    assert answer.status == 201, answer
    return posted, answer.body


async def states(api, result):
    """Who disconnected, as the result tells it."""
    row = (await api.get(f"results/{result['id']}", token="director")).body
    return {each["player"]: each["state"] for each in row.get("disconnects", [])}


async def take_back(api, disconnect, **options):
    """Make a disconnect void."""
    params = {"reason": "the lights went out"} | options.pop("params", {})
    return await api.delete(f"disconnects/{disconnect['id']}", params=params, **options)


async def test_a_board_that_nobody_finished(server, api):
    board = await factories.board(api)
    posted, body = await left(api, board)
    assert body.pop("id").startswith("d_")
    assert body == {
        "board": board["id"],
        "state": "standing",
        "player": posted["player"],
        "table": posted["table"],
        "players": posted["players"],
        "result": None,
        "at": "2026-11-25T11:59:00Z",
        "received_at": "2026-11-25T12:00:00Z",
    }
    found = (await api.get(f"boards/{board['id']}/traveller", token="director")).body
    assert (found["results"], found["board"]["results"], found["board"]["version"]) == ([], 0, 1)
    for name in posted["players"].values():  # all four have seen it
        seats = factories.four() | {"S": name}
        dealt = await api.post("assignments", {"table": factories.table(), "players": seats})
        assert dealt.slug == "no-board-available", name
    await check_clean(server)


async def test_the_moment_may_be_left_out(api):
    board = await factories.board(api)
    _, body = await left(api, board, at=None)
    assert body["at"] is None
    named = {"week": factories.WEEK, "number": board["number"]}
    _, body = await left(api, named)
    assert body["board"] == board["id"]


async def test_a_result_may_still_come(server, api):
    board = await factories.board(api)
    posted, body = await left(api, board)
    back = {"table": posted["table"], "players": posted["players"]}
    (result,) = await factories.results(api, board, 1, **back)
    assert await states(api, result) == {posted["player"]: "standing"}
    # Or a substitute finishes in his place; the report names him again, and once is enough.
    posted, body = await left(api, board)
    seats = posted["players"] | {"N": "substitute"}
    more = {"substitutes": {"N": posted["player"]}, "disconnects": [posted["player"]]}
    (result,) = await factories.results(api, board, 1, table=posted["table"], players=seats, **more)
    assert await states(api, result) == {posted["player"]: "standing"}
    listed = (await api.get("disconnects", params={"player": posted["player"]})).body["disconnects"]
    assert [(each["id"], each["result"]) for each in listed] == [(body["id"], None)]
    await check_clean(server)


async def test_who_was_replaced_has_disconnected(api):
    board = await factories.board(api)
    posted = {"players": factories.four(), "substitutes": {"W": "wes"}}
    (result,) = await factories.results(api, board, 1, **posted)
    assert await states(api, result) == {"wes": "standing"}
    read = (await api.get(f"results/{result['id']}", token="director")).body
    assert read["substitutes"] == {"W": "wes"}
    (listed,) = (await api.get("disconnects", params={"board": board["id"]})).body["disconnects"]
    assert (listed["player"], listed["result"], listed["table"]) == ("wes", result["id"], result["table"])
    assert listed["players"] == posted["players"]


async def test_a_disconnect_may_come_after_the_result(server, api):
    board = await factories.board(api)
    seats = factories.four()
    (result,) = await factories.results(api, board, 1, players=seats, substitutes={"S": "sam"})
    same = {"players": seats, "table": result["table"]}
    await left(api, board, player=seats["E"], **same)
    # Who was replaced has one already; a stranger has no part in that table.
    again = leaving(board, **same | {"players": seats | {"S": "sam"}, "player": "sam"})
    assert (await api.post("disconnects", again)).slug == "disconnect-already-reported"
    other = await api.post("disconnects", leaving(board, table=result["table"]))
    assert (other.status, other.slug) == (422, "invalid-result")
    assert other.body["errors"][0]["pointer"] == "/player"
    assert await states(api, result) == {seats["E"]: "standing", "sam": "standing"}
    await check_clean(server)


async def test_once_for_a_player_and_board(api):
    one, two = await factories.boards(api, 2)
    posted, body = await left(api, one)
    for key in ("K", "L"):  # whatever the key, at whatever table
        answer = await api.post("disconnects", posted | {"table": key}, key=key)
        assert (answer.status, answer.slug) == (409, "disconnect-already-reported")
        assert (answer.body["player"], answer.body["disconnect"]) == (posted["player"], body["id"])
    await left(api, two, players=posted["players"])
    await left(api, one, players=posted["players"], player=posted["players"]["E"])


async def test_linked_accounts_are_one_person(api):
    board = await factories.board(api)
    await api.put("players/ann", {"linked": ["ann2"]})
    await left(api, board, player="ann", players=factories.four() | {"N": "ann"})
    again = leaving(board, player="ann2", players=factories.four() | {"N": "ann2"})
    assert (await api.post("disconnects", again)).slug == "disconnect-already-reported"
    twice = leaving(board, player="ann", players=factories.four() | {"N": "ann", "E": "ann2"})
    answer = await api.post("disconnects", twice)
    assert (answer.status, answer.slug) == (422, "invalid-result")
    assert len((await api.get("disconnects", params={"player": "ann2"})).body["disconnects"]) == 1


async def test_nobody_leaves_a_board_that_he_has_finished_elsewhere(api):
    board = await factories.board(api)
    (result,) = await factories.results(api, board, 1, players=factories.four() | {"N": "ann"})
    for player in ("ann", "bob"):
        answer = await api.post(
            "disconnects", leaving(board, player=player, players=factories.four() | {"N": "bob", "E": "ann"})
        )
        assert (answer.status, answer.slug) == (409, "already-played")
        assert (answer.body["player"], answer.body["result"]) == ("ann", result["id"])


async def test_the_same_request_again_gets_the_same_answer(api):
    board = await factories.board(api)
    body = leaving(board)
    first = await api.post("disconnects", body, key="K")
    again = await api.post("disconnects", body, key="K")
    assert (again.status, again.raw, again.headers["Idempotency-Replayed"]) == (201, first.raw, "true")
    other = await api.post("disconnects", leaving(board), key="K")
    assert (other.status, other.slug) == (422, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("changes", "slug", "pointer"),
    [
        ({"player": "nobody"}, "invalid-result", "/player"),
        (
            {"players": {"N": "a", "E": "b", "S": "c", "W": "a"}, "player": "a"},
            "invalid-result",
            "/players/W",
        ),
        ({"players": {"N": "a", "E": "b", "S": "c"}, "player": "a"}, "invalid-body", "/players/W"),
        ({"table": "a/b"}, "invalid-body", "/table"),
        ({"table": None}, "invalid-body", "/table"),
        ({"at": "yesterday"}, "invalid-body", "/at"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "invalid-body", "/at"),
        ({"reason": "x"}, "invalid-body", "/reason"),
    ],
)
async def test_what_cannot_be_is_refused(api, changes, slug, pointer):
    board = await factories.board(api)
    answer = await api.post("disconnects", leaving(board, players=changes.get("players")) | changes)
    assert (answer.status, answer.slug) == (422, slug)
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


async def test_boards_are_asked_in_their_order(server, api, serve):
    for named in ("b_00zzzz", "x", {"week": factories.WEEK, "number": 99}):
        answer = await api.post("disconnects", leaving({"id": named}))
        assert (answer.status, answer.slug) == (404, "board-not-found")
    later = await factories.board(api, week="2026-W49")
    assert (await api.post("disconnects", leaving(later))).slug == "board-not-open"
    board = await factories.board(api)
    await api.put("players/guest", {"member": False})
    guest = leaving(board, players=factories.four() | {"N": "guest"})
    assert (await api.post("disconnects", guest)).slug == "members-only"
    strict = await serve(players_auto_create=False)
    unknown = await strict.api.post("disconnects", leaving(board))
    assert (unknown.slug, unknown.body["errors"][0]["pointer"]) == ("unknown-player", "/players/N")
    withdrawn = update(tables.boards).values(withdrawn_at=server.clock.now())
    await server.database.write(lambda connection: connection.execute(withdrawn))
    assert (await api.post("disconnects", leaving(board))).slug == "board-withdrawn"


async def test_a_past_week_takes_disconnects_too(api, clock):
    board = await factories.board(api)
    clock.advance(timedelta(days=8))
    await left(api, board)


async def test_taking_a_disconnect_back(server, api):
    board = await factories.board(api)
    posted, body = await left(api, board)
    answer = await take_back(api, body)
    assert answer.status == 200
    void = {"reason": "the lights went out", "at": "2026-11-25T12:00:00Z"}
    assert answer.body == body | {"state": "void", "void": void}
    assert (await api.get(f"disconnects/{body['id']}")).body == answer.body
    assert (await api.get("disconnects")).body["disconnects"] == [answer.body]
    again = await take_back(api, body)
    assert (again.status, again.slug, again.body["id"]) == (409, "already-void", body["id"])
    # It is not reported again: neither by itself nor with a result.
    assert (await api.post("disconnects", posted)).slug == "disconnect-already-reported"
    named = {"disconnects": [posted["player"]], "table": posted["table"], "players": posted["players"]}
    (result,) = await factories.results(api, board, 1, **named)
    assert await states(api, result) == {posted["player"]: "void"}
    read = (await api.get(f"boards/{board['id']}")).body
    assert read["version"] == 2
    await check_clean(server)


async def test_one_that_came_with_a_result_is_taken_back_alike(server, api):
    board = await factories.board(api)
    seats = factories.four()
    (result,) = await factories.results(api, board, 1, players=seats, disconnects=[seats["W"]])
    row = (await api.get(f"results/{result['id']}", token="director")).body
    answer = await take_back(api, row["disconnects"][0])
    assert (answer.status, answer.body["result"]) == (200, result["id"])
    after = (await api.get(f"results/{result['id']}", token="director")).body
    assert after == row | {"disconnects": [row["disconnects"][0] | {"state": "void"}]}
    await check_clean(server)


async def test_a_void_result_leaves_the_disconnect(api):
    board = await factories.board(api)
    seats = factories.four()
    (result,) = await factories.results(api, board, 1, players=seats, disconnects=[seats["W"]])
    assert (await factories.rule(api, "void", result["id"])).status == 200
    assert await states(api, result) == {seats["W"]: "standing"}


@pytest.mark.parametrize("params", [{}, {"reason": ""}, {"reason": "a\nb"}, {"reason": "x" * 501}])
async def test_taking_back_needs_a_reason(api, params):
    _, body = await left(api, await factories.board(api))
    answer = await api.delete(f"disconnects/{body['id']}", params=params)
    assert (answer.status, answer.slug) == (422, "invalid-body")
    assert answer.body["errors"][0]["pointer"] == "?reason"
    assert (await api.get(f"disconnects/{body['id']}")).body["state"] == "standing"


@pytest.mark.parametrize("name", ["d_00zzzz", "d_1", "b_000001", "%00"])
async def test_there_must_be_such_a_disconnect(api, name):
    await factories.board(api)
    assert (await api.get(f"disconnects/{name}")).slug == "not-found"
    assert (await take_back(api, {"id": name})).slug == "not-found"


async def test_a_director_who_plays_takes_nothing_back_where_he_is_concerned(server, api):
    board = await factories.board(api)
    posted, body = await left(api, board)
    tokens = {
        who: await server.token(who, "director", player=who) for who in (posted["players"]["S"], "chief")
    }
    for token in tokens.values():  # both may still play it
        assert (await take_back(api, body, token=token)).slug == "own-board"
    await factories.results(api, board, 40)
    *_, chief = tokens.values()
    own = await take_back(api, body, token=tokens[posted["players"]["S"]])
    assert (own.status, own.slug) == (403, "own-board")
    assert (await take_back(api, body, token=chief)).status == 200


async def test_a_director_who_plays_reads_no_more_than_he_may(server, api):
    board = await factories.board(api)
    posted, body = await left(api, board)
    chief = await server.token("chief", "director", player="chief")
    hidden = {"id": body["id"], "board": board["id"], "state": "standing"}
    assert (await api.get(f"disconnects/{body['id']}", token=chief)).body == hidden
    assert (await api.get("disconnects", token=chief)).body["disconnects"] == [hidden]
    (result,) = await factories.results(
        api, board, 1, table=posted["table"], players=posted["players"], substitutes={"N": "sub"}
    )
    for token in (chief, "public"):
        seen = (await api.get(f"results/{result['id']}", token=token)).body
        assert seen.keys() == {"id", "sequence", "state"}
    await factories.results(api, board, 39)
    assert (await api.get(f"disconnects/{body['id']}", token=chief)).body == body


async def test_the_list_comes_page_by_page(api):
    one, two = await factories.boards(api, 2)
    made = [(await left(api, board))[1] for board in (one, two, one, one)]
    params, found = {"board": one["id"], "limit": "2"}, []
    first = await api.get("disconnects", params=params)
    found += first.body["disconnects"]
    rest = await api.get(first.headers["Link"].split("; ")[0].strip("<>"))
    found += rest.body["disconnects"]
    assert found == [made[0], made[2], made[3]]
    assert rest.body["cursor"] is None
    assert (await api.get("disconnects", params={"player": "nobody"})).body["disconnects"] == []
    for params, slug in (({"board": "x"}, "board-not-found"), ({"player": "a/b"}, "invalid-body")):
        assert (await api.get("disconnects", params=params)).slug == slug


async def test_hidden_players_stay_hidden(api):
    board = await factories.board(api)
    posted, body = await left(api, board)
    await api.put(f"players/{posted['player']}", {"hidden": True})
    read = (await api.get(f"disconnects/{body['id']}")).body
    assert (read["player"], read["players"]["N"]) == ("hidden", "hidden")


async def test_a_disconnect_leaves_its_traces(server, api):
    board = await factories.board(api)

    def state(connection):
        row = connection.execute(select(tables.boards)).one()
        return row.change, row.bulletins, row.version, row.ruled

    _, body = await left(api, board)
    assert await server.database.read(state) == (1, 1, 1, False)
    assert (await take_back(api, body)).status == 200
    assert await server.database.read(state) == (2, 2, 2, False)
    rows = (await api.get("audit")).body["rows"][:2]
    assert [(row["client"], row["verb"], row["subject"], row["detail"]) for row in rows] == [
        ("director client", "disconnect-void", board["id"], f"{body['id']}: the lights went out"),
        ("results client", "disconnect", board["id"], body["id"]),
    ]
    text = await followed(server, f"board:{board['id']}", 2)
    told = [part for part in text.split("\n\n") if "data: " in part]
    assert [part.partition("event: ")[2].partition("\n")[0] for part in told] == ["board", "board"]
    for part in told:  # that something happened, and not what
        assert part.count("ann-") == part.count("d_") == 0
        assert '"state":"pending","results":0' in part


async def lift(api, disconnect, token="director", **options):
    """Take from the partner what the disconnect costs him."""
    return await api.post(
        f"disconnects/{disconnect['id']}/lift", {"reason": "he waited"}, token=token, **options
    )


async def test_what_it_costs_the_partner_is_lifted_once(server, api):
    board = await factories.board(api)
    _, body = await left(api, board)
    answer = await lift(api, body, key="once")
    assert answer.status == 200, answer
    lifted = {"reason": "he waited", "at": "2026-11-25T12:00:00Z"}
    assert answer.body == body | {"partner_lifted": lifted}
    assert (await lift(api, body, key="once")).raw == answer.raw
    again = await lift(api, body)
    assert (again.status, again.slug) == (409, "nothing-to-lift")
    (row,) = [each for each in await audited(api) if each["verb"] == "partner-lifted"]
    assert (row["subject"], row["detail"]) == (board["id"], f"{body['id']}: he waited")
    void = (await take_back(api, body)).body
    assert (void["state"], void["partner_lifted"], void["void"]["reason"]) == (
        "void",
        lifted,
        "the lights went out",
    )
    assert (await lift(api, body)).slug == "already-void"
    await check_clean(server)


async def test_where_the_partner_bears_nothing_there_is_nothing_to_lift(api):
    posted = factories.result(await factories.board(api))
    result = (await api.post("results", posted | {"disconnects": [posted["players"]["E"]]})).body
    (with_result,) = (await api.get(f"results/{result['id']}", token="director")).body["disconnects"]
    assert (await lift(api, with_result)).slug == "nothing-to-lift"
    reported, body = await left(api, await factories.board(api))
    back = factories.result(body["board"], table=reported["table"], players=reported["players"])
    assert (await api.post("results", back)).status == 201
    assert (await lift(api, body)).slug == "nothing-to-lift"
    assert (await lift(api, {"id": "d_nothing"})).status == 404


async def test_a_director_who_plays_lifts_nothing_where_he_is_concerned(server, api):
    posted, body = await left(api, await factories.board(api))
    himself = await server.token("himself", "director", player=posted["players"]["S"])
    assert (await lift(api, body, token=himself)).slug == "own-board"


async def audited(api):
    return (await api.get("audit", token="director")).body["rows"]
