"""Artificial scores of boards without result: what they are worth, what they need, what they move."""

import pytest

from tests import factories
from tests.event_days import Day
from tests.web.verified import check_clean

PLACE = {"round": 1, "table": 1, "board": 1}
PLAYED = {"score": 0, "total": 0, "boards": 2}
WHY = {"basis": "unplayable", "reason": "a card was missing"}


@pytest.fixture
async def day(server):
    """An event of four pairs: in round 1, of two boards, 1 meets 2 and 3 meets 4; all is flat."""
    day = Day(server)
    await day.announce(rounds=2)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    return day


async def play(day, skip=()):
    """Every board of the round is passed out, but for these (table, board)."""
    for table in (1, 2):
        for board in (1, 2):
            if (table, board) not in skip:
                body = {"round": 1, "table": table, "board": board, "contract": "PASS"}
                assert (await day.api.post(f"events/{day.id}/results", body)).status == 201


async def award(day, ns, ew, version=0, dry_run=False, **changes):
    """Award both sides a score at table 1 on board 1."""
    body = PLACE | WHY | {"ns": ns, "ew": ew} | changes
    path = f"events/{day.id}/adjustments" + ("?dry_run=true" if dry_run else "")
    headers = {} if version is None else {"If-Match": f'"v{version}"'}
    return await day.api.post(path, body, headers=headers)


async def totals(day):
    return {row["entry"]: (row["score"], row["boards"]) for row in (await day.get("standings"))["rows"]}


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        ({"scoring": "cross_imps"}, {1: (2.5, 2), 2: (-2.5, 2), 3: (0, 2), 4: (0, 2)}),
        ({"scoring": "datum"}, {1: (2.5, 2), 2: (-2.5, 2), 3: (0, 2), 4: (0, 2)}),
        # Three boards at 60, 50, 50 per cent and Neuberg's lone 50: the mean of both boards of each.
        ({"scoring": "matchpoints"}, {1: (55, 2), 2: (45, 2), 3: (50, 2), 4: (50, 2)}),
    ],
    ids=lambda value: value.get("scoring") if "scoring" in value else None,
)
async def test_sixty_forty(server, rules, score):
    day = Day(server)
    await day.announce(rounds=2, **rules)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await play(day, skip=[(1, 1)])
    assert (await award(day, "A+", "A-")).status == 200
    await day.until("running", 2)
    assert await totals(day) == score
    card = await day.get("entries/1")
    assert [each["artificial"] for each in card["rounds"][0]["boards"]] == ["A+", None]
    assert all(each["played"] for each in card["rounds"][0]["boards"])
    board = await day.get("boards/1", token="public")
    (shown,) = board["adjustments"]
    assert (shown["table"], shown["ns"], shown["ew"], shown["version"]) == (1, "A+", "A-", 1)
    assert (shown["basis"], shown["reason"]) == ("unplayable", "a card was missing")
    assert len(board["results"]) == 1
    await check_clean(server)


async def test_each_side_has_its_own(day):
    await play(day, skip=[(1, 1)])
    assert (await award(day, "A+", "A")).status == 200
    await day.until("running", 2)
    assert await totals(day) == {1: (2.5, 2), 2: (0, 2), 3: (0, 2), 4: (0, 2)}


async def test_it_moves_a_round_that_was_scored_and_no_pairing(day):
    await play(day, skip=[(1, 1)])
    await day.until("running", 2)
    before, pairings = await totals(day), (await day.get("rounds/2"))["tables"]
    assert before[1] == (0, 1)
    dry = await award(day, "A+", "A-", dry_run=True)
    assert await totals(day) == before
    snapshot = await day.get()
    done = await award(day, "A+", "A-")
    assert dry.body["moves"] == done.body["moves"]
    flat = {"score": 0, "total": 0, "boards": 1}
    ahead, behind = (
        flat | {"score": 2.5, "total": 2.5, "boards": 2},
        {"score": -2.5, "total": -2.5, "boards": 2},
    )
    # Pairs 3 and 4 have finished both boards and so stood first: one passes them.
    assert done.body["moves"] == [
        {"entry": 1, "before": flat | {"rank": 3}, "after": ahead | {"rank": 1}},
        {"entry": 3, "before": PLAYED | {"rank": 1}, "after": PLAYED | {"rank": 2}},
        {"entry": 4, "before": PLAYED | {"rank": 2}, "after": PLAYED | {"rank": 3}},
        {"entry": 2, "before": flat | {"rank": 4}, "after": behind | {"rank": 4}},
    ]
    assert (dry.body["dry_run"], done.body["dry_run"]) == (True, False)
    assert await totals(day) == {1: (2.5, 2), 2: (-2.5, 2), 3: (0, 2), 4: (0, 2)}
    assert (await day.get("rounds/2"))["tables"] == pairings
    assert (await day.get())["rulings"] == snapshot["rulings"] + 1
    await check_clean(day.served)


async def test_it_is_replaced_and_taken_back_and_every_version_is_noted(day):
    await play(day, skip=[(1, 1)])
    await day.until("running", 2)
    assert (await award(day, "A+", "A-")).body["ruling"]["version"] == 1
    assert (await award(day, "A", "A", version=1)).body["ruling"]["version"] == 2
    stale = await award(day, "A", "A", version=1)
    assert (stale.status, stale.slug, stale.body["version"]) == (412, "stale-version", 2)
    back = await award(day, None, None, version=2, basis=None, reason="it was played")
    assert (back.status, back.body["ruling"]["ns"], back.body["ruling"]["version"]) == (200, None, 3)
    assert (await totals(day))[1] == (0, 1)
    nothing = await award(day, None, None, version=3, basis=None)
    assert (nothing.status, nothing.slug) == (409, "event-state")
    rows = (await day.api.get("audit")).body["rows"]
    said = [row["detail"] for row in rows if row["verb"] == "artificial score"]
    where = "round 1 table 1 board 1"
    assert said == [
        f"{where}: taken back; it was played",
        f"{where}: A A; a card was missing",
        f"{where}: A+ A-; a card was missing",
    ]
    await check_clean(day.served)


async def test_what_it_needs(day):
    await play(day, skip=[(1, 1)])
    missing = await award(day, "A", "A", version=None)
    assert (missing.status, missing.slug) == (428, "version-missing")
    for changes, pointer in (
        ({"basis": None}, "/basis"),
        ({"basis": "score_error"}, "/basis"),
        ({"basis": "damage"}, "/infraction"),
        ({"basis": "damage", "infraction": "a revoke"}, "/damage"),
    ):
        refused = await award(day, "A", "A", **changes)
        assert (refused.status, refused.slug) == (422, "adjustment-without-damage")
        assert refused.body["errors"][0]["pointer"] == pointer
    half = await award(day, "A", None)
    assert (half.status, half.slug, half.body["errors"][0]["pointer"]) == (422, "invalid-body", "/ew")
    for changes, status, slug in (
        ({"table": 3}, 409, "table-not-in-round"),
        ({"round": 2}, 409, "table-not-in-round"),
        ({"board": 3}, 404, "board-not-found"),
    ):
        refused = await award(day, "A", "A", **changes)
        assert (refused.status, refused.slug) == (status, slug)
    good = {"basis": "damage", "infraction": "a revoke", "damage": "two tricks"}
    assert (await award(day, "A", "A", **good)).status == 200


async def test_a_result_and_an_artificial_score_do_not_stand_together(day):
    await play(day)
    refused = await award(day, "A", "A")
    assert (refused.status, refused.slug, refused.body["table"]) == (409, "result-stands", "R1-T1")
    row = next(
        row for row in (await day.get("boards/1", token="director"))["results"] if row["table"] == "R1-T1"
    )
    assert (await factories.rule(day.api, "void", row["id"])).status == 200
    assert (await award(day, "A", "A")).status == 200
    again = await day.api.post(f"events/{day.id}/results", PLACE | {"contract": "PASS"})
    said = "An artificial score of table 'R1-T1' stands on this board."
    assert (again.status, again.slug, again.body["detail"]) == (409, "artificial-stands", said)
    await day.until("running", 2)
    assert (await totals(day))[1] == (0, 2)
    await check_clean(day.served)


async def test_a_round_with_an_artificial_score_is_paired_anew_no_more(day):
    wanted = {"round": 1, "matches": [[1, 3], [2, 4]], "reason": "to see"}
    assert (await award(day, "A", "A")).status == 200
    refused = await day.api.post(f"events/{day.id}/pairings", wanted)
    assert (refused.status, refused.slug) == (409, "round-under-way")


async def test_matchpoints_beside_an_artificial_score_are_by_neuberg(server):
    day = Day(server)
    await day.announce(rounds=1, boards=1, scoring="matchpoints")
    await day.enter(range(1, 7))
    await day.until("running", 1)
    for table, tricks in ((2, 10), (3, 9)):
        body = {"round": 1, "table": table, "board": 1, "contract": "4S", "declarer": "N", "tricks": tricks}
        await day.post("results", body)
    assert (await award(day, "A", "A")).status == 200
    await day.until("finished")
    row = next(row for row in (await day.get("boards/1"))["results"] if row["table"] == "R1-T2")
    # 2 of 2 matchpoints among 2 of 3 expected results: (2 + 1) * 3 / 2 - 1 = 3.5 of 4.
    assert row["field"] == {"ns": 87.5, "ew": 12.5}
    text = (await day.api.get(f"results/{row['id']}/explain")).body["text"]
    assert text[2] == (
        "By the method of the event, matchpoints: 2 matchpoints for 1 worse result, 1 for each of 0 "
        "equal ones: 2 of 2, 87.5 %. That is by Neuberg's formula, as 1 more had an artificial score."
    )


async def test_nobody_awards_where_he_plays(day):
    himself = await day.served.token("himself", "director", player="a3")
    for rest in ("", "?dry_run=true"):
        answer = await day.api.post(
            f"events/{day.id}/adjustments{rest}",
            PLACE | WHY | {"ns": "A", "ew": "A"},
            headers={"If-Match": '"v0"'},
            token=himself,
        )
        assert (answer.status, answer.slug) == (403, "director-plays")


async def test_pairs_that_were_awarded_a_score_alone_were_there_and_have_not_met(day):
    await play(day, skip=[(1, 1), (1, 2)])
    for board in (1, 2):
        assert (await award(day, "A", "A", board=board)).status == 200
    await day.until("running", 2)
    assert await totals(day) == {1: (0, 2), 2: (0, 2), 3: (0, 2), 4: (0, 2)}
    again = {"round": 2, "matches": [[1, 2], [3, 4]], "reason": "to see"}
    refused = await day.api.post(f"events/{day.id}/pairings", again)
    assert (refused.status, refused.slug) == (409, "pairing-refused")
    assert refused.body["objections"] == [{"fault": "rematch", "pairs": [3, 4], "rounds": [1]}]
