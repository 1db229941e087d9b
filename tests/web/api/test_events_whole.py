"""Whole events over HTTP, from sign-up to final ranking, against a reckoning of our own."""

import math
from bisect import bisect_right
from datetime import datetime, timedelta
from fractions import Fraction

import pytest
from sqlalchemy import update

from server.bridge.vp_scale import PAIRS_SCALES, VpScale, victory_points
from server.services.verify import verify
from server.storage.event_tables import event_scores
from tests import factories
from tests.bridge import oracle
from tests.event_days import Day
from tests.web.scoring import tenth

STEPS = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000]
STEPS += [2250, 2500, 3000, 3500, 4000]
# Total points for NS of what the tables report, by contract and vulnerability of the declaring side.
SCORES = {
    ("4S", "N", 10): (420, 620),
    ("3NT", "E", 9): (-400, -600),
    ("3NT", "S", 8): (-50, -100),
    ("2H", "W", 8): (-110, -110),
    ("5DX", "N", 9): (-300, -500),
    ("6C", "E", 12): (-920, -1370),
}
VULNERABLE = {"none": "", "NS": "NS", "EW": "EW", "both": "NESW"}


def imps(difference):
    won = bisect_right(STEPS, abs(difference))
    return won if difference > 0 else -won


def nearest(value):
    """Hundredths, halves away from zero."""
    size = math.floor(abs(value) * 100 + Fraction(1, 2))
    return size if value >= 0 else -size


def vps(scale, margin, boards):
    if scale != "bethe2003":  # each has its own tests, line by line
        return victory_points(VpScale(scale), margin, boards).ours
    tau = (1 + 5**0.5) / 2
    share = (1 - tau ** (-abs(float(margin)) / (5 * boards**0.5))) / (1 - tau**-3)
    loser = math.floor(100 * 10 * (1 - share) + 0.5)
    winner, loser = min(2000 - loser, 2000), max(loser, -200)
    return winner if margin >= 0 else loser


def board_value(scoring, mine, others):
    """What a score is worth against the others of its line, all signed for it."""
    if scoring == "datum":
        return Fraction(imps(mine - oracle.datum([mine, *others], tenth(1 + len(others)))))
    if scoring == "matchpoints":
        won = sum(2 * (mine > other) + (mine == other) for other in others)
        return Fraction(100 * won, 2 * len(others)) if others else Fraction(50)
    total = Fraction(sum(imps(mine - other) for other in others))
    return total if scoring == "total_imp" else total / max(len(others), 1)


def reckoned(rules, boards, rounds, reported, sit_outs):
    """Hundredths by pair, from what was reported alone; by matchpoints the mean of all boards."""
    vulnerability = {board["number"]: board["vulnerability"] for each in rounds for board in each["boards"]}
    scoring = rules["scoring"]
    by_board = rules.get("vp_from", "cross_imps") if scoring == "vp" else scoring
    totals, values, finished = {}, {}, {}
    for number, each in enumerate(rounds, 1):
        mine = [row for row in reported if row["round"] == number]
        scores = {}
        for row in mine:
            line = "NS" if row["declarer"] in "NS" else "EW"
            vulnerable = (
                line in VULNERABLE[vulnerability[row["board"]]] or vulnerability[row["board"]] == "both"
            )
            key = (row["contract"], row["declarer"], row["tricks"])
            scores[row["table"], row["board"]] = SCORES[key][vulnerable]
        tables = len(each["tables"])
        for table in each["tables"]:
            for pair, sign in ((table["ns"], 1), (table["ew"], -1)):
                found = []
                for board in each["boards"]:
                    own = scores[table["table"], board["number"]]
                    others = [
                        score
                        for (other, name), score in scores.items()
                        if name == board["number"] and other != table["table"]
                    ]
                    if by_board == "datum":  # rounded to the nearest ten as NS see it
                        found.append(sign * board_value("datum", own, others))
                    else:
                        found.append(board_value(by_board, sign * own, [sign * each for each in others]))
                values.setdefault(pair, []).extend(found)
                finished[pair] = finished.get(pair, 0) + boards
                scale = rules.get("vp_scale", "bethe2003")
                won = vps(scale, sum(found), boards) if scoring == "vp" else nearest(sum(found))
                totals[pair] = totals.get(pair, 0) + won
        for pair in sit_outs[number]:
            award = Fraction(172, 100) if boards == 1 else Fraction(244, 100)  # 1.7228 times the root
            award *= max(tables - 1, 0) if scoring == "total_imp" else 1
            values.setdefault(pair, []).extend([Fraction(60)] * boards)
            finished[pair] = finished.get(pair, 0) + boards
            totals[pair] = totals.get(pair, 0) + (1200 if scoring == "vp" else nearest(award))
    if scoring == "matchpoints":
        totals = {pair: nearest(sum(found) / len(found)) for pair, found in values.items()}
    return totals, finished


RULES = [
    *({"scoring": scoring} for scoring in ("cross_imps", "datum", "total_imp", "matchpoints")),
    *({"scoring": "vp", "vp_scale": scale.value} for scale in PAIRS_SCALES),
    {"scoring": "vp", "vp_from": "datum", "seating": "balanced"},
]


# How it is scored no database knows: the other one holds an event of each kind of total.
ON_BOTH = (RULES[0], RULES[-1])
HELD = [("sqlite", rules) for rules in RULES] + [("postgresql", rules) for rules in ON_BOTH]


def named(part):
    """A part of a test's name: the database, or the rules."""
    return part if isinstance(part, str) else "-".join(part.values())


@pytest.mark.parametrize(("database_url", "rules"), HELD, indirect=["database_url"], ids=named)
async def test_an_event_goes_by_itself_from_sign_up_to_final_ranking(server, rules):
    day = Day(server)
    await day.announce(**rules)
    assert await day.state() == ("registration", None)
    await day.enter(range(1, 8))
    rows = (await day.get("entries"))["entries"]
    assert [row["players"] for row in rows] == [[f"a{pair}", f"b{pair}"] for pair in range(1, 8)]
    reported, rounds = [], []
    for number in (1, 2, 3):
        await day.until("running", number)
        reported += await day.play(number)
        played = await day.get(f"boards/{2 * number}", token="public")
        assert (played["results"], played["deal"]) == ([], None)
        if number > 1:
            before = await day.get(f"boards/{2 * number - 2}", token="public")
            assert (len(before["results"]), before["deal"][:2]) == (3, "N:")
        rounds.append(await day.get(f"rounds/{number}"))
    await day.until("finished")
    ended = (await day.get("rounds/3"))["ended_at"]
    assert server.clock.now() - datetime.fromisoformat(ended) <= timedelta(seconds=50)  # not two minutes
    sit_outs = {number: each["sit_outs"] for number, each in enumerate(rounds, 1)}
    met = [frozenset((table["ns"], table["ew"])) for each in rounds for table in each["tables"]]
    assert len(met) == len(set(met)) == 9
    assert len({pair for each in sit_outs.values() for pair in each}) == 3
    totals, finished = reckoned(rules, 2, rounds, reported, sit_outs)
    standings = (await day.get("standings"))["rows"]
    order = sorted(totals, key=lambda pair: (-totals[pair], -finished[pair], pair))
    assert [(row["entry"], row["rank"]) for row in standings] == [
        (pair, i) for i, pair in enumerate(order, 1)
    ]
    assert {row["entry"]: round(100 * row["score"]) for row in standings} == totals
    assert [row["masterpoints"] for row in standings] == [3, 2, 2, 0, 0, 0, 0]
    winner = (await day.api.get(f"players/{standings[0]['players'][0]}")).body
    assert (winner["masterpoints"], winner["grade"]) == (3, 2)
    card = await day.get(f"entries/{order[0]}")
    assert [each["round"] for each in card["rounds"]] == [1, 2, 3]
    board = await day.get("boards/1")
    assert (len(board["results"]), board["deal"][:2]) == (3, "N:")
    assert await wrong(server) == []
    other = update(event_scores).where(event_scores.c.round == 2, event_scores.c.entry == order[0])
    await server.database.write(lambda connection: connection.execute(other.values(finished=7)))
    assert await wrong(server) == ["scores of round 2"]


async def wrong(server):
    """What `crossruff verify` finds of boards and events."""
    found = [each async for each in verify(server.database, server.clock.now())]
    return [one.what for each in found for one in each.discrepancies if one.where != "bulletins"]


async def test_less_than_a_twentieth_of_a_point_is_a_tie(server):
    """Whoever is less than 0.05 VP behind the first of his group and has finished more is before him."""
    day = Day(server)
    await day.announce(scoring="vp", band=5, rounds=1, boards=16)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    # Everything is passed out, and table 1 leaves the last board: everybody has 10 VPs.
    for table, last in ((1, 15), (2, 16)):
        for board in range(1, last + 1):
            body = {"round": 1, "table": table, "board": board, "contract": "PASS"}
            await day.post("results", body)
    taken = {"entry": 3, "kind": "deduction", "amount": 0.04, "reason": "phone"}
    assert (await server.api.post(f"events/{day.id}/penalties", taken)).status == 201
    taken = {"entry": 4, "kind": "deduction", "amount": 0.05, "reason": "phone"}
    assert (await server.api.post(f"events/{day.id}/penalties", taken)).status == 201
    await day.until("finished")
    rows = (await day.get("standings"))["rows"]
    shown = [(row["entry"], row["rank"], row["score"], row["boards"]) for row in rows]
    assert shown == [(3, 1, 9.96, 16), (1, 2, 10, 15), (2, 3, 10, 15), (4, 4, 9.95, 16)]


async def test_balanced_seating_keeps_everybody_even(server):
    day = Day(server)
    await day.announce(rounds=5, boards=1, seating="balanced")
    await day.enter(range(1, 11))
    lean = dict.fromkeys(range(1, 11), 0)
    for number in range(1, 6):
        await day.until("running", number)
        for table in (await day.get(f"rounds/{number}"))["tables"]:
            lean[table["ns"]] += 1
            lean[table["ew"]] -= 1
        await day.play(number)
    assert max(map(abs, lean.values())) <= 2


async def test_who_comes_late_plays_from_the_next_round_on(server):
    day = Day(server)
    await day.announce(rounds=3, boards=1, late_until=1, first_round="seeded_draw", seeded=["a1", "a2"])
    await day.enter(range(1, 5))
    await day.until("running", 1)
    found = await day.get("rounds/1")
    assert int(found["seed"]) < 2**64
    assert {1, 2} not in [{table["ns"], table["ew"]} for table in found["tables"]]
    await day.enter([5])
    assert (await day.get())["room"]["doors"] == "late"
    assert list((await day.get())["entries"]) == ["1", "2", "3", "4", "5"]
    assert (await day.get("entries"))["entries"][4]["first_round"] == 2
    await day.play(1)
    await day.until("running", 2)
    second = await day.get("rounds/2")
    assert second["sit_outs"] == [5]  # at the bottom
    assert (await day.get())["room"]["doors"] == "closed"
    refused = await server.api.post(
        f"events/{day.id}/room/sit", {"player": "z", "table": 1, "seat": "N"}, key=None
    )
    assert refused.body["reason"] == "room_closed"


async def test_who_has_too_little_left_after_a_ruling_is_not_ranked(server):
    day = Day(server)
    await day.announce(rounds=1, boards=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1, lambda table, _: ("4S", "N", 10) if table == 1 else ("4S", "N", 9))
    await day.until("finished")
    before = (await day.get("standings"))["rows"]
    assert before[0]["score"] > 0
    played = (await day.get("boards/1"))["results"]
    (void,) = [row["id"] for row in played if row["table"] == "R1-T2"]
    assert (await factories.rule(day.api, "void", void)).status == 200
    after = (await day.get("standings"))["rows"]
    assert [row["score"] for row in after] == [0, 0, 0, 0]
    assert [row["rank"] for row in after if row["boards"]] == [1, 2]
    assert [row["rank"] for row in after if not row["boards"]] == [None, None]
