"""Leaderboards and players' figures over HTTP: every number held against a straight recomputation."""

import csv
import io
from datetime import timedelta
from fractions import Fraction
from random import Random

import pytest

from server.bridge.datum import TENTH, datum
from server.bridge.imps import imps
from server.services import tallies
from tests import factories
from tests.clock import NOON
from tests.web.scoring import Judge, random_outcome

WEEK = timedelta(days=7)
SECOND = "2026-W49"
SEATS = "NESW"
NEW = (Fraction(50), Fraction(25))
IMPS = Judge("datum")


class World:
    """What was posted, to be computed by hand."""

    def __init__(self) -> None:
        self.tables: list[tuple[str, int, dict[str, str], int, list[str]]] = []

    async def play(self, api, week, boards, tables, rng, leavers=0.0):
        """Some boards, each at some tables of a fixed crowd; returns nothing."""
        crowd = [f"p{i:02}" for i in range(4 * tables + 2)]
        for board in await factories.boards(api, boards, week):
            rng.shuffle(crowd)
            for table in range(tables):
                players = dict(zip(SEATS, crowd[4 * table : 4 * table + 4], strict=True))
                outcome, _ = random_outcome(rng, board["number"])
                left = [players["W"]] if rng.random() < leavers else []
                posted = factories.result(board, players=players, disconnects=left, **outcome)
                answer = await api.post("results", posted)
                assert answer.status == 201, answer
                self.tables.append((week, board["number"], players, answer.body["score"], left))

    def fields(self, week):
        """Week's tables with the field score of NS in IMPs."""
        boards = {}
        for each in self.tables:
            if each[0] == week:
                boards.setdefault(each[1], []).append(each)
        for rows in boards.values():
            scores = [row[3] for row in rows]
            found = datum(scores, TENTH).value if len(scores) >= 6 else None
            for _, _, players, score, left in rows:
                yield players, None if found is None else imps(score - found), left

    def duplicates(self):
        """Points, won, drawn and lost of every player by his awards, and by what disconnects cost."""
        boards, found = {}, {}
        for week, number, players, score, left in self.tables:
            boards.setdefault((week, number), []).append((players, score, left))
        for rows in boards.values():
            scores = [score for _, score, _ in rows]
            for index, (players, _, left) in enumerate(rows):
                award = IMPS.award(scores, index)  # in hundredths; None where there are too few results
                for seat, player in players.items():
                    own = found.setdefault(player, dict.fromkeys(("points", "won", "drawn", "lost"), 0))
                    if player in left:
                        own["points"] -= 16
                    elif award is not None:
                        points = award["NSEW".index(seat) // 2] // 100
                        own["points"] += points
                        own["won" if points > 0 else "lost" if points < 0 else "drawn"] += 1
        return found

    def points(self, week):
        """Points, boards by player."""
        points, boards = {}, {}
        for players, x, left in self.fields(week):
            for seat, player in players.items():
                own = 0 if x is None else x if seat in "NS" else -x
                points[player] = points.get(player, 0) + (-16 if player in left else own)
                boards[player] = boards.get(player, 0) + 1
        return points, boards

    def board_rates(self, week, name):
        """How many board Rates a player has: of every scored table, and of every one that he left."""
        return sum(
            name in players.values() and (x is not None or name in left)
            for players, x, left in self.fields(week)
        )

    def rates(self, week, before):
        """Classic Rates and weights at the end of a week, in fractions; ``before`` by player."""
        found = {}
        for players, x, left in self.fields(week):
            r = {seat: before.get(player, NEW)[0] for seat, player in players.items()}
            s4 = sum(r.values())
            for seat, player in players.items():
                if player in left:
                    found.setdefault(player, []).append(Fraction(0))
                elif x is not None:
                    clamped = max(Fraction(-15, 2), min(Fraction(15, 2), Fraction(x)))
                    share = Fraction(1, 2) + clamped / 15 * (1 if seat in "NS" else -1)
                    pair = "NS" if seat in "NS" else "EW"
                    found.setdefault(player, []).append(share * s4 * r[seat] / sum(r[each] for each in pair))
        after = {}
        for player in before.keys() | found.keys():
            old, weight = before.get(player, NEW)
            past = min(Fraction(95, 100) * weight, Fraction(150))
            own = found.get(player, [])
            new = (past * old + sum(own)) / (past + len(own)) if own else old
            after[player] = (max(Fraction(1), min(Fraction(99), new)), past + len(own))
        return after


@pytest.fixture
async def played(serve, clock):
    """A server with two weeks played, the first closed; what was posted; and how its totals are counted."""
    served = await serve(rating={"shield_boards": 0})
    world, rng = World(), Random(11)
    await world.play(served.api, factories.WEEK, 6, 7, rng, leavers=0.1)
    await world.play(served.api, factories.WEEK, 1, 4, rng)  # too few results
    clock.advance(WEEK)
    answer = await served.api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")
    assert answer.status == 200, answer
    await world.play(served.api, SECOND, 3, 6, rng, leavers=0.1)

    async def count():
        while await tallies.refresh(served.database, ""):
            pass

    await count()
    return served.api, world, count


async def every(api, week, **query):
    """All rows of a leaderboard, page by page."""
    rows, cursor = [], None
    while True:
        asked = {**query, "limit": 10, **({"cursor": cursor} if cursor else {})}
        text = "&".join(f"{name}={value}" for name, value in asked.items())
        answer = await api.get(f"weeks/{week}/leaderboard?{text}", token="public")
        assert answer.status == 200, answer
        rows += answer.body["rows"]
        cursor = answer.body["cursor"]
        if cursor is None:
            assert answer.body["total"] == len(rows)
            return rows


async def test_the_closed_week_is_what_the_results_give(played):
    api, world, _ = played
    points, boards = world.points(factories.WEEK)
    rates = world.rates(factories.WEEK, {})
    rows = await every(api, factories.WEEK)
    assert {row["player"]["id"] for row in rows} == rates.keys()
    for row in rows:
        name, figures = row["player"]["id"], row["figures"]
        assert figures["skill_index"] == pytest.approx(float(rates[name][0]), abs=1e-6)
        assert (figures["week_points"], figures["week_boards"]) == (points[name], boards[name])
        assert figures["total_boards"] == boards[name]
        assert figures["last_week_average"] is None
        assert row["provisional"]
    assert [row["figures"]["skill_index"] for row in rows] == sorted(
        (row["figures"]["skill_index"] for row in rows), reverse=True
    )
    assert [row["rank"] for row in rows] == [
        1 + sum(other["figures"]["skill_index"] > row["figures"]["skill_index"] for other in rows)
        for row in rows
    ]


async def test_the_open_week_is_counted_live(played):
    api, world, _ = played
    points, boards = world.points(SECOND)
    _, before = world.points(factories.WEEK)
    rows = await every(api, SECOND, rating="points")
    assert {row["player"]["id"] for row in rows} == points.keys()
    for row in rows:
        name, figures = row["player"]["id"], row["figures"]
        assert (figures["week_points"], figures["week_boards"]) == (points[name], boards[name])
        assert figures["total_boards"] == boards[name] + before.get(name, 0)
        assert row["rank"] == 1 + sum(other > points[name] for other in points.values())
    skill = await every(api, SECOND)
    assert [row["rank"] for row in skill] == [row["rank"] for row in await every(api, factories.WEEK)]


async def test_the_second_week_builds_upon_the_first(played, clock):
    api, world, _ = played
    clock.advance(WEEK)
    assert (await api.post(f"weeks/{SECOND}/rate", None, token="admin")).status == 200
    rates = world.rates(SECOND, world.rates(factories.WEEK, {}))
    first = {row["player"]["id"]: row for row in await every(api, factories.WEEK)}
    rows = await every(api, SECOND)
    points, boards = world.points(factories.WEEK)
    for row in rows:
        name = row["player"]["id"]
        assert row["figures"]["skill_index"] == pytest.approx(float(rates[name][0]), abs=1e-6)
        assert row["movement"] == (first[name]["rank"] - row["rank"] if name in first else None)
        average = row["figures"]["last_week_average"]
        assert average == (pytest.approx(points[name] / boards[name], abs=1e-6) if name in boards else None)
    joint = await every(api, SECOND, rating="joint")
    indexes = [row["joint"]["index"] for row in joint]
    assert indexes == sorted(indexes, reverse=True)
    assert all(row["joint"]["error"] > 0 for row in joint)


async def test_a_player_finds_his_figures_and_his_weeks(played, clock):
    api, world, _ = played
    points, boards = world.points(SECOND)
    _, before = world.points(factories.WEEK)
    rates = world.rates(factories.WEEK, {})
    name = next(iter(points))
    found = (await api.get(f"players/{name}", token="public")).body
    assert found["figures"]["week_points"] == points[name]
    assert found["figures"]["week_boards"] == boards[name]
    assert found["figures"]["total_boards"] == boards[name] + before[name]
    assert found["figures"]["skill_index"] == pytest.approx(float(rates[name][0]), abs=1e-6)
    (week,) = (await api.get(f"players/{name}/weeks", token="public")).body["weeks"]
    assert week["week"] == factories.WEEK
    assert week["weight"] == pytest.approx(float(rates[name][1]), abs=1e-6)
    nobody = (await api.get("players/p00?pool=mp", token="public")).body
    assert nobody["figures"] == {
        "skill_index": 50,
        "skill_error": None,
        "week_points": 0,
        "week_boards": 0,
        "total_boards": 0,
        "last_week_average": None,
    }
    assert nobody["joint"] is None
    assert nobody["provisional"]


async def test_duplicate_figures_are_the_awards(played):
    api, world, _ = played
    expected = world.duplicates()
    found = {name: (await api.get(f"players/{name}")).body["duplicate"] for name in expected}
    rates = {name: figures.pop("win_rate") for name, figures in found.items()}
    weeks = {name: figures.pop("weeks") for name, figures in found.items()}
    assert found == expected
    for name, figures in found.items():
        for figure, total in figures.items():
            assert sum(each[figure] for each in weeks[name]) == total
    for name, each in expected.items():
        boards = each["won"] + each["drawn"] + each["lost"]
        assert rates[name] == (pytest.approx(each["won"] / boards, abs=1e-6) if boards else None)
    # Every figure has been put to the test; and an award is not simply the field score of the end.
    assert all(sum(each[name] for each in expected.values()) for name in ("won", "drawn", "lost"))
    fields = {
        name: sum(world.points(week)[0].get(name, 0) for week in (factories.WEEK, SECOND)) for name in found
    }
    assert fields != {name: each["points"] for name, each in expected.items()}
    assert sum(len(row[4]) for row in world.tables) > 0


async def test_every_line_of_a_week_adds_up(played):
    api, world, _ = played
    points, boards = world.points(factories.WEEK)
    rates = world.rates(factories.WEEK, {})
    for name in sorted(points)[:12]:
        found = (await api.get(f"players/{name}/weeks/{factories.WEEK}/explain", token="public")).body
        lines = found["lines"]
        assert sum(line["points"] for line in lines) == found["points"] == points[name]
        assert len(lines) == found["boards"] == boards[name]
        own = [line["board_rate"] for line in lines if line["rated"]]
        assert len(own) == found["board_rates"] == world.board_rates(factories.WEEK, name)
        assert (found["other_zeros"], found["changed_since"], found["hidden_boards"]) == (0, False, 0)
        assert sum(own) / len(own) == pytest.approx(found["week_rate"], abs=1e-5)
        past, n = found["past_weight"], found["board_rates"]
        new = (past * found["old_rate"] + n * found["week_rate"]) / (past + n)
        assert (
            new
            == pytest.approx(found["new_rate"], abs=1e-5)
            == pytest.approx(float(rates[name][0]), abs=1e-5)
        )
        for line in lines:
            if line["table"] is not None:
                assert sum(line["table"]["board_rates"].values()) == pytest.approx(
                    line["table"]["s4"], abs=1e-4
                )
            else:
                assert line["reason"] == "too-few-results"
    points, boards = world.points(SECOND)
    for name in sorted(points)[:4]:  # of the open week as far as one may see it
        found = (await api.get(f"players/{name}/weeks/{SECOND}/explain", token="director")).body
        assert sum(line["points"] for line in found["lines"]) == found["lines_sum"]["points"] == points[name]
        assert len(found["lines"]) == found["lines_sum"]["boards"] == boards[name]
    assert (await api.get("players/p00/weeks/2026-W40/explain")).slug == "not-found"
    assert (await api.get(f"players/nobody/weeks/{factories.WEEK}/explain")).slug == "not-found"


async def test_a_result_is_explained_with_its_board_rates(played):
    api, world, _ = played
    rates = world.rates(factories.WEEK, {})
    name = next(iter(rates))
    found = (await api.get(f"players/{name}/results?limit=200", token="public")).body["results"]
    assert [row["id"] for row in found] == sorted((row["id"] for row in found), reverse=True)
    own = {}
    for row in found:
        if row["state"] == "scored" and "players" in row:
            rated = (await api.get(f"results/{row['id']}/explain", token="public")).body["rating"]
            if rated is not None:
                (mine,) = (seat for seat in rated["seats"] if seat["player"] == name)
                own[row["id"]] = mine["board_rate"]
    week = (await api.get(f"players/{name}/weeks/{factories.WEEK}/explain", token="public")).body
    lines = {line["result"]: line["board_rate"] for line in week["lines"] if line["rated"]}
    assert own == lines
    pages = (await api.get(f"players/{name}/results?limit=3", token="public")).body
    rest = (await api.get(f"players/{name}/results?cursor={pages['cursor']}&limit=200", token="public")).body
    assert pages["results"] + rest["results"] == found


async def test_lists_are_searched_filtered_and_opened_at_a_player(played):
    api, _, _ = played
    rows = await every(api, factories.WEEK)
    path = f"weeks/{factories.WEEK}/leaderboard"
    middle = rows[len(rows) // 2]["player"]["id"]
    around = (await api.get(f"{path}?around={middle}&limit=5")).body
    assert [row["player"]["id"] for row in around["rows"]][2] == middle
    assert around["rows"] == rows[around["offset"] : around["offset"] + 5]
    (found,) = (await api.get(f"{path}?q=P07")).body["rows"]
    assert found["player"]["id"] == "p07"
    assert found in rows
    few = (await api.get(f"{path}?min_boards=7")).body["rows"]
    assert few == [row for row in rows if row["figures"]["week_boards"] >= 7][:50]
    assert (await api.get(f"{path}?q=%25")).body["rows"] == []
    assert (await api.get(f"{path}?around=nobody")).body["type"] == "/problems/not-found"
    for wrong in (
        "rating=best",
        "min_boards=-1",
        "revision=x",
        "limit=0",
        "cursor=x",
        f"q={'x' * 65}",
        "pool=x",
    ):
        assert (await api.get(f"{path}?{wrong}")).status == 422, wrong
    assert (await api.get(f"{path}?pool=mp&rating=joint")).status == 422
    assert (await api.get(f"{path}?revision=2")).status == 404
    assert (await api.get("weeks/2026-W40/leaderboard")).status == 404
    assert (await api.get("weeks/nonsense/leaderboard")).status == 422


async def test_lists_are_tables_too(played):
    api, _, _ = played
    rows = await every(api, factories.WEEK)
    path = f"weeks/{factories.WEEK}/leaderboard"
    text = (await api.get(path, headers={"Accept": "text/csv"})).body
    table = list(csv.DictReader(io.StringIO(text)))
    assert [(int(row["rank"]), row["id"], float(row["skill_index"])) for row in table] == [
        (row["rank"], row["player"]["id"], row["figures"]["skill_index"]) for row in rows
    ]
    lines = (await api.get(path, headers={"Accept": "application/x-ndjson"})).body
    assert lines == rows


async def test_hidden_players_are_on_no_list(played):
    api, _, _ = played
    name = (await every(api, factories.WEEK))[0]["player"]["id"]
    assert (await api.put(f"players/{name}", {"hidden": True})).status == 200
    assert name not in {row["player"]["id"] for row in await every(api, factories.WEEK)}
    assert name not in {row["player"]["id"] for row in await every(api, SECOND, rating="points")}
    assert (await api.get(f"players/{name}/weeks", token="public")).status == 404
    assert (await api.get(f"players/{name}/weeks", token="results")).status == 200


async def test_a_late_result_makes_a_new_revision_of_its_week_and_those_after(played, clock):
    api, _, _ = played
    clock.set(NOON + timedelta(days=5))  # Monday: within 48 hours of the end of the first week
    before = await every(api, factories.WEEK)
    late = factories.result({"week": factories.WEEK, "pool": "imps", "number": 1})
    assert (await api.post("results", late)).status == 201
    clock.advance(WEEK)
    rated = (await api.post(f"weeks/{SECOND}/rate", None, token="admin")).body["weeks"]
    assert [(each["week"], each["revision"]) for each in rated] == [(factories.WEEK, 2), (SECOND, 1)]
    after = await every(api, factories.WEEK)
    assert len(after) == len(before) + 4
    assert await every(api, factories.WEEK, revision=1) == before
    # Now it is too late: it is kept and shown, and changes no rating.
    too_late = factories.result({"week": factories.WEEK, "pool": "imps", "number": 2})
    assert (await api.post("results", too_late)).status == 201
    again = (await api.post(f"weeks/{SECOND}/rate", None, token="admin")).body["weeks"]
    assert not any(each["changed"] for each in again)
    assert await every(api, factories.WEEK) == after
