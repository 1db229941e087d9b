"""What a demonstration is made from."""

from dataclasses import replace
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from server.bridge.week import Week, week_of
from server.demo.plan import BEGINS, LIVE, Plan
from server.settings import load_settings, parse_clock

PLAN = Plan(seed=1, players=60, weeks=12, speed=120.0)


def test_it_begins_in_the_middle_of_the_live_week():
    assert week_of(BEGINS, ZoneInfo("Asia/Shanghai")) == LIVE
    assert LIVE.opens_at(load_settings().zone) < BEGINS < LIVE.closes_at(load_settings().zone)


@pytest.mark.parametrize("speed", [1.0, 1.5, 120.0, 10_000.0])
def test_its_clock_is_a_setting(speed):
    plan = replace(PLAN, speed=speed)
    assert parse_clock(plan.clock) == (BEGINS, speed)
    load_settings(clock=plan.clock)


def test_weeks_are_counted_from_the_first():
    assert PLAN.first == Week(2026, 36)
    assert [PLAN.number(LIVE.plus(weeks)) for weeks in (-12, -1, 0, 5, 60)] == [0, 11, 12, 17, 72]


def test_deals_are_whole_and_follow_from_seed_week_and_pool():
    given = PLAN.deals(LIVE, "imps")
    assert [board.number for board in given] == list(range(1, PLAN.boards()["imps"] + 1))
    assert all(board.deal.complete for board in given)
    assert given == PLAN.deals(LIVE, "imps")
    others = [
        PLAN.deals(LIVE, "mp"),
        PLAN.deals(LIVE.plus(1), "imps"),
        replace(PLAN, seed=2).deals(LIVE, "imps"),
    ]
    assert len({str(deals[0].deal) for deals in (given, *others)}) == 4
    assert replace(PLAN, weeks=3, speed=1.0).deals(LIVE, "imps") == given


def test_bigger_worlds_have_more_boards():
    sizes = [replace(PLAN, players=players).boards() for players in (40, 400, 2000)]
    assert all(small[pool] <= big[pool] for small, big in pairwise(sizes) for pool in small)
    assert sizes[0]["imps"] < sizes[2]["imps"]
