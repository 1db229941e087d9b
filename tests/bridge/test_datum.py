"""The datum: trimmed mean to the nearest ten."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.datum import (
    ACBLSCORE,
    COMPSCORE,
    TENTH,
    UNTRIMMED,
    datum,
    datum_value,
    parse_schedule,
)
from server.bridge.errors import NotUnderstood
from tests.bridge import golden, oracle
from tests.strategies import fields, scores, trim_schedules, weighted_scores

exact_fields = st.lists(scores | weighted_scores().map(lambda score: score.mean), min_size=1, max_size=40)


def test_every_row_of_the_golden_trimming_schedule():
    for row in golden.rows("trim_schedule.csv"):
        results, drop = int(row["results"]), int(row["drop_each_end"])
        assert TENTH.drop(results) == drop
        found = datum(range(0, 10 * results, 10))
        assert (found.kept, found.dropped.count(True)) == (int(row["kept"]), 2 * drop)
    assert [row["results"] for row in golden.rows("trim_schedule.csv")] == [str(n) for n in range(1, 61)]


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (TENTH, {1: 0, 3: 0, 4: 1, 6: 1, 10: 1, 11: 2, 20: 2, 21: 3, 30: 3, 31: 4, 40: 4}),
        (COMPSCORE, {1: 0, 3: 0, 4: 1, 5: 1, 20: 1, 40: 1, 100: 1}),
        (ACBLSCORE, {1: 0, 2: 0, 3: 1, 20: 1, 21: 2, 40: 2, 41: 3}),
        (UNTRIMMED, {1: 0, 6: 0, 40: 0}),
        (parse_schedule("4:1 11:2 21:3"), {3: 0, 4: 1, 10: 1, 11: 2, 20: 2, 21: 3, 40: 3}),
    ],
)
def test_schedules_on_both_sides_of_their_steps(schedule, expected):
    assert {results: schedule.drop(results) for results in expected} == expected


def test_schedules_are_read_by_name_or_table():
    presets = {"tenth": TENTH, "compscore": COMPSCORE, "acblscore": ACBLSCORE, "none": UNTRIMMED}
    assert {text: parse_schedule(text) for text in presets} == presets
    assert parse_schedule("4:1 11:2").text == "4:1 11:2"


@pytest.mark.parametrize(
    "text",
    ["", "half", "4", "4:", ":1", "4:1:2", "4:x", "-4:1", "2:1", "4:2", "4:1 4:1", "11:2 4:1", "11:2 20:1"],
)
def test_other_schedules_are_refused(text):
    with pytest.raises(NotUnderstood) as refused:
        parse_schedule(text)
    assert refused.value.text == text


@given(trim_schedules, st.integers(1, 200))
def test_something_is_always_kept_and_no_schedule_ever_falls(schedule, results):
    assert 0 <= 2 * schedule.drop(results) < results
    assert schedule.drop(results) <= schedule.drop(results + 1)


@pytest.mark.parametrize(
    ("scores", "value"),
    [
        ((-440, -450), -450),
        ((0, -10), -10),
        ((0, 10), 10),
        ((440, 450), 450),
        ((180, 190), 190),
        ((-180, -190), -190),
        ((0,), 0),
        ((0, 0, 10), 0),
        ((650, 170, 200), 340),
    ],
)
def test_halves_go_away_from_zero(scores, value):
    assert datum(scores, UNTRIMMED).value == value


def test_acblscore_takes_halves_to_the_even_ten():
    def at_even(*scores):
        return datum(scores, ACBLSCORE).value

    assert (at_even(440, 450), at_even(450, 460), at_even(0, 10)) == (440, 460, 0)
    assert (at_even(-440, -450), at_even(-450, -460), at_even(0, -10)) == (-440, -460, 0)


def test_instances_are_dropped_not_values():
    found = datum([620, 620, 620, 140, 140, 140])
    assert (found.value, found.kept_total, found.kept) == (380, 1520, 4)
    # of equal ones the earliest at the bottom, the latest at the top
    assert found.dropped == (False, False, True, True, False, False)


def test_nothing_is_dropped_from_three():
    assert datum([1430, -1100, 0]).dropped == (False, False, False)


@given(fields(), trim_schedules)
def test_as_recomputed(field, schedule):
    if not schedule.half_even:
        assert datum(field, schedule).value == oracle.datum(field, schedule.drop(len(field)))


@given(exact_fields)
def test_as_recomputed_with_weighted_means(field):
    assert datum(field).value == oracle.datum(field, TENTH.drop(len(field)))


@given(exact_fields, trim_schedules)
def test_east_west_is_exactly_the_negative(field, schedule):
    ours, theirs = datum(field, schedule), datum([-score for score in field], schedule)
    assert theirs.value == -ours.value
    assert theirs.kept_total == -ours.kept_total


@given(st.data(), fields(), trim_schedules)
def test_order_of_arrival_does_not_matter(data, field, schedule):
    other = datum(data.draw(st.permutations(field)), schedule)
    ours = datum(field, schedule)
    assert (other.value, other.kept_total, other.kept) == (ours.value, ours.kept_total, ours.kept)


@given(fields(), trim_schedules)
def test_what_is_dropped_lies_outside_what_is_kept(field, schedule):
    found = datum(field, schedule)
    kept = [score for score, dropped in zip(field, found.dropped, strict=True) if not dropped]
    gone = [score for score, dropped in zip(field, found.dropped, strict=True) if dropped]
    assert (len(kept), sum(kept)) == (found.kept, found.kept_total)
    k = schedule.drop(len(field))
    assert sorted(field) == sorted(gone)[:k] + sorted(kept) + sorted(gone)[k:]


@given(fields(), trim_schedules)
def test_the_datum_is_a_ten_next_to_the_mean(field, schedule):
    found = datum(field, schedule)
    assert found.value % 10 == 0
    assert abs(found.value - Fraction(found.kept_total) / found.kept) <= 5


@given(exact_fields, trim_schedules)
def test_the_datum_alone_is_the_datum(field, schedule):
    assert datum_value(field, schedule) == datum(field, schedule).value
