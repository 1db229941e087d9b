"""The events of a demonstration: their size, their names, their rules."""

from dataclasses import replace
from datetime import timedelta

import pytest

from server.bridge.swiss_pairing import rounds_without_rematch
from server.demo.plan import BEGINS, Plan
from server.demo.programme import usual

PLAN = Plan(seed=1, players=120, weeks=12, speed=120.0)


@pytest.mark.parametrize("players", [40, 47, 60, 120, 2000])
def test_there_are_pairs_enough_that_nobody_need_meet_twice(players):
    programme = usual(replace(PLAN, players=players))
    assert len(programme.entrants(1)) == programme.pairs >= 5
    assert 2 <= programme.rounds <= min(5, rounds_without_rematch(programme.pairs))


@pytest.mark.parametrize("speed", [1.0, 120.0, 10_000.0])
def test_whoever_looks_on_has_time_to_look(speed):
    programme = usual(replace(PLAN, speed=speed))
    assert programme.board_time >= timedelta(minutes=7, seconds=30)
    assert programme.board_time.total_seconds() / speed >= 2
    body = programme.body(1, BEGINS)
    assert body["start_at"] == (BEGINS + programme.sign_up).isoformat()
    assert 0 < body["last_board_s"] < body["round_s"] <= 1_000_000  # that is what the API takes
    assert body["closing_s"] > 0


def test_an_event_is_known_by_its_name():
    programme = usual(PLAN)
    assert [programme.number(programme.name(number)) for number in (1, 2, 30)] == [1, 2, 30]
    for name in ("Swiss pairs", "Swiss pairs no. 0", "Swiss pairs no. 1 of mine", "Evening pairs"):
        assert programme.number(name) is None
