"""How long it is until something, in units that people read."""

from datetime import timedelta

import pytest

from server.web.moments import clock_parts, parts
from server.web.numbers import shortest


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (timedelta(days=2, hours=3, minutes=4, seconds=5, milliseconds=999), (2, 3, 4, 5)),
        (timedelta(seconds=59), (0, 0, 0, 59)),
        (timedelta(minutes=60), (0, 1, 0, 0)),
        (timedelta(0), (0, 0, 0, 0)),
        (timedelta(seconds=-1), (0, 0, 0, 0)),
        (timedelta(days=-3), (0, 0, 0, 0)),
    ],
)
def test_what_is_left_in_days_hours_minutes_and_seconds(span, expected):
    assert clock_parts(span) == expected
    assert parts(span) == expected[:3]


def test_numbers_without_decimals_that_say_nothing():
    assert [shortest(value) for value in (60.0, 7.5, -0.25, 1 / 3)] == ["60", "7.5", "−0.25", "0.3333333333"]
