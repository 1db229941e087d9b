"""Derived numbers of events and players open their arithmetic, and every line adds up to what is shown."""

import re
from fractions import Fraction

import pytest

from server.bridge.masterpoints import masterpoints
from server.bridge.vp_scale import VpScale, victory_points
from server.services import tallies
from tests import event_days, factories
from tests.web.page import Page, check, read
from tests.web.pages.test_events import held, written

MINUS = "\N{MINUS SIGN}"


def near(value):
    """A figure of the API, to a hundredth."""
    return pytest.approx(value, abs=0.00501)


@pytest.mark.parametrize("scoring", ["vp", "matchpoints", "cross_imps"])
async def test_rounds_and_totals_of_a_scorecard_add_up(server, scoring):
    day = await held(server, scoring)
    scale = (await day.get())["rules"]["vp_scale"]
    for entry in range(1, 8):
        card = await day.get(f"entries/{entry}")
        for each in card["rounds"]:
            found = each["sum"]
            if found is None:
                assert each["kind"] != "played"
                continue
            assert sum(part["value"] for part in found["parts"]) == found["total"]
            counted = [board for board in each["boards"] if board["score"] is not None]
            for part, board in zip(found["parts"], counted, strict=True):
                assert part["number"] == board["number"]
                assert float(Fraction(part["value"], found["divisor"])) == near(board["score"])
            margin = Fraction(found["total"], found["divisor"])
            assert float(margin) == near(found["margin"])
            if scoring == "vp":
                worth = victory_points(VpScale(scale), margin, 2).ours
                assert each["score"] == near(worth / 100)
            else:
                count = len(found["parts"]) if scoring == "matchpoints" else 1
                assert each["score"] == near(float(margin / count))
        text = (await read(server.api, f"/en/events/{day.id}/entries/{entry}")).body
        check(text)
        total = written(re.search(r'<section id="total">(.*?</p>)', text, re.DOTALL)[1])
        shown, _, result = total.removeprefix("How the total adds up").replace(MINUS, "-").rpartition("=")
        assert float(result) == near(card["score"])
        if shown or scoring != "matchpoints":  # which may have nothing beside its mean
            terms = re.findall(r"[+-]? ?[+-]?[\d.]+", shown)
            assert sum(value(term) for term in terms) == pytest.approx(float(result), abs=1e-9)
        for each in card["rounds"]:
            assert (f'id="sum-{each["round"]}"' in text) == (each["sum"] is not None)


def value(term):
    """A term of a sum with the signs before it."""
    sign = -1 if term.count("-") == 1 else 1
    return sign * float(re.sub(r"[+ -]", "", term))


async def test_master_points_say_what_they_come_from(server):
    day = await held(server)
    told = await day.get("standings")
    ranked = [row for row in told["rows"] if row["rank"] is not None]
    assert told["prizes"] == {"pairs": len(ranked), "places": list(masterpoints(len(ranked)))}
    for row, points in zip(ranked, told["prizes"]["places"], strict=False):
        assert row["masterpoints"] == points
    text = (await read(server.api, f"/en/events/{day.id}")).body
    assert '/en/rules#masterpoints"' in text
    assert f"Master points: {len(ranked)} pairs finished enough boards to be ranked" in text
    assert f'/en/events/{day.id}/entries/{ranked[0]["entry"]}#total"' in text


async def test_the_master_points_of_a_player_are_listed_by_event(server):
    days = [await held(server), await held(server)]
    totals = {}
    for day in days:
        for row in (await day.get("standings"))["rows"]:
            for player in row["players"]:
                of_event = (day.id, row["rank"], row["masterpoints"])
                totals.setdefault(player, []).insert(0, of_event)
    listed = 0
    for player, of_events in totals.items():
        answer = await server.api.get(f"players/{player}", token="public")
        if answer.status == 404:  # hidden
            continue
        told = answer.body
        given = [(each["event"], each["rank"], each["points"]) for each in told["masterpoints_by_event"]]
        assert given == [each for each in of_events if each[2]]
        assert sum(points for *_, points in given) == told["masterpoints"]
        text = (await read(server.api, f"/en/players/{player}")).body
        check(text)
        assert ('id="masterpoints"' in text) == bool(given)
        if given:
            part = text.partition('<details id="masterpoints">')[2].partition("</details>")[0]
            assert re.findall(r'/en/events/([^"]+)"', part) == [event for event, *_ in given]
            assert f"<b>{told['masterpoints']}</b>" in part
            assert '<a href="#masterpoints">' in text
            listed += 1
    assert listed > 3


async def test_an_event_that_is_not_published_gives_no_master_points_away(server):
    event = await event_days.running(server)
    for number in (1, 2, 3):
        await event_days.report_all(server, event, number)
        await event_days.closed(server)
    for published in (False, True):
        if published:
            assert (await server.api.post(f"events/{event}/publish", {}, token="events")).status == 200
        given = []
        for row in (await server.api.get(f"events/{event}/entries")).body["entries"]:
            for player in row["players"]:
                for token in ("public", "admin"):
                    told = (await server.api.get(f"players/{player}", token=token)).body
                    given += told["masterpoints_by_event"]
                text = (await read(server.api, f"/en/players/{player}")).body
                assert (f'/en/events/{event}"' in text) == bool(told["masterpoints_by_event"])
        assert bool(given) == published


async def test_a_board_of_an_event_leads_to_the_round_that_it_counts_in(server):
    day = await held(server)
    (result, *_) = (await day.get("boards/1"))["results"]
    told = (await server.api.get(f"results/{result['id']}/explain")).body
    field, event = told["field"], told["event"]
    assert near(sum(field["imps"]) / field["others"]) == field["score"]["ns"]
    text = " ".join(Page((await read(server.api, f"/en/results/{result['id']}")).body).text.split())
    assert f"divided by the number of other tables of the round, {field['others']}," in text
    net = f"{event['net']:+.2f}".replace("-", MINUS) if event["net"] else "0.00"
    assert f"All 2 boards together are {net} IMPs for North–South" in text
    ns, ew = (f"{event['score'][side]:.2f}".replace("-", MINUS) for side in ("ns", "ew"))
    assert f"{ns} to {ew} victory points" in text


async def test_the_figures_of_a_player_say_what_they_come_from(api, server):
    people = factories.four()
    for week, tricks in (("2026-W46", 10), ("2026-W47", 8)):
        for board in await factories.boards(api, 2, week):
            await factories.results(api, board, 1, players=people, tricks=tricks)
            await factories.results(api, board, 7)
    for week in ("2026-W46", "2026-W47"):
        assert (await api.post(f"weeks/{week}/rate", None, token="admin")).status == 200
    while await tallies.refresh(server.database, ""):
        pass
    name = people["N"]
    told = (await api.get(f"players/{name}")).body
    weeks = told["duplicate"]["weeks"]
    assert [each["week"] for each in weeks] == ["2026-W47", "2026-W46"]
    for figure in ("points", "won", "drawn", "lost"):
        assert sum(each[figure] for each in weeks) == told["duplicate"][figure]
    last = told["last_week"]
    assert last["week"] == "2026-W47"
    assert last["points"] / last["boards"] == pytest.approx(told["figures"]["last_week_average"], abs=1e-6)
    text = (await read(api, f"/en/players/{name}")).body
    check(text)
    assert f"/en/players/{name}/weeks/2026-W47?pool=imps" in text
    assert 'id="duplicate"' in text
    awards = text.partition('<details id="duplicate">')[2].partition("</details>")[0]
    assert "2026-W47" in awards
    page = f"/en/players/{name}/weeks/2026-W47"
    assert f'<a href="{page}?pool=imps#duplicate">' in awards  # where each award stands
    assert "duplicate" in check((await read(api, page)).body).ids
    index = re.search(r"<dt>Skill index</dt><dd>(.*?)</dd>", text)[1]
    assert f'href="/en/players/{name}/weeks/2026-W47?pool=imps"' in index
    week = (await api.get(f"players/{name}/weeks/2026-W47/explain")).body
    joint = week["joint"]
    assert joint["start"] + joint["scale"] * joint["strength"] == pytest.approx(joint["index"], abs=1e-4)
    assert joint["index"] == told["joint"]["index"]
    page = " ".join(Page((await read(api, f"/en/players/{name}/weeks/2026-W47")).body).text.split())
    points = f"{week['points']:+.0f}".replace("-", MINUS)
    average = f"{week['points'] / week['boards']:+.2f}".replace("-", MINUS)
    assert f"{points} ÷ {week['boards']} = {average}" in page
    assert f"= {joint['index']:.2f} ±" in page
