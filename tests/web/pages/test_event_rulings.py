"""What pages of events show of directors and of earlier events: awarded scores, pauses, carry-over."""

from tests import event_days
from tests.event_days import Day
from tests.web.pages.test_events import page

AWARD = {"round": 1, "table": 1, "board": 1, "ns": "A+", "ew": "A", "basis": "unplayable", "reason": "fouled"}


async def test_an_awarded_score_is_on_the_card(server):
    day = Day(server)
    await day.announce(rounds=1, boards=2)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    for table, board in ((1, 2), (2, 1)):
        await day.post("results", event_days.passed(1, table, board))
    await day.post("adjustments", AWARD, headers={"If-Match": '"v0"'})
    await day.until("finished")
    ours, theirs, others = [await page(day, f"/entries/{entry}") for entry in (1, 2, 3)]
    assert ours.count("artificial score A+") == 1
    assert theirs.count("artificial score A<") == 1
    assert "artificial" not in others
    assert others.count("not played") == 1
    assert "人工调整分 A+" in await page(day, "/entries/1", "zh")


async def test_why_the_clock_stands(server):
    day = Day(server)
    await day.announce(rounds=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    assert "fire <b>alarm" not in await page(day)
    await day.post("pause", {"reason": "fire <b>alarm"})
    assert "fire &lt;b&gt;alarm" in await page(day)
    await day.post("resume", {"reason": "over"})
    assert "alarm" not in await page(day)


async def test_what_is_carried_over(server):
    first = Day(server)
    await first.announce(rounds=1, boards=1, scoring="vp", places=4)
    await first.enter(range(1, 5))
    await first.until("running", 1)
    await first.play(1, lambda table, _: ("4S", "N", 10) if table == 1 else ("4S", "N", 9))
    await first.until("finished")
    final = Day(server)
    await final.announce(rounds=1, boards=1, scoring="vp", carry_over_from=first.id)
    await final.enter(range(1, 5))
    await final.until("running", 1)
    await final.play(1)
    await final.until("finished")
    text = await page(final)
    assert text.count("Carried over</th>") == 1
    for row in (await final.get("standings"))["rows"]:
        card = await page(final, f"/entries/{row['entry']}")
        shown = f"<dt>Carried over</dt><dd>{row['carried']:.2f}</dd>"
        assert (shown in card) == (row["carried"] > 0)
    assert "Carried over" not in await page(first)
