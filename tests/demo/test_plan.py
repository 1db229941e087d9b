"""What a demonstration is made from."""

from dataclasses import replace
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from server.bridge.week import Week, week_of
from server.demo.plan import BEGINS, LIVE, Plan
from server.demo.settings import arguments
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


def test_boards_are_retired_with_as_many_results_as_can_come():
    """A board that is retired has used up four players for each result; forty as usual, where that can be."""
    for players in (40, 60, 120, 280, 2000):
        plan = replace(PLAN, players=players)
        assert 8 <= plan.retire_at <= 40
        assert 4 * plan.retire_at <= 0.8 * players
    assert (replace(PLAN, players=2000).retire_at, replace(PLAN, players=40).retire_at) == (40, 8)


def test_its_settings_are_the_defaults_whatever_the_operator_has_set(monkeypatch, tmp_path):
    monkeypatch.setenv("CROSSRUFF_WEEK_ZONE", "Europe/Tallinn")
    monkeypatch.setenv("CROSSRUFF_RATING", '{"shield_boards": 3}')
    monkeypatch.setenv("CROSSRUFF_PORT", "8123")
    settings = load_settings(**arguments(PLAN, tmp_path))
    assert (settings.week_zone, settings.rating.shield_boards) == ("Asia/Shanghai", 50)
    assert (settings.port, settings.data_dir, settings.clock) == (8123, tmp_path, PLAN.clock)
    assert settings.week_boards >= max(PLAN.boards().values())
    assert settings.all_pools()["imps"].terms.retire_at == PLAN.retire_at


def test_bigger_worlds_have_more_boards():
    sizes = [replace(PLAN, players=players).boards() for players in (40, 400, 2000)]
    assert all(small[pool] <= big[pool] for small, big in pairwise(sizes) for pool in small)
    assert sizes[0]["imps"] < sizes[2]["imps"]
