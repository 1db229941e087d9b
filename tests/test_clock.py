"""Clocks tell aware moments in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from server.clock import SimulatedClock, SystemClock
from tests.clock import NOON, StandingClock

START = datetime(2020, 2, 29, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize("clock", [SystemClock(), SimulatedClock(START, 60, NOON), StandingClock()])
def test_every_clock_knows_that_it_shows_utc(clock):
    assert clock.now().tzinfo is UTC


def test_the_systems_clock_shows_the_time_of_the_system():
    before = datetime.now(UTC)
    shown = SystemClock().now()
    assert before <= shown <= datetime.now(UTC)


@pytest.mark.parametrize("speed", [1, 60, 0.25, 1_000_000])
def test_a_simulated_clock_runs_at_its_speed_from_its_start(speed):
    created = datetime.now(UTC) - timedelta(seconds=100)
    clock = SimulatedClock(START, speed, created)
    before = datetime.now(UTC)
    shown = clock.now()
    after = datetime.now(UTC)
    assert START + speed * (before - created) <= shown <= START + speed * (after - created)


def test_two_clocks_of_the_same_three_values_agree():
    created = datetime.now(UTC)
    one, two = (SimulatedClock(START, 1000, created) for _ in "12")
    shown = [one.now(), two.now(), one.now(), two.now()]
    assert shown == sorted(shown)
    assert shown[-1] - shown[0] < timedelta(hours=1)


def test_a_simulated_clock_never_runs_backwards():
    clock = SimulatedClock(START, 1_000_000, datetime.now(UTC))
    shown = [clock.now() for _ in range(1000)]
    assert shown == sorted(shown)


def test_a_standing_clock_moves_when_it_is_told():
    clock = StandingClock()
    assert clock.now() == clock.now() == NOON == datetime(2026, 11, 25, 12, tzinfo=UTC)
    clock.advance(timedelta(days=3))
    assert clock.now() == NOON + timedelta(days=3)
    clock.set(datetime(2026, 11, 25, 20, tzinfo=timezone(timedelta(hours=8))))
    assert (clock.now(), clock.now().tzinfo) == (NOON, UTC)
    with pytest.raises(ValueError, match="zone"):
        clock.set(datetime(2026, 11, 25))  # noqa: DTZ001
