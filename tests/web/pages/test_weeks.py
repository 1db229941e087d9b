"""Leaderboards, players and the arithmetic of their weeks for people: the numbers are the API's."""

import re

import pytest

from server.services import tallies
from server.web.pages.paging import page_numbers
from tests import factories
from tests.web.page import Page, check, read

BEFORE = "2026-W47"


@pytest.fixture
async def crowd(server):
    """Two boards of a rated week and one of the open week, played by the same seven tables; their ids."""
    people = [f"p{number:02}" for number in range(28)]
    for week, count in ((BEFORE, 2), (factories.WEEK, 1)):
        for place, board in enumerate(await factories.boards(server.api, count, week)):
            for table in range(7):
                seats = [people[(4 * table + 4 * place * i + i) % 28] for i in range(4)]
                body = factories.result(board, players=dict(zip("NESW", seats, strict=True)))
                left = [seats[3]] if (place, table) == (1, 2) else []
                body |= {"tricks": 6 + table, "disconnects": left}
                assert (await server.api.post("results", body)).status == 201
    assert (await server.api.post(f"weeks/{BEFORE}/rate", None, token="admin")).status == 200
    while await tallies.refresh(server.database, ""):
        pass
    return people


async def test_by_an_index_nobody_moves_before_the_week_is_rated(api, crowd):
    """What the players moved last week is not what they move in this one."""
    (first,) = await factories.boards(api, 1, "2026-W46")
    for table in range(7):
        seats = dict(zip("NESW", crowd[4 * table : 4 * table + 4], strict=True))
        body = factories.result(first, players=seats) | {"tricks": 12 - table}
        assert (await api.post("results", body)).status == 201
    assert (await api.post("weeks/2026-W46/rate", None, token="admin")).status == 200
    assert (await api.post(f"weeks/{BEFORE}/rate", None, token="admin")).status == 200
    last = (await api.get(f"weeks/{BEFORE}/leaderboard?rating=skill")).body["rows"]
    assert any(row["movement"] for row in last)
    for order in ("skill", "joint", "points"):
        answer = await api.get(f"weeks/{factories.WEEK}/leaderboard?rating={order}")
        before = (await api.get(f"weeks/{BEFORE}/leaderboard?rating={order}")).body["rows"]
        ranks = {row["player"]["id"]: row["rank"] for row in before}
        for row in answer.body["rows"]:
            moved = ranks[row["player"]["id"]] - row["rank"] if order == "points" else None
            assert row["movement"] == moved
        text = (await read(api, f"/en/weeks/{factories.WEEK}?rating={order}")).body
        check(text)
        assert ('"change"' in text) == (order == "points")
    assert '"change"' in (await read(api, f"/en/weeks/{BEFORE}")).body


def rows(text):
    """What is written in the cells of each row of a leaderboard, by id of the player."""
    found = {}
    for match in re.finditer(r'<tr role="row" data-row="([^"]*)".*?</tr>', text, re.DOTALL):
        cells = re.findall(r"<(?:td|th) [^>]*>(.*?)</(?:td|th)>", match[0], re.DOTALL)
        found[match[1]] = [" ".join(Page(f"<p>{cell}</p>").text.split()) for cell in cells]
    return found


def shown(value, places=None):
    """A gain or loss as pages write it."""
    text = f"{value:+}" if places is None else f"{value:+.{places}f}"
    return "0" if value == 0 and places is None else text.replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize(
    ("week", "order"), [(BEFORE, "skill"), (BEFORE, "joint"), (factories.WEEK, "points")]
)
async def test_a_leaderboard_is_that_of_the_api(api, crowd, week, order):
    told = (await api.get(f"weeks/{week}/leaderboard?rating={order}")).body
    text = (await read(api, f"/en/weeks/{week}?rating={order}")).body
    check(text)
    found = rows(text)
    assert list(found) == [row["player"]["id"] for row in told["rows"]]
    ranks = [row["rank"] for row in told["rows"]]
    for row in told["rows"]:
        rank, moved, name, index, joint, points, boards, total, last = found[row["player"]["id"]]
        figures = row["figures"]
        assert rank == f"{row['rank']}{'=' if ranks.count(row['rank']) > 1 else ''}"
        assert moved == ("new" if row["movement"] is None else moved)
        assert name == row["player"]["name"]
        # The error belongs to the joint index; the skill index has a mark while it rests on few boards.
        assert index == f"{figures['skill_index']:.1f}" + (" ?" if row["provisional"] else "")
        assert joint == f"{row['joint']['index']:.1f} ± {row['joint']['error']:.1f}"
        assert (points, boards) == (shown(figures["week_points"]), str(figures["week_boards"]))
        assert total == str(figures["total_boards"])
        average = figures["last_week_average"]
        assert average is None or last == ("0.00" if average == 0 else shown(average, 2))


async def test_a_list_is_searched_filtered_and_opened_at_a_player(api, crowd):
    async def names(query):
        return list(rows((await read(api, f"/en/weeks/{BEFORE}?{query}")).body))

    assert await names("q=P07") == ["p07"]
    assert await names("provisional=false") == []
    assert sorted(await names("provisional=true&min_boards=2")) == sorted(crowd)
    text = (await read(api, f"/en/weeks/{BEFORE}?around=p11")).body
    assert re.search('data-row="p11" class="own"', text)
    text = (await read(api, f"/en/weeks/{BEFORE}?around=nobody")).body
    assert "Nobody on this list has the id or the name nobody." in text
    assert text.count('id="sought"') == 1
    assert len(rows(text)) == len(crowd)
    for wrong in ("rating=best", "page=x", "provisional=maybe", "pool=none", "min_boards=-1"):
        assert (await read(api, f"/en/weeks/{BEFORE}?{wrong}")).status == 422, wrong
    assert (await read(api, "/en/weeks/2027-W20")).status == 404


async def test_one_jumps_to_a_player_by_id_and_by_name(api, crowd):
    """A name that is exactly his goes before one that only begins so; of several the first on the list."""
    for name, alias in (("p03", "Ann Lee"), ("p04", "Ann"), ("p05", "Bo Lee"), ("p06", "Bo Li")):
        assert (await api.put(f"players/{name}", {"alias": alias})).status == 200
    listed = list(rows((await read(api, f"/en/weeks/{BEFORE}")).body))
    for sought, player in (
        ("p11", "p11"),
        ("ann", "p04"),
        ("Ann L", "p03"),
        ("bo", min("p05", "p06", key=listed.index)),
    ):
        text = (await read(api, f"/en/weeks/{BEFORE}?around={sought.replace(' ', '+')}")).body
        assert re.findall('data-row="([^"]*)" class="own" id="sought"', text) == [player], sought
        assert f'name="around" value="{sought}"' in text
        assert re.search('<form class="seek" method="get" action="/en/weeks/[^"?]*#sought"', text)
    text = (await read(api, f"/en/players/p11/weeks/{BEFORE}")).body
    assert f'href="/en/weeks/{BEFORE}?pool=imps&amp;around=p11#sought"' in text
    assert (await read(api, f"/en/weeks/{BEFORE}?around=a%00b")).status == 422


async def test_a_list_is_downloaded_by_plain_links(api, crowd):
    text = (await read(api, f"/en/weeks/{BEFORE}?rating=points&q=p0")).body
    links = [link for link in Page(text).links if "format=" in link]
    assert len(links) == 3
    csv, ndjson, json = [await api.get(link) for link in links]
    assert csv.headers["Content-Disposition"] == f'attachment; filename="{BEFORE}-imps-points.csv"'
    assert len(csv.body.splitlines()) == len(ndjson.body) + 1 == len(json.body["rows"]) + 1 == 11
    assert ndjson.body == json.body["rows"]


async def test_revisions_lead_to_one_another(api, crowd, clock):
    assert "revision 1" in (await read(api, f"/en/weeks/{BEFORE}")).body
    board = {"week": BEFORE, "pool": "imps", "number": 1}
    assert (await api.post("results", factories.result(board))).status == 201
    assert "rated, to be rated again" in (await read(api, f"/en/weeks/{BEFORE}")).body
    assert (await api.post(f"weeks/{BEFORE}/rate", None, token="admin")).status == 200
    text = (await read(api, f"/en/weeks/{BEFORE}")).body
    assert "revision 2" in text
    assert "final" in text
    older = next(link for link in Page(text).links if "revision=1" in link and link.startswith("/en/weeks"))
    assert len(rows((await read(api, older)).body)) == len(rows(text)) - 4


async def test_a_player_has_the_figures_of_the_api(api, crowd):
    for name in crowd[:4]:
        told, text = (await api.get(f"players/{name}")).body, (await read(api, f"/en/players/{name}")).body
        page = " ".join(check(text).text.split())
        figures, joint = told["figures"], told["joint"]
        assert f"Skill index {figures['skill_index']:.1f} {'? ' if told['provisional'] else ''}Week" in page
        assert f"Joint index {joint['index']:.1f} ± {joint['error']:.1f}" in page
        assert "± is one standard deviation of the joint index" in page
        assert f"Week points {shown(figures['week_points'])}" in page
        assert f"Total boards {figures['total_boards']}" in page
        duplicate = told["duplicate"]
        assert f"lost {duplicate['won']} / {duplicate['drawn']} / {duplicate['lost']}" in page
        (week,) = (await api.get(f"players/{name}/weeks")).body["weeks"]
        assert f"{week['week']}: {week['skill_index']:.1f}" in text
        assert "still in play" in page  # the board of the open week


async def test_partners_best_and_worst_are_what_the_results_give(api, crowd):
    for name in crowd:
        career = (await api.get(f"players/{name}/career")).body
        results = (await api.get(f"players/{name}/results")).body["results"]
        seen = [row for row in results if row.get("field")]
        own, partners = [], {}
        for row in seen:
            if any(left["player"] == name for left in row.get("disconnects", [])):
                continue
            (seat,) = (seat for seat, player in row["players"].items() if player == name)
            points = row["field"]["ns" if seat in "NS" else "ew"]
            own.append(points)
            other = row["players"][{"N": "S", "S": "N", "E": "W", "W": "E"}[seat]]
            partners.setdefault(other, []).append(points)
        assert career["boards"] == len(own)
        assert [each["points"] for each in career["best"]] == sorted((p for p in own if p > 0), reverse=True)[
            :5
        ]
        assert [each["points"] for each in career["worst"]] == sorted(p for p in own if p < 0)[:5]
        found = {each["player"]["id"]: (each["boards"], each["mean"]) for each in career["partners"]}
        assert found == {
            other: (len(points), pytest.approx(sum(points) / len(points), abs=1e-6))
            for other, points in partners.items()
        }
        assert sum(each["boards"] for each in career["roles"]) == len(own)
        left = len(seen) - len(own)
        assert [each["points"] for each in career["penalties"]] == [-16] * left
        assert career["completion"] == pytest.approx(1 - left / len(results), abs=1e-6)


async def test_a_week_is_explained_as_the_api_does(api, crowd):
    for name in (*crowd[:3], crowd[23]):  # the last one left a board
        told = (await api.get(f"players/{name}/weeks/{BEFORE}/explain")).body
        text = " ".join(check((await read(api, f"/en/players/{name}/weeks/{BEFORE}")).body).text.split())
        merged = f"({told['past_weight']:.2f} × {told['old_rate']:.2f} + {told['board_rates']} × "
        assert merged + f"{told['week_rate']:.2f})" in text
        assert f"= {told['new_rate']:.2f}" in text
        for line in told["lines"]:
            assert f"{line['table']['s4']:.2f}" in text
            assert min(100, line["board_rate"]) == 100 or f"{line['board_rate']:.2f}" in text
            result = " ".join(Page((await read(api, f"/en/results/{line['result']}")).body).text.split())
            assert f"add up to S4 = {line['table']['s4']:.2f}." in result


async def test_who_is_hidden_has_no_page(api, crowd):
    assert (await api.put("players/p03", {"hidden": True}, token="results")).status == 200
    for path in ("/en/players/p03", f"/en/players/p03/weeks/{BEFORE}", "/zh/players/nobody"):
        assert (await read(api, path)).status == 404
    assert "p03" not in (await read(api, "/en/weeks?rating=points")).body
    partner = (await read(api, "/en/players/p01")).body
    assert "hidden" in partner
    assert "p03" not in partner


async def test_the_first_page_has_the_top_ten(api, crowd):
    told = (await api.get(f"weeks/{factories.WEEK}/leaderboard?rating=points&limit=10")).body["rows"]
    text = (await read(api, "/en/")).body
    assert re.findall('data-row="player-([^"]*)"', text) == [row["player"]["id"] for row in told]


@pytest.mark.parametrize(
    ("total", "offset", "numbers"),
    [
        (0, 0, []),
        (50, 0, []),
        (51, 0, [1, 2]),
        (1000, 0, [1, 2, 3, None, 20]),
        (1000, 500, [1, None, 9, 10, 11, 12, 13, None, 20]),
        (10, 100, [1]),
    ],
)
def test_numbers_of_pages(total, offset, numbers):
    assert page_numbers(total, offset, 50) == numbers
