"""Players: made at first sight, named, hidden, linked."""

import pytest

from tests import factories


async def put(api, player, /, **members):
    """Set members of a player, who must be taken; the answer's body."""
    answer = await api.put(f"players/{player}", members)
    assert answer.status == 200, answer
    return answer.body


FIGURES = {"figures", "last_week", "duplicate", "joint", "provisional", "pair_only", "island"}
PUBLIC = {"id", "name", "pool", "member", "grade", "masterpoints", "masterpoints_by_event"} | FIGURES


async def linked(api, name):
    """The other accounts of a player."""
    return (await api.get(f"players/{name}", token="results")).body["linked"]


async def test_a_player_is_there_from_his_first_result_on(api):
    board = await factories.board(api)
    assert (await api.get("players/ann")).slug == "not-found"
    four = {"N": "ann", "E": "Ann", "S": "安妮 🂡", "W": "w+@.:;?#&= %"}
    await factories.results(api, board, 1, players=four)
    for name, address in zip(four.values(), ("ann", "Ann", "安妮 🂡", "w%2B@.:;%3F%23&=%20%25"), strict=True):
        answer = await api.get(f"players/{address}")
        assert (answer.body["id"], answer.body["name"], answer.body["member"]) == (name, name, True)
        assert answer.body.keys() == PUBLIC
    await factories.board(api)
    asked = {"table": "T", "players": factories.four() | {"N": "new"}}
    assert (await api.post("assignments", asked)).status == 201
    assert (await api.get("players/new")).status == 200


async def test_an_id_may_hold_braces(api):
    board = await factories.board(api)
    await factories.results(api, board, 1, players=factories.four() | {"N": "{{7*7}}"})
    for address in ("{{7*7}}", "%7B%7B7*7%7D%7D"):
        assert (await api.get(f"players/{address}")).body["id"] == "{{7*7}}"
    assert (await put(api, "%7Bid%7D", name="Brace"))["name"] == "Brace"


async def test_a_player_may_be_named_before(api):
    body = await put(api, "ann", name="Ann Bee", member=False)
    set_of_him = {"full_name": "Ann Bee", "alias": None, "hidden": False, "linked": []}
    assert body == {"id": "ann", "name": "Ann Bee", "member": False} | set_of_him
    shown = (await api.get("players/ann")).body
    assert (shown["id"], shown["name"], shown["member"]) == ("ann", "Ann Bee", False)


async def test_what_is_left_out_stays_as_it_is(api):
    await put(api, "ann", name="Ann", alias="A.", member=False, linked=["bob"])
    assert (await put(api, "ann"))["name"] == "A."
    assert (await put(api, "ann", name="Anna", member=None))["member"] is False
    assert (await put(api, "ann", alias=""))["name"] == "Anna"
    assert await linked(api, "ann") == ["bob"]


async def test_only_platforms_see_linked_accounts(api):
    await put(api, "ann", linked=["bob"])
    assert "linked" not in (await api.get("players/ann")).body
    assert "linked" not in (await api.get("players/ann", token="boards")).body
    assert await linked(api, "bob") == ["ann"]


async def test_the_list_of_linked_accounts_is_the_whole_list(api):
    await put(api, "ann", linked=["bob", "cid"])
    assert await linked(api, "cid") == ["ann", "bob"]
    assert (await put(api, "cid", linked=["ann", "dan"]))["linked"] == ["ann", "dan"]
    assert await linked(api, "bob") == []
    assert await linked(api, "ann") == ["cid", "dan"]
    assert (await put(api, "dan", linked=[]))["linked"] == []
    assert await linked(api, "ann") == ["cid"]
    await put(api, "ann", linked=[])
    assert [await linked(api, name) for name in ("ann", "bob", "cid", "dan")] == [[]] * 4


async def test_nobody_is_taken_from_another_person(api):
    await put(api, "ann", linked=["bob"])
    answer = await api.put("players/cid", {"linked": ["bob"], "name": "Cid"})
    assert (answer.status, answer.slug) == (409, "account-linked-elsewhere")
    assert (answer.body["player"], answer.body["linked_to"]) == ("bob", "ann")
    assert (await api.get("players/cid")).status == 404  # nothing of it was done
    assert (await put(api, "cid", linked=["bob", "ann"]))["linked"] == ["ann", "bob"]


async def test_unlinked_accounts_may_play_the_same_board_again(api):
    first, second = await factories.boards(api, 2)
    await put(api, "ann", linked=["bob"])
    await factories.results(api, first, 1, players=factories.four() | {"N": "ann"})
    body = factories.result(first, players=factories.four() | {"N": "bob"})
    assert (await api.post("results", body)).slug == "already-played"
    await put(api, "ann", linked=[])
    assert (await api.post("results", body)).status == 201
    both = factories.result(second, players=factories.four() | {"N": "ann", "S": "bob"})
    assert (await api.post("results", both)).status == 201


async def test_a_hidden_player_has_no_page_and_no_name(api):
    board = await factories.board(api)
    four = {"N": "ann", "E": "eve", "S": "sam", "W": "wes"}
    (result,) = await factories.results(api, board, 1, players=four)
    await put(api, "ann", name="Ann", hidden=True)
    for token in ("public", "boards", "director"):
        answer = await api.get("players/ann", token=token)
        assert (answer.status, answer.slug) == (404, "not-found")
    for token in ("results", "admin"):  # whoever may show him again sees him
        assert (await api.get("players/ann", token=token)).body["hidden"] is True
    for path in (f"results/{result['id']}", f"results/{result['id']}/explain"):
        body = (await api.get(path, token="director")).body
        assert body.get("result", body)["players"] == four | {"N": "hidden"}
    rows = (await api.get(f"boards/{board['id']}/traveller", token="director")).body["results"]
    assert rows[0]["players"]["N"] == "hidden"
    again = factories.result(board, players=factories.four() | {"N": "ann"})
    assert (await api.post("results", again)).slug == "already-played"
    await put(api, "ann", hidden=False)
    assert (await api.get("players/ann")).body["name"] == "Ann"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"name": "a\nb"}, "/name"),
        ({"name": "a\u202eb"}, "/name"),
        ({"name": "n" * 101}, "/name"),
        ({"name": 5}, "/name"),
        ({"alias": "a\u0007"}, "/alias"),
        ({"alias": "a" * 101}, "/alias"),
        ({"hidden": "yes"}, "/hidden"),
        ({"member": 1}, "/member"),
        ({"linked": "bob"}, "/linked"),
        ({"linked": ["bob", ""]}, "/linked/1"),
        ({"linked": ["bob", "a/b"]}, "/linked/1"),
        ({"linked": ["bob", "ann"]}, "/linked/1"),
        ({"linked": [f"p{number}" for number in range(21)]}, "/linked"),
        ({"id": "ann"}, "/id"),
    ],
)
async def test_what_cannot_be_set_is_refused(api, body, pointer):
    answer = await api.put("players/ann", body)
    assert (answer.status, answer.slug) == (422, "invalid-body")
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]
    assert (await api.get("players/ann")).status == 404


@pytest.mark.parametrize("name", ["a%2Fb", "a%0Ab", "%E2%80%AE", "p" * 65])
async def test_an_id_that_cannot_be_is_refused(api, name):
    answer = await api.put(f"players/{name}", {"name": "Ann"})
    assert (answer.status, answer.slug) == (422, "invalid-body")
    assert (await api.get(f"players/{name}")).status == 404


async def test_strangers_are_unknown_where_players_are_entered_by_hand(api, serve):
    await put(api, "ann", name="Ann")
    strict = (await serve(players_auto_create=False)).api
    assert (await strict.put("players/ann", {"name": "Anna"})).status == 200
    assert (await strict.put("players/bob", {"name": "Bob"})).body["name"] == "Bob"
    answer = await strict.put("players/ann", {"linked": ["cas"]})
    assert (answer.status, answer.slug) == (422, "unknown-player")
    assert answer.body["errors"][0]["pointer"] == "/linked/0"


async def test_names_may_be_written_in_any_script(api):
    for name in ("Łukasz Żółć", "李小龍", "مريم", "Δημήτρης", "O'Neil-Smith (jr.)", "🂡🂱", "<b>&amp;"):
        assert (await put(api, "ann", name=name))["name"] == name
