"""Explanations of results on boards of events: by the method of the event, and what the round makes of it."""

import pytest

from tests.event_days import Day

# 420, 420 and -50 for NS at the three tables of board 1, where nobody is vulnerable.
MADE, DOWN = ("4S", "N", 10), ("4S", "N", 9)
CONTRACT = "4SN=, not vulnerable: tricks bid +120, game or part-score +300 = 420; +420 for NS."
NO_AWARD = "A board of an event has no award: its round is scored when it is over."


async def explained(server, played=3, **rules):
    """What is explained of table 1 on board 1 of an event of one board in its first round, that is over."""
    day = Day(server)
    await day.announce(rounds=2, boards=1, **rules)
    await day.enter(range(1, 7))
    await day.until("running", 1)
    for table in range(1, played + 1):
        contract, declarer, tricks = DOWN if table == played else MADE
        body = {"round": 1, "table": table, "board": 1, "contract": contract, "declarer": declarer}
        await day.post("results", body | {"tricks": tricks})
    for table in range(played + 1, 4):  # they are there, and play nothing
        for name in (await day.get("rounds/1"))["tables"][table - 1]["players"].values():
            await day.post(f"tables/{table}/arrive", {"player": name})
    before = await day.get("boards/1", token="director")
    secret = await day.api.get(f"results/{before['results'][0]['id']}/explain", token="public")
    assert (secret.status, secret.slug) == (403, "not-revealed")
    early = await day.api.get(f"results/{before['results'][0]['id']}/explain", token="director")
    assert early.body["text"][1:] == [NO_AWARD]
    assert early.body["event"] is None
    await day.until("running", 2)
    row = next(row for row in (await day.get("boards/1"))["results"] if row["table"] == "R1-T1")
    body = (await day.api.get(f"results/{row['id']}/explain", token="public")).body
    assert body["text"][:2] == [CONTRACT, NO_AWARD]
    assert body["field"]["score"] == row["field"]
    assert (body["event"]["event"], body["event"]["round"], body["event"]["tables"]) == (day.id, 1, 3)
    return body


@pytest.mark.parametrize(
    ("rules", "text", "score"),
    [
        (
            {"scoring": "cross_imps"},
            [
                "By the method of the event, cross-IMPs: IMPs against 2 others, +10 in all: +5 each.",
                "Round 1: +5 IMPs for NS and -5 for EW over all boards.",
            ],
            {"ns": 5, "ew": -5},
        ),
        (
            {"scoring": "total_imp"},
            [
                "By the method of the event, total IMPs: IMPs against 2 others, +10 in all.",
                "Round 1: +10 IMPs for NS and -10 for EW over all boards.",
            ],
            {"ns": 10, "ew": -10},
        ),
        (
            {"scoring": "matchpoints"},
            [
                "By the method of the event, matchpoints: 2 matchpoints for 1 worse result, 1 for 1 equal "
                "one: 3 of 4, 75 %.",
                "Round 1: 75 % for NS and 25 % for EW over all boards.",
            ],
            {"ns": 75, "ew": 25},
        ),
        (
            # 420 + 420 - 50 is 790, a third of it 263.33: 260. 160 more are 4 IMPs.
            {"scoring": "datum", "trim": "none"},
            [
                "By the method of the event, IMPs against the datum: of 3 results none is dropped; "
                "the other 3 add up to 790, their mean to the nearest ten is the datum 260; the "
                "difference +160 is +4 IMPs for NS.",
                "Round 1: +4 IMPs for NS and -4 for EW over all boards.",
            ],
            {"ns": 4, "ew": -4},
        ),
        (
            # By the scale of one board 5 IMPs are 15 VPs, 10(1-τ^-1)/(1-τ^-3) more than 10.
            {"scoring": "vp"},
            [
                "By the method of the event, cross-IMPs: IMPs against 2 others, +10 in all: +5 each.",
                "Round 1: +5 IMPs for NS over 1 board, 15 to 5 VPs.",
            ],
            {"ns": 15, "ew": 5},
        ),
    ],
    ids=lambda value: value.get("scoring") if isinstance(value, dict) else None,
)
async def test_by_the_method_of_the_event(server, rules, text, score):
    body = await explained(server, **rules)
    assert body["text"][2:] == text
    assert body["event"]["score"] == score
    assert body["event"]["scoring"] == rules["scoring"]


async def test_tables_that_did_not_play_it_divide_too(server):
    body = await explained(server, played=2)
    assert body["text"][2] == (
        "By the method of the event, cross-IMPs: IMPs against 1 other, +10 in all, divided by the 2 other "
        "tables, played or not: +5."
    )
    assert body["field"]["others"] == 2
