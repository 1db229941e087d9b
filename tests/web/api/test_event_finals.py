"""From a qualification to its final: who goes on, what is carried over, and what becomes of it there."""

from datetime import timedelta

import pytest

from tests.event_days import Day


async def held(server, deductions, ranks=None, **rules):
    """A qualification in VPs that is over: everybody had 10 for the one board, less what was taken off."""
    day = Day(server)
    await day.announce(**{"rounds": 1, "boards": 1, "scoring": "vp"} | rules)
    await day.enter(range(1, len(deductions) + 1))
    for entry, given in (ranks or {}).items():
        path = f"events/{day.id}/entries/{entry}/earlier-ranks"
        assert (await server.api.post(path, {"ranks": given})).status == 200
    await day.until("running", 1)
    await day.play(1, lambda *_: ("4S", "N", 10))
    for entry, amount in enumerate(deductions, 1):
        if amount:
            body = {"entry": entry, "kind": "deduction", "amount": amount, "reason": "as the test has it"}
            assert (await server.api.post(f"events/{day.id}/penalties", body)).status == 201
    await day.until("finished")
    return day


async def going(day):
    """Who goes on: pair, how, and what is carried over."""
    rows = (await day.get("qualifiers", token="public"))["rows"]
    return [(row["entry"], row["qualified"], row["carry_over"]) for row in rows]


async def test_places_ties_protection_and_carry_over(server):
    # 10, 9, 8.04, 8, 7.99, 5, 4, 3: the cut is at 8.04, and whoever is less than 0.05 below it is in.
    deductions = [0, 1, 1.96, 2, 2.01, 5, 6, 7]
    day = await held(
        server,
        deductions,
        {2: [24], 6: [3, 12]},
        places=3,
        protected_places=1,
        protected=["a6", "a7"],
    )
    assert await going(day) == [
        (1, "by_score", 20),
        (2, "by_score", 11),  # half of the way, and 24/24
        (3, "by_score", 0.4),
        (4, "by_score", 0),
        (6, "protected", 10),  # 24/3 and 24/12
    ]
    shown = (await day.get("standings"))["rows"]
    assert {row["entry"]: row["qualified"] for row in shown} == {
        **dict.fromkeys((1, 2, 3, 4), "by_score"),
        5: None,
        6: "protected",
        7: None,
        8: None,
    }
    found = await day.get("qualifiers")
    assert (found["state"], found["places"], found["protected_places"]) == ("finished", 3, 1)
    assert (found["rows"][4]["earlier_ranks"], found["rows"][4]["rank"]) == ([3, 12], 6)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # which knows of no tie
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"scoring": "vp"}, [1, 2, 3]),
        ({"scoring": "vp", "band": 5}, [1, 2, 3]),
        ({"scoring": "vp", "band": 10}, [1, 2, 3, 4]),
        ({"scoring": "vp", "band": 1}, [1, 2]),
        ({"scoring": "cross_imps"}, [1, 2]),
        ({"scoring": "matchpoints"}, [1, 2]),
    ],
)
async def test_how_much_is_a_tie_with_the_last_place(server, rules, expected):
    """0.05 VP, or the band of the event; by anything else the same score."""
    day = await held(server, [0, 1, 1.04, 1.09], places=2, **rules)
    assert [entry for entry, _, _ in await going(day)] == expected


async def test_who_goes_on_is_listed_as_he_stands(server):
    """A band lets boards decide: who finished more is before who has a little more, and stays so here."""
    day = Day(server)
    await day.announce(scoring="vp", band=5, rounds=1, boards=16, places=3)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    for table, last in ((1, 15), (2, 16)):
        for board in range(1, last + 1):
            await day.post("results", {"round": 1, "table": table, "board": board, "contract": "PASS"})
    for entry, amount in ((3, 0.04), (4, 0.5)):
        taken = {"entry": entry, "kind": "deduction", "amount": amount, "reason": "phone"}
        assert (await server.api.post(f"events/{day.id}/penalties", taken)).status == 201
    await day.until("finished")
    rows = (await day.get("qualifiers"))["rows"]
    assert [(row["entry"], row["rank"], row["score"]) for row in rows] == [
        *((3, 1, 9.96), (1, 2, 10), (2, 3, 10)),
    ]


async def test_who_has_left_goes_on_nowhere(server):
    """He is ranked by what he has played, but his place is the next one's; a protected place too."""
    day = Day(server)
    await day.announce(
        rounds=2, boards=1, scoring="vp", places=2, protected_places=1, protected=["a4", "a5", "a6"]
    )
    await day.enter(range(1, 7))
    for entry, amount in enumerate([1, 2, 3, 4, 5, 6]):
        taken = {"entry": entry + 1, "kind": "deduction", "amount": amount, "reason": "as the test has it"}
        assert (await server.api.post(f"events/{day.id}/penalties", taken)).status == 201
    for number in (1, 2):
        await day.until("running", number)
        await day.play(number, lambda *_: ("4S", "N", 10))
        if number == 2:
            for player in ("a1", "b4"):
                await day.post("leave", {"player": player})
    await day.until("finished")
    rows = (await day.get("standings"))["rows"]
    shown = [(row["entry"], row["rank"], row["qualified"]) for row in rows]
    assert shown == [
        *((1, 1, None), (2, 2, "by_score"), (3, 3, "by_score")),
        *((4, 4, None), (5, 5, "protected"), (6, 6, None)),
    ]
    assert [entry for entry, _, _ in await going(day)] == [2, 3, 5]


async def test_no_places_no_qualifiers(server):
    day = await held(server, [0, 1, 2, 3])
    assert await going(day) == []


async def test_bonus_ends_at_twenty_and_ranks_can_be_said_anew(server):
    day = await held(server, [0, 1, 2, 3], {1: [1], 2: [1, 1]}, places=4)
    assert [carried for _, _, carried in await going(day)] == [20, 20, 6.67, 0]
    said = await server.api.post(f"events/{day.id}/entries/2/earlier-ranks", {"ranks": []})
    assert said.status == 200
    assert [carried for _, _, carried in await going(day)] == [20, 13.33, 6.67, 0]
    for entry, body, slug in (
        (9, {"ranks": []}, "not-found"),
        (1, {"ranks": [0]}, "invalid-body"),
        ("x", {"ranks": []}, "not-found"),
    ):
        refused = await server.api.post(f"events/{day.id}/entries/{entry}/earlier-ranks", body)
        assert refused.slug == slug


async def test_a_final_begins_with_what_is_carried_over(server, clock):
    first = await held(server, [0, 1, 2, 3], {3: [12]}, places=3)
    assert [carried for _, _, carried in await going(first)] == [20, 10, 2]
    final = Day(server)
    await final.announce(rounds=2, boards=1, scoring="vp", carry_over_from=first.id)
    for table, (one, other) in enumerate([("a3", "b3"), ("b1", "a1"), ("a2", "b2"), ("a4", "b5")], 1):
        for name, seat in ((one, "N"), (other, "S")):
            await final.post("room/sit", {"player": name, "table": table, "seat": seat})
            await final.post("room/raise", {"player": name})
        clock.advance(timedelta(milliseconds=1))
    await final.wait(21)
    await final.until("running", 1)
    await final.play(1, lambda *_: ("4S", "N", 10))
    await final.until("running", 2)
    rows = (await final.get("standings"))["rows"]
    shown = {tuple(row["players"]): (row["rank"], row["score"], row["carried"]) for row in rows}
    assert shown == {
        ("b1", "a1"): (1, 30, 20),
        ("a2", "b2"): (2, 20, 10),
        ("a3", "b3"): (3, 12, 2),
        ("a4", "b5"): (4, 10, 0),  # neither has gone on with the other
    }
    # Totals order the pairing: first and second place, who have not met, are at table 1.
    tables = (await final.get("rounds/2"))["tables"]
    assert {tables[0]["ns"], tables[0]["ew"]} == {2, 3}
    card = await final.get("entries/2")
    assert (card["score"], card["carried"], card["rounds"][0]["score"]) == (30, 20, 10)
    # What is carried over stays as it was when the final was announced.
    body = {"entry": 1, "kind": "deduction", "amount": 5, "reason": "late"}
    assert (await server.api.post(f"events/{first.id}/penalties", body)).status == 201
    rows = (await final.get("standings"))["rows"]
    assert [row["carried"] for row in rows] == [20, 10, 2, 0]


async def test_seeds_protected_places_and_carry_over_are_a_persons(server, clock):
    """By whichever of his accounts he plays: in the field, among those who go on, and in the final."""
    for player, other in (("a3", "seed"), ("b4", "shielded"), ("a1", "again")):
        assert (await server.api.put(f"players/{player}", {"linked": [other]})).status == 200
    named = {"seeded": ["seed"], "first_round": "seeded_draw", "protected": ["shielded"]}
    first = await held(server, [0, 1, 2, 3], places=2, protected_places=1, **named)
    rows = (await first.get("entries"))["entries"]
    assert [(row["entry"], row["seeded"], row["protected"]) for row in rows] == [
        *((1, False, False), (2, False, False), (3, True, False), (4, False, True)),
    ]
    assert await going(first) == [(1, "by_score", 20), (2, "by_score", 0), (4, "protected", 0)]
    final = Day(server)
    await final.announce(kind="pairs", rounds=1, boards=1, scoring="vp", carry_over_from=first.id)
    for pair in (["again", "b1"], ["a2", "b2"], ["eve", "b3"], ["b5", "zoe"]):
        await final.post("entries", {"players": pair})
    await final.until("running", 1)
    await final.play(1)
    await final.until("finished")
    await final.post("publish", {})
    rows = (await final.get("standings"))["rows"]
    assert {row["players"][0]: row["carried"] for row in rows} == {"again": 20, "a2": 0, "eve": 0, "b5": 0}


async def test_what_a_final_needs(server, clock):
    first = await held(server, [0, 1, 2, 3], places=2)
    without = await held(server, [0, 1, 2, 3])
    running = Day(server)
    await running.announce(rounds=1, places=2)
    start = (clock.now() + timedelta(minutes=5)).isoformat()
    body = {"kind": "swiss_pairs", "name": "Final", "start_at": start, "rounds": 2, "scoring": "vp"}
    for changes in (
        {"carry_over_from": first.id, "scoring": "cross_imps"},
        {"carry_over_from": "e_zzzzzz"},
        {"carry_over_from": "x"},
        {"carry_over_from": running.id},
        {"carry_over_from": without.id},
    ):
        refused = await server.api.post("events", body | changes)
        assert (refused.status, refused.slug) == (422, "invalid-event"), changes
        assert refused.body["errors"][0]["pointer"] == "/carry_over_from"
    assert (await server.api.post("events", body | {"carry_over_from": first.id})).status == 201


async def test_nobody_is_told_before_the_results_are_published(server):
    day = Day(server)
    await day.announce(kind="pairs", rounds=1, boards=1, scoring="vp", places=2)
    for pair in range(1, 5):
        await day.post("entries", {"players": [f"a{pair}", f"b{pair}"]})
    await day.until("running", 1)
    await day.play(1)
    await day.until("finished")
    assert await going(day) == []
    assert len((await day.get("qualifiers", token="events"))["rows"]) >= 2
    await day.post("publish", {})
    assert len(await going(day)) >= 2
