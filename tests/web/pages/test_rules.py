"""The rules page: every figure against another source than the code that makes the page."""

import csv
import re
from pathlib import Path

import pytest

from server.bridge.vp_scale import PAIRS_SCALES, VpScale, victory_points
from tests.bridge import oracle
from tests.bridge.golden import vectors
from tests.event_days import Day
from tests.web.page import Page, check, read

DATA = Path(__file__).parents[2] / "bridge" / "data"


def tables(text):
    """The tables of a page by their captions: rows of what is written in their cells."""
    found = {}
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        caption = re.search(r"<caption>(.*?)</caption>", table)
        rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
        written = [
            [Page(f"<p>{cell}</p>").text.strip().replace("\N{MINUS SIGN}", "-") for cell in row]
            for row in cells
        ]
        found.setdefault(caption[1] if caption else "", []).extend(written)
    return found


def numbers(rows, columns):
    """The rows that hold so many numbers."""
    return [row for row in rows if len(row) == columns and row[1].lstrip("+-").isdecimal()]


def golden_scores():
    """Contract scores by level, strain, risk, vulnerability and tricks."""
    with (DATA / "contract_scores.csv").open() as file:
        return {
            (row["level"], row["strain"], row["dbl"], row["vul"], int(row["tricks"])): row["score"]
            for row in csv.DictReader(file)
        }


async def test_contract_scores_are_those_of_the_golden_file(api):
    found = tables((await read(api, "/en/rules")).body)
    golden = golden_scores()
    columns = [(risk, vulnerable) for vulnerable in "01" for risk in ("", "X", "XX")]
    made = numbers(found["Contracts just made"], 7)
    assert len(made) == 21
    for strain, rows in zip("CHN", (made[:7], made[7:14], made[14:]), strict=True):
        for level, *scores in rows:
            assert scores == [golden[level, strain, *column, int(level) + 6] for column in columns]
    down = numbers(found["Contracts that go down"], 7)
    assert [row[0] for row in down] == [str(tricks) for tricks in range(1, 14)]
    for missing, *scores in down:
        assert scores == [golden["7", "N", *column, 13 - int(missing)] for column in columns]


@pytest.mark.parametrize("boards", [1, 8, 14, 32])
@pytest.mark.parametrize("scale", PAIRS_SCALES)
async def test_victory_points_are_those_of_matches_of_so_many_boards(api, scale, boards):
    text = (await read(api, f"/en/rules?scale={scale}&boards={boards}")).body
    check(text)
    part = text.partition('id="vp"')[2].partition('id="grades"')[0]
    rows = [row for row in tables(part)[""] if re.match("[0-9]", row[0])]
    ends = [int(re.split(" – | and", row[0])[0]) for row in rows]
    assert ends == sorted(set(ends))
    assert ends[0] == 0
    assert "and more" in rows[-1][0]
    for margin in range(ends[-1] + 30):
        row = rows[max(place for place, first in enumerate(ends) if first <= margin)]
        worth = victory_points(VpScale(scale), margin, boards)
        assert row[1:] == [f"{worth.ours / 100:.2f}", f"{worth.theirs / 100:.2f}"], margin


async def test_victory_points_of_the_official_table(api):
    text = (await read(api, "/zh/rules?scale=wbf&boards=16")).body
    rows = tables(text.partition('id="vp"')[2].partition('id="grades"')[0])[""]
    found = {row[0]: row[1:] for row in rows if len(row) == 3}
    with (DATA / "vp_wbf_continuous.csv").open() as file:
        golden = [row for row in csv.DictReader(file) if row["boards"] == "16"]
    told = [row for row in golden if row["imps"] in found]
    assert len(told) > 50
    for row in told:
        assert found[row["imps"]] == [row["official_winner"], row["official_loser"]]


@pytest.mark.parametrize("query", ["scale=old25", "scale=x", "boards=x", "boards=101", "boards=-1"])
async def test_tables_that_there_are_not_are_refused(api, query):
    assert (await read(api, f"/en/rules?{query}")).status == 422


async def test_grades_are_those_of_the_api(api):
    told = (await api.get("grades")).body["grades"]
    for language, name in (("en", "english"), ("zh", "chinese")):
        text = (await read(api, f"/{language}/rules")).body.partition('id="grades"')[2]
        rows = [row for row in tables(text)[""] if row[0].isdecimal()][:12]
        assert [row[0] for row in rows] == [str(number) for number in range(1, 13)]
        for row, grade in zip(rows, told, strict=True):
            assert row[1:] == [grade[name], str(grade["masterpoints"])]


async def test_grades_are_called_what_the_installation_calls_them(serve):
    mine = {"en": [f"Step {number}" for number in range(1, 13)], "zh": [f"级别{n}" for n in range(1, 13)]}
    server = await serve(grade_names=mine)
    told = (await server.api.get("grades")).body["grades"]
    assert [[row["english"], row["chinese"]] for row in told] == [
        list(two) for two in zip(*mine.values(), strict=False)
    ]
    await server.api.put("players/ann", {"name": "Ann"})
    for language, names in mine.items():
        text = (await read(server.api, f"/{language}/rules")).body.partition('id="grades"')[2]
        rows = [row for row in tables(text)[""] if row[0].isdecimal()][:12]
        assert [row[1] for row in rows] == names
        player = (await read(server.api, f"/{language}/players/ann")).body
        assert names[0] in player
        assert "Ungraded" not in player
        assert "无等级" not in player


async def test_master_points_by_place_are_those_of_the_golden_file(api):
    for language, more in (("en", " and more"), ("zh", " 及以上")):
        text = (await read(api, f"/{language}/rules")).body.partition('id="masterpoints"')[2]
        (table, *_) = tables(text).values()
        shown, most = {}, 0
        for pairs, points in table[1:]:
            first, _, last = pairs.removesuffix(more).strip().partition("–")
            most = 41 if pairs.endswith(more) else int(last or first) + 1
            shown |= dict.fromkeys(range(int(first), most), tuple(map(int, points.split(", "))))
        golden = {case["n"]: case["expected"] for case in vectors("swiss/masterpoints.json")["cases"]}
        assert most == 41
        assert shown == {pairs: tuple(golden[pairs]) for pairs in range(1, 41)}


async def test_the_scale_of_imps_is_that_of_the_golden_file(api):
    found = tables((await read(api, "/zh/rules")).body.partition('id="datum"')[0])[""]
    with (DATA / "imps.csv").open() as file:
        golden = {int(row["diff"]): int(row["imps"]) for row in csv.DictReader(file)}
    rows = [row for row in found if row[0].isdecimal()]
    assert [int(row[0]) for row in rows] == list(range(25))
    for worth, span in rows:
        low, _, high = span.replace("及以上", "").partition("–")
        for difference in filter(str.strip, (low, high)):
            assert golden.get(int(difference), int(worth)) == int(worth)


async def test_the_trimming_schedule_is_that_of_the_golden_file(api):
    rows = tables((await read(api, "/en/rules")).body)["Results left out at each end"]
    shown = {}
    for span, dropped in rows[1:]:
        first, _, last = span.partition("–")
        shown |= dict.fromkeys(range(int(first), int(last or first) + 1), int(dropped))
    with (DATA / "trim_schedule.csv").open() as file:
        golden = {int(row["results"]): int(row["drop_each_end"]) for row in csv.DictReader(file)}
    assert {count: golden[count] for count in shown} == shown
    assert max(shown) == 40


async def test_the_example_is_as_an_independent_reckoning_has_it(api):
    rows = tables((await read(api, "/en/rules")).body)["Six results, all figures for North–South"]
    scores = [420, -50, 430, -300, 150, -50]
    assert [int(row[0].split()[0]) for row in rows[1:]] == scores
    assert [row[0].split()[1:] for row in rows[1:]] == [[], [], ["dropped"], ["dropped"], [], []]
    for row, score in zip(rows[1:], scores, strict=True):
        against = [oracle.imps(score - other) for other in scores]
        assert row[1:4] == [f"{score - 120:+}", f"{oracle.imps(score - 120):+}", f"{sum(against):+}"]
        assert row[4] == f"{sum(against) / 5:+.2f}"
        points = sum((score > other) * 2 + (score == other) for other in scores) - 1
        assert row[5:] == [str(points), f"{points * 10:.2f}"]


async def test_the_glossary_has_both_languages(api):
    for language, word, other in (("en", "declarer", "庄家"), ("zh", "庄家", "declarer")):
        text = check((await read(api, f"/{language}/rules")).body).text
        assert re.search(rf"{word}\s+{other}", text)


def part_of(text, name):
    """What is written in a section, on one line."""
    part = text.partition(f'<h2 id="{name}">')[2].partition("</section>")[0]
    return " ".join(Page(f"<h2>{part}").text.split())


async def test_how_events_are_held_is_told_in_the_numbers_of_an_event(server):
    """Those of an event that was announced without any of its own."""
    day = Day(server)
    told = (await day.announce(rounds=2, boards=8))["rules"]
    minutes = {name: f"{told[name] / 60:g} min" for name in ("closing_s", "absent_s", "last_board_s")}
    text = part_of((await read(server.api, "/en/rules")).body, "events")
    assert f"not at its table {minutes['absent_s']} after the start of a round is absent" in text
    assert f"no board is dealt when less than {minutes['last_board_s']} are left" in text
    assert f"arrives within {minutes['closing_s']} after it" in text
    minutes, seconds = divmod(told["round_s"] / told["boards"], 60)
    assert f"A round lasts {minutes:g} min {seconds:g} s a board" in text
    share, of = told["completed"]
    assert f"Ranked are pairs that finished at least {100 * share / of:g}% of the boards" in text
    assert "is worth 12.00 victory points, 60% on each board" in text
    assert "1.7228 × √n over n boards" in text  # the golden figure of test_swiss_golden.py
    assert "North–South at tables 1, 2, 5, 6, 9, 10 …" in text
    assert "60, 50 or 40%, or 2.5, 0 or −2.5 IMPs" in text
    assert "(M + 1) × E ÷ A − 1" in text
    assert "less than 0.05 for no difference" in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("warning", "deduction", "suspension", "taken from the total", "Win rate", "Boards finished")),
        ("zh", ("警告", "扣分", "禁赛", "总分里扣除", "胜率", "中途离开")),
    ],
)
async def test_penalties_and_figures_of_players_are_defined(api, language, words):
    text = (await read(api, f"/{language}/rules")).body
    check(text)
    written = " ".join(Page(text).text.split())
    assert [word for word in words if word not in written] == []
    assert "above 50%, 50%" in written or language == "zh"


async def test_what_helps_in_the_head_is_near_the_golden_curve(api):
    with (DATA / "vp_one_board_parabola.csv").open() as file:
        golden = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    text = (await read(api, "/en/rules")).body
    below = -min(row["error"] for row in golden if row["imps_per_sqrt_board"] <= 5)
    above = max(row["error"] for row in golden)
    said = part_of(text, "vp")
    assert (
        f"never more than {below:.2f} below the curve, and up to 15 never more than {above:.2f} above it"
        in said
    )
    rows = [row for row in tables(text)["Margins over one board"] if row[0].isdecimal()]
    assert [row[0] for row in rows] == [str(points) for points in range(10, 21)]
    assert [row[2] for row in rows] == [
        "0.0",
        "0.8",
        "1.7",
        "2.7",
        "3.8",
        "5.0",
        "6.4",
        "8.0",
        "10.0",
        "12.0",
        "15.0",
    ]
    for points, exact, rounded, parabola in rows:
        x = float(exact)
        assert abs(x - float(rounded)) < 0.2
        assert float(parabola) == pytest.approx(10 + x + x * (5 - x) / 30, abs=0.00501)
        near = min(golden, key=lambda row: abs(row["imps_per_sqrt_board"] - x))
        assert near["exact"] == pytest.approx(float(points), abs=0.07)


async def test_what_is_signed_how_and_what_follows_the_order_is_told(api):
    written = " ".join(Page((await read(api, "/en/rules")).body).text.split())
    assert "Travellers and results are signed for North–South; scorecards" in written
    assert "The field score does not depend on the order in which results arrive; the award does." in written
    assert "On all scales but the linear one, the IMPs a point takes grow with the square root" in written
