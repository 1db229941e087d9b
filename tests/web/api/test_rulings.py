"""Rulings: void and adjusted results, what follows from them, and who may rule."""

import asyncio

import pytest
from sqlalchemy import func, select, update

from server.app import secrecy_of
from server.services import bulletins
from server.storage import tables
from server.web.rendering import WORDING
from tests import factories
from tests.web.test_secrecy import followed
from tests.web.verified import check_clean

SIX = (("4S", 10), ("4S", 10), ("4S", 10), ("4S", 11), ("4S", 9), ("4SX", 8))
"""420, 420, 420, 450, -50, -300 for NS, who are not vulnerable: the datum is 300."""
NEW = {"result": "4SN-1"}


@pytest.fixture
async def board(api):
    """A board with six results; ``results`` as they were answered, in order of arrival."""
    made = await factories.board(api)
    results = []
    for contract, tricks in SIX:
        results += await factories.results(api, made, 1, contract=contract, tricks=tricks)
    return made | {"results": results}


async def traveller(api, board):
    """The traveller as a director sees it."""
    return (await api.get(f"boards/{board['id']}/traveller", token="director")).body


async def test_a_void_result_counts_for_nothing(server, api, board):
    gone = board["results"][4]
    answer = await factories.rule(api, "void", gone["id"], reason="reported <twice>")
    assert answer.status == 200, answer
    assert (answer.body["state"], answer.body["version"], answer.body["dry_run"]) == ("void", 2, False)
    assert answer.body["board"] == board["results"][5]["board"] | {"state": "pending", "results": 5}
    assert answer.body["ruling"] == {
        "kind": "void",
        "reason": "reported <twice>",
        "basis": None,
        "infraction": None,
        "damage": None,
        "at": "2026-11-25T12:00:00Z",
        "before": {"result": "4SN-1", "score": -50, "void": False, "award": {"ns": -8, "ew": 8}},
        "after": {"result": "4SN-1", "score": -50, "void": True, "award": None},
    }
    found = await traveller(api, board)
    assert (found["datum"], found["board"]["results"], found["board"]["version"]) == (None, 5, 2)
    row = found["results"][4]
    assert (row["state"], row["rated"], row["reason"], row["version"]) == ("void", False, "void", 2)
    assert (row["award"], row["field"], row["dropped"]) == (None, None, None)
    assert row["rulings"] == [answer.body["ruling"]]
    for other in found["results"][:4] + found["results"][5:]:
        # Below six the field scores are pending again; awards stand.
        assert (other["state"], other["reason"], other["field"]) == ("pending", "pending", None)
        assert other["award"] is not None
        assert "rulings" not in other
    assert (await api.get(f"results/{gone['id']}", token="director")).body["rulings"] == row["rulings"]
    await check_clean(server)


async def test_what_moves_is_told(api, board):
    answer = await factories.rule(api, "void", board["results"][0]["id"])
    before = {"state": "scored", "award": {"ns": 3, "ew": -3}, "field": {"ns": 3, "ew": -3}}
    moves = answer.body["moves"]
    assert [move["sequence"] for move in moves] == [1, 2, 3, 4, 5, 6]
    assert moves[0]["before"] == before
    assert moves[0]["after"] == {"state": "void", "award": None, "field": None}
    assert moves[1]["after"] == {"state": "pending", "award": {"ns": 3, "ew": -3}, "field": None}
    row = (await traveller(api, board))["results"][1]
    assert {name: moves[1][name] for name in ("id", "table", "players")} == {
        name: row[name] for name in ("id", "table", "players")
    }


async def test_its_slot_is_free_and_its_players_may_report_better(server, api, board):
    read = (await traveller(api, board))["results"][4]
    again = {name: read[name] for name in ("table", "players", "contract", "declarer")}
    again |= {"board": board["id"], "tricks": 10}
    assert (await api.post("results", again)).slug == "table-already-reported"
    assert (await factories.rule(api, "void", read["id"])).status == 200
    answer = await api.post("results", again)
    assert (answer.status, answer.body["sequence"], answer.body["board"]["results"]) == (201, 7, 6)
    # 420 four times, 450, -300: of the others every award stands.
    assert (answer.body["datum"], answer.body["award"]) == (420, {"ns": 0, "ew": 0})
    found = await traveller(api, board)
    assert [row["award"] and row["award"]["ns"] for row in found["results"]] == [3, 3, 3, 4, None, -12, 0]
    assert [row["field"] and row["field"]["ns"] for row in found["results"]] == [0, 0, 0, 1, None, -12, 0]
    await check_clean(server)


async def test_nobody_is_dealt_what_he_has_seen(api):
    board = await factories.board(api)
    (made,) = await factories.results(api, board, 1, substitutes={"E": "replaced"})
    players = (await api.get(f"results/{made['id']}", token="director")).body["players"]
    assert (await factories.rule(api, "void", made["id"])).status == 200
    for name in (*players.values(), "replaced"):
        seats = factories.four() | {"S": name}
        answer = await api.post("assignments", {"table": factories.table(), "players": seats})
        assert answer.slug == "no-board-available", name
    seating = {"table": factories.table(), "players": factories.four()}
    assert (await api.post("assignments", seating)).status == 201


async def test_an_assigned_score_counts_like_any_other(server, api, board):
    first = board["results"][0]
    said = {"basis": "damage", "infraction": "hesitation by East", "damage": "the lead was found"}
    answer = await factories.rule(api, "adjust", first["id"], result="4SXN+1", reason="Law 16B", **said)
    assert answer.status == 200, answer
    assert (answer.body["state"], answer.body["board"]["results"]) == ("scored", 6)
    ruling = answer.body["ruling"]
    assert {name: ruling[name] for name in said} == said
    assert (ruling["kind"], ruling["reason"]) == ("adjust", "Law 16B")
    assert ruling["before"] == {"result": "4SN=", "score": 420, "void": False, "award": {"ns": 3, "ew": -3}}
    # 690 against the datum of 300 that it was measured against before.
    assert ruling["after"] == {"result": "4SXN+1", "score": 690, "void": False, "award": {"ns": 9, "ew": -9}}
    found = await traveller(api, board)
    row = found["results"][0]
    assert (row["contract"], row["declarer"], row["tricks"], row["score"]) == ("4SX", "N", 11, 690)
    # 420, 420, 450, -50 are left without the extremes: 310.
    assert (found["datum"], row["award"]["ns"], row["field"]["ns"]) == (310, 9, 9)
    assert (row["rated"], row["reason"], row["version"]) == (True, None, 2)
    assert [other["award"]["ns"] for other in found["results"][1:]] == [3, 3, 4, -8, -12]
    await check_clean(server)


async def test_rulings_follow_one_another(server, api, board):
    name = board["results"][0]["id"]
    for version, result in enumerate(("PASS", "7NTXXN-13", "4SN="), start=1):
        assert (await factories.rule(api, "adjust", name, version, result=result)).body[
            "version"
        ] == version + 1
    assert (await factories.rule(api, "void", name, 4)).status == 200
    row = (await traveller(api, board))["results"][0]
    told = [(ruling["before"]["result"], ruling["after"]["result"]) for ruling in row["rulings"]]
    assert told == [("4SN=", "PASS"), ("PASS", "7NTXXN-13"), ("7NTXXN-13", "4SN="), ("4SN=", "4SN=")]
    assert [ruling["after"]["award"] and ruling["after"]["award"]["ns"] for ruling in row["rulings"]] == [
        -7,
        -24,
        3,
        None,
    ]
    answer = await factories.rule(api, "void", name, 5)
    assert (answer.status, answer.slug, answer.body["id"]) == (409, "already-void", name)
    assert (await factories.rule(api, "adjust", name, 5, **NEW)).slug == "already-void"
    await check_clean(server)


async def test_a_retired_board_stays_retired(serve):
    small = {"method": "datum", "score_at": 2, "retire_at": 3, "trim": "tenth", "members": True}
    served = await serve(pools={"small": small})
    board = await factories.board(served.api, pool="small")
    results = await factories.results(served.api, board, 3)
    answer = await factories.rule(served.api, "void", results[0]["id"])
    assert (answer.body["board"]["state"], answer.body["board"]["results"]) == ("retired", 2)
    refused = await served.api.post("results", factories.result(board))
    assert refused.slug == "board-retired"
    # One short of retirement it goes on.
    other = await factories.board(served.api, pool="small")
    results = await factories.results(served.api, other, 2)
    await factories.rule(served.api, "void", results[0]["id"])
    more = await factories.results(served.api, other, 2)
    assert [each["board"]["state"] for each in more] == ["scoring", "retired"]
    await check_clean(served)


async def test_a_ruling_names_the_version_it_is_about(api, board):
    path = f"results/{board['results'][0]['id']}/void"
    missing = await api.post(path, {"reason": "x"})
    assert (missing.status, missing.slug) == (428, "version-missing")
    for wrong in ("v1", '"1"', "*", 'W/"v1"', '"v1", "v2"', '""', '"v99999999999"'):
        answer = await api.post(path, {"reason": "x"}, headers={"If-Match": wrong})
        assert (answer.status, answer.slug) == (422, "invalid-body"), wrong
        assert answer.body["errors"][0]["pointer"] == "If-Match"
    stale = await factories.rule(api, "void", board["results"][0]["id"], 2)
    assert (stale.status, stale.slug, stale.body["version"]) == (412, "stale-version", 1)
    assert (await factories.rule(api, "adjust", board["results"][0]["id"], **NEW)).status == 200
    stale = await factories.rule(api, "void", board["results"][0]["id"])
    assert (stale.status, stale.slug, stale.body["version"]) == (412, "stale-version", 2)


async def test_of_two_directors_one_is_the_first(server, api, board):
    for index, kind in enumerate(("void", "adjust", "void"), start=1):
        name, body = board["results"][index]["id"], NEW if kind == "adjust" else {}
        answers = await asyncio.gather(*(factories.rule(api, kind, name, **body) for _ in range(5)))
        assert sorted(answer.status for answer in answers) == [200, 412, 412, 412, 412]
    await check_clean(server)


async def test_a_ruling_given_twice_is_made_once(api, board):
    one, two = (board["results"][index]["id"] for index in (0, 1))
    options = {"headers": {"If-Match": '"v1"'}, "key": "K"}
    first = await api.post(f"results/{one}/void", {"reason": "x"}, **options)
    again = await api.post(f"results/{one}/void", {"reason": "x"}, **options)
    assert (again.status, again.raw) == (200, first.raw)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = await api.post(f"results/{two}/void", {"reason": "x"}, **options)
    assert (other.status, other.slug) == (422, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/basis"),
        ({"basis": None}, "/basis"),
        ({"basis": "discipline"}, "/basis"),
        ({"basis": "damage"}, "/infraction"),
        ({"basis": "damage", "damage": "a trick"}, "/infraction"),
        ({"basis": "damage", "infraction": "revoke"}, "/damage"),
    ],
)
async def test_nothing_is_adjusted_without_damage(api, board, body, pointer):
    name = board["results"][0]["id"]
    answer = await factories.rule(api, "adjust", name, **(NEW | {"basis": None} | body))
    assert (answer.status, answer.slug) == (422, "adjustment-without-damage")
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


@pytest.mark.parametrize("kind", ["artificial", "weighted", "split"])
async def test_other_adjustments_come_later(api, board, kind):
    body = {"kind": kind, "ns": "A+", "outcomes": []}
    answer = await factories.rule(api, "adjust", board["results"][0]["id"], **body)
    assert (answer.status, answer.slug) == (422, "adjustment-not-supported")
    assert (answer.body["kind"], answer.body["supported"]) == (kind, ["assigned"])
    assert "assigned" in answer.body["detail"]


@pytest.mark.parametrize(
    ("body", "slug", "pointer"),
    [
        ({}, "invalid-body", "/contract"),
        ({"contract": "4S"}, "invalid-result", "/declarer"),
        ({"contract": "4S", "declarer": "N", "tricks": 14}, "invalid-result", "/tricks"),
        ({"result": "4SN="} | {"tricks": 10}, "invalid-body", "/tricks"),
        ({"result": "8SN="}, "invalid-result", "/result"),
        (NEW | {"reason": ""}, "invalid-body", "/reason"),
        (NEW | {"reason": "a\nb"}, "invalid-body", "/reason"),
        (NEW | {"reason": "x" * 501}, "invalid-body", "/reason"),
        (NEW | {"kind": "other"}, "invalid-body", "/kind"),
        (NEW | {"lead": "HA"}, "invalid-body", "/lead"),
    ],
)
async def test_what_cannot_have_happened_is_not_assigned(api, board, body, slug, pointer):
    answer = await factories.rule(api, "adjust", board["results"][0]["id"], **body)
    assert (answer.status, answer.slug) == (422, slug), answer
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


async def test_a_passed_out_board_may_be_assigned(api, board):
    answer = await factories.rule(api, "adjust", board["results"][0]["id"], contract="PASS")
    assert answer.body["ruling"]["after"]["result"] == "PASS"
    row = (await traveller(api, board))["results"][0]
    assert (row["contract"], row["declarer"], row["tricks"], row["score"]) == ("PASS", None, None, 0)


async def test_a_reason_is_needed(api, board):
    path = f"results/{board['results'][0]['id']}/void"
    answer = await api.post(path, {}, headers={"If-Match": '"v1"'})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/reason")


@pytest.mark.parametrize("name", ["r_000001000099", "r_00zzzz000001", "b_000001", "x"])
async def test_there_must_be_such_a_result(api, board, name):
    for kind, body in (("void", {}), ("adjust", NEW)):
        answer = await factories.rule(api, kind, name, **body)
        assert (answer.status, answer.slug) == (404, "not-found")


async def test_nothing_is_left_to_rule_on_a_withdrawn_board(server, api, board):
    withdrawn = update(tables.boards).values(withdrawn_at=server.clock.now())
    await server.database.write(lambda connection: connection.execute(withdrawn))
    answer = await factories.rule(api, "void", board["results"][0]["id"])
    assert (answer.status, answer.slug) == (409, "board-withdrawn")


def everything(connection):
    """Every row of every table."""
    return {name: connection.execute(select(table)).all() for name, table in tables.metadata.tables.items()}


async def test_a_dry_run_shows_the_same_and_changes_nothing(server, api, board):
    name, headers = board["results"][0]["id"], {"If-Match": '"v1"'}
    for kind, body in (("adjust", NEW | {"basis": "unplayable", "reason": "x"}), ("void", {"reason": "x"})):
        before = await server.database.read(everything)
        shown = await api.post(f"results/{name}/{kind}?dry_run=true", body, headers=headers)
        assert await server.database.read(everything) == before
        done = await api.post(f"results/{name}/{kind}?dry_run=false", body, headers=headers)
        assert shown.status == done.status == 200
        assert shown.body == done.body | {"dry_run": True}
        headers = {"If-Match": '"v2"'}
    wrong = await api.post(f"results/{name}/void?dry_run=yes", {"reason": "x"}, headers=headers)
    assert (wrong.status, wrong.body["errors"][0]["pointer"]) == (422, "?dry_run")


async def test_a_ruling_leaves_its_traces(server, api, board):
    def state(connection):
        row = connection.execute(select(tables.boards).where(tables.boards.c.id == 1)).one()
        return row.version, row.change, row.ruled, row.bulletins

    before = await server.database.read(state)
    name = board["results"][0]["id"]
    await factories.rule(api, "adjust", name, reason="a slip", **NEW)
    await factories.rule(api, "void", name, 2, reason="a fault")
    version, change, ruled, told = await server.database.read(state)
    assert (version, change, ruled, told) == (before[0] + 2, before[1] + 2, True, before[3] + 2)
    rows = (await api.get("audit")).body["rows"][:2]
    assert [(row["client"], row["verb"], row["subject"], row["detail"]) for row in rows] == [
        ("director client", "void", name, "a fault"),
        ("director client", "adjust", name, "score_error; a slip"),
    ]
    kept = select(func.count()).select_from(tables.revisions)
    assert await server.database.read(lambda connection: connection.execute(kept).scalar_one()) == 2


async def test_followers_learn_of_it_as_far_as_the_public_may(server, api, board):
    await factories.rule(api, "adjust", board["results"][0]["id"], reason="a secret slip", **NEW)
    await factories.rule(api, "void", board["results"][4]["id"], reason="a secret slip")
    text = await followed(server, f"board:{board['id']}", 8)
    assert "a secret slip" not in text
    *_, adjusted, void = (part for part in text.split("\n\n") if "data: " in part)
    assert "event: ruling" in adjusted
    assert "event: ruling" in void
    assert f'"id":"{board["results"][0]["id"]}","sequence":1,"state":"scored"' in adjusted
    states = ["pending"] * 4 + ["void", "pending"]
    rows = [f'"sequence":{at},"state":"{state}"' for at, state in enumerate(states, start=1)]
    assert all(row in void for row in rows)
    assert '"state":"pending","results":5' in void


async def test_a_revealed_board_is_revealed_again(server, api, board, clock):
    name = board["results"][0]["id"]
    await factories.results(api, board, 34)
    secrecy = secrecy_of(server.settings)
    assert await bulletins.reveal(server.database, secrecy, WORDING, clock.now()) == 1
    await factories.rule(api, "adjust", name, reason="told to all", **NEW)
    assert await bulletins.reveal(server.database, secrecy, WORDING, clock.now()) == 1
    text = await followed(server, f"board:{board['id']}", 43)
    assert text.count("event: board-revealed") == 2
    assert text.rpartition("event: board-revealed")[2].count("told to all") == 1
    public = await api.get(f"results/{name}", token="public")
    assert public.body["rulings"][0]["reason"] == "told to all"


async def test_while_in_play_the_public_sees_a_state(api, board):
    name = board["results"][0]["id"]
    await factories.rule(api, "void", name, reason="a secret slip")
    public = await api.get(f"boards/{board['id']}/traveller", token="public")
    assert public.body["results"][0] == {"id": name, "sequence": 1, "state": "void"}
    assert b"secret" not in public.raw
    assert (await api.get(f"results/{name}", token="public")).body == public.body["results"][0]


async def test_a_director_who_plays_rules_on_no_board_of_his_own(server, api, board, clock):
    name = board["results"][0]["id"]
    players = (await api.get(f"results/{name}", token="director")).body["players"]
    await api.put(f"players/{players['E']}", {"linked": ["his other account"]})
    others = [await server.token(who, "director", player=who) for who in ("stranger", "nobody known")]
    own = [
        await server.token("himself", "director", player=players["E"]),
        await server.token("linked", "director", player="his other account"),
        await server.token("owner", "admin", player=players["E"]),
    ]

    async def rule(token, dry="true"):
        headers = {"If-Match": '"v1"'}
        return await api.post(
            f"results/{name}/void?dry_run={dry}", {"reason": "x"}, headers=headers, token=token
        )

    for token in (*own, *others):  # he may still play it
        assert ((await rule(token)).status, (await rule(token)).slug) == (403, "own-board")
    await factories.results(api, board, 34)
    for token in own:
        assert (await rule(token)).slug == "own-board"
    for token in others:
        assert (await rule(token)).status == 200
    # Also when his result is void by now.
    mine = await server.token("of the second", "director", player=await _north(api, board, 1))
    assert (await factories.rule(api, "void", board["results"][1]["id"])).status == 200
    assert (await rule(mine)).slug == "own-board"


async def _north(api, board, index):
    row = (await api.get(f"results/{board['results'][index]['id']}", token="director")).body
    return row["players"]["N"]
