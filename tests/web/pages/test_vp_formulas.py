"""Formulas of victory points as pages write them: reckoned by what is written, they give what is scored."""

import re
from fractions import Fraction
from math import floor, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.vp_scale import PAIRS_SCALES, VpScale, victory_points
from server.web.pages.vp_formulas import formula, worked
from tests.event_days import Day
from tests.web.page import Page, check, read
from tests.web.pages.test_events import held, page

TAU = (1 + sqrt(5)) / 2
MARGINS = st.fractions(-60, 60, max_denominator=40)


def reckoned(written, **letters):
    """The value of a formula, by nothing but what is written."""
    text = str(written).replace("<sup>", "**(").replace("</sup>", ")")
    for sign, other in (("×", "*"), ("÷", "/"), ("−", "-"), ("τ", "TAU")):
        text = text.replace(sign, other)
    text = re.sub(r"√(\w+)", r"sqrt(\1)", text)
    text = re.sub(r"(\d)sqrt", r"\1*sqrt", text)
    return eval(text, {"TAU": TAU, "sqrt": sqrt, **letters})


def hundredths(value):
    """To the nearest hundredth, halves up."""
    return floor(100 * value + 0.5) / 100


@given(MARGINS, st.integers(1, 40))
def test_the_formula_of_2003_gives_what_is_scored(margin, boards):
    found, points = (
        worked(VpScale.BETHE2003, margin, boards),
        victory_points(VpScale.BETHE2003, margin, boards),
    )
    for value in (
        reckoned(found.formula.loser),
        reckoned(formula(VpScale.BETHE2003).loser, IMP=float(abs(margin)), n=boards),
    ):
        assert hundredths(value) == pytest.approx(found.raw, abs=1e-9)
    winner, loser = min(20 - found.raw, 20), max(found.raw, -2)
    assert (found.winner, found.loser) == (pytest.approx(winner), pytest.approx(loser))
    assert sorted((points.ours, points.theirs)) == [round(100 * loser), round(100 * winner)]


@given(MARGINS, st.integers(1, 40))
def test_the_formula_of_the_wbf_gives_what_is_scored(margin, boards):
    found = worked(VpScale.WBF_FORMULA, margin, boards)
    points = victory_points(VpScale.WBF_FORMULA, margin, boards)
    value = reckoned(found.formula.winner)
    if abs(margin) < 15 * sqrt(boards):
        assert hundredths(value) == pytest.approx(found.winner, abs=1e-9)
    else:
        assert (value >= 20 - 1e-9, found.winner) == (True, 20)
    assert max(points.ours, points.theirs) == round(100 * found.winner)
    assert found.loser == pytest.approx(20 - found.winner)


@given(MARGINS, st.integers(1, 40), st.sampled_from([VpScale.WBF, VpScale.WBF_DISCRETE, VpScale.LINEAR]))
def test_tables_are_read_at_whole_imps(margin, boards, scale):
    found = worked(scale, margin, boards)
    assert found.rounded == floor(abs(margin) + Fraction(1, 2))
    points = victory_points(scale, found.rounded, boards)
    assert (found.winner, found.loser) == (points.ours / 100, points.theirs / 100)
    assert found.formula.loser is found.formula.winner is None


@pytest.mark.parametrize("scale", PAIRS_SCALES)
async def test_the_rules_say_how_each_scale_is_reckoned(api, scale):
    for language in ("en", "zh"):
        text = (await read(api, f"/{language}/rules?scale={scale}")).body
        check(text)
        part = text.partition('id="vp"')[2].partition('id="grades"')[0]
        told = formula(scale)
        assert ("τ<sup>" in part) == (scale != VpScale.LINEAR)
        assert str(told.loser or told.winner or "") in part


async def test_a_scorecard_shows_how_imps_became_victory_points(server):
    day = await held(server)
    seen = 0
    for entry in range(1, 8):
        text = await page(day, f"/entries/{entry}")
        for each in (await day.get(f"entries/{entry}"))["rounds"]:
            if each["sum"] is None:
                continue
            told = text.partition(f'id="sum-{each["round"]}"')[2].partition("</details>")[0]
            loser = reckoned(re.search(r"loser = (.*?) = ", told)[1])
            winner = 20 - hundredths(loser)
            own = min(winner, 20) if each["sum"]["total"] >= 0 else max(hundredths(loser), -2)
            assert own == pytest.approx(each["score"], abs=1e-9)
            assert f"= {winner:.2f}" in told.replace("\N{MINUS SIGN}", "-")
            seen += 1
    assert seen == 18
    assert str(formula(VpScale.BETHE2003).loser) in await page(day, "/vp")


@pytest.mark.parametrize(
    ("scoring", "sat_out", "absent"),
    [
        ("vp", "That is worth 12.00 victory points.", "That is worth no victory points."),
        ("matchpoints", "That is worth 60% on each board.", "That is worth nothing on each board."),
        (
            "cross_imps",
            "That is worth the margin of 12 victory points: 1.7228 × √2 = 2.44 IMPs.",
            "That costs the margin that is worth 12 victory points: 1.7228 × √2 = 2.44 IMPs.",
        ),
        (
            "total_imp",
            "1.7228 × √2 = 2.44 IMPs, for each of the 0 other tables.",
            "1.7228 × √2 = 2.44 IMPs, for each of the 0 other tables.",
        ),
    ],
)
async def test_rounds_that_were_not_played_say_what_they_are_worth(server, scoring, sat_out, absent):
    """Of five pairs one sits out, and of each match one pair comes."""
    day = Day(server)
    await day.announce(scoring=scoring, rounds=1, boards=2)
    await day.enter(range(1, 6))
    await day.until("running", 1)
    for match in (await day.get("rounds/1"))["tables"][:2]:
        for player in (f"a{match['ns']}", f"b{match['ns']}"):
            await day.post(f"tables/{match['table']}/arrive", {"player": player})
    await day.until("finished")
    said = {
        "sit_out": f"The pair sat out. {sat_out}" if scoring != "total_imp" else sat_out,
        "opponents_absent": "The opponents did not come.",
        "absent": f"The pair did not come. {absent}" if scoring != "total_imp" else absent,
    }
    kinds = set()
    for entry in range(1, 6):
        (each,) = (await day.get(f"entries/{entry}"))["rounds"]
        kinds.add(each["kind"])
        text = " ".join(Page(await page(day, f"/entries/{entry}")).text.split())
        assert said[each["kind"]] in text
        finished = (
            "None of its boards counts as finished."
            if each["kind"] == "absent"
            else "Its 2 boards count as finished."
        )
        assert finished in text
    assert kinds == {"sit_out", "opponents_absent", "absent"}
