"""Two thousand random events, each judged by a checker of its own; the seed is told where one is wrong."""

import copy
from functools import cache

import pytest

from tests.bridge.swiss_checker import EXACT, Fault, check
from tests.bridge.swiss_events import RandomEvent

EVENTS, AT_A_TIME = 2000, 50


@cache
def events():
    """Some of them, to be looked at only."""
    return [RandomEvent(seed).play() for seed in range(300)]


@pytest.mark.parametrize("first", range(0, EVENTS, AT_A_TIME))
def test_random_events(first):
    for seed in range(first, first + AT_A_TIME):
        check(RandomEvent(seed).play())


def test_the_events_are_of_every_kind():
    logs = events()
    rounds = [this for log in logs for this in log.rounds]
    assert sum(bool(log.withdrawn_after) for log in logs) > 50
    assert sum(max(log.first_rounds.values()) > 1 for log in logs) > 30
    assert sum(any(this.absent for this in log.rounds) for log in logs) > 50
    assert sum(len(this.sit_outs) for this in rounds) > 200
    assert sum(bool(log.ready_before) for log in logs) > 20
    assert sum(len(log.rounds) < log.rounds_planned for log in logs) > 5
    assert sum(len(this.order) == 2 for this in rounds) > 10
    assert max(len(this.order) for this in rounds) > 30
    assert sum(any(rank is None for _, rank in log.final) for log in logs) > 30


def test_an_event_follows_from_its_seed():
    assert RandomEvent(5).play() == RandomEvent(5).play()


def swap_opponents(log):
    """The first two tables of the last round exchange their lower ranked pairs."""
    this = log.rounds[-1]
    (a, b), (c, d), *rest = this.matches
    this.matches = [(a, d), (c, b), *rest]
    this.seats = this.matches


def swap_order(log):
    order = log.rounds[-1].order
    order[0], order[1] = order[1], order[0]


def name_twice(log):
    log.rounds[-1].sit_outs.append(log.rounds[-1].order[0])


def leave_out(log):
    log.rounds[-1].matches.pop()
    log.rounds[-1].seats.pop()


def let_another_sit_out(log):
    """Whoever sat out in the round before does so again."""
    this, again = log.rounds[-1], log.rounds[-2].sit_outs[0]
    instead = this.sit_outs[0]
    this.sit_outs = [again]
    this.matches = [tuple(instead if pair == again else pair for pair in match) for match in this.matches]
    this.seats = this.matches


def repeat_the_last_round(log):
    this, before = log.rounds[-1], log.rounds[-2]
    this.matches, this.seats, this.sit_outs = before.matches, before.seats, before.sit_outs


def let_a_stranger_play(log):
    log.rounds[-1].order.append(99)
    log.rounds[-1].sit_outs.append(99)


def rank_wrongly(log):
    log.final = log.final[::-1]


FAULTS = [
    *(swap_opponents, swap_order, name_twice, leave_out, let_another_sit_out, repeat_the_last_round),
    *(let_a_stranger_play, rank_wrongly),
]


def suitable(log):
    return (
        len(log.rounds) >= 3
        and len(log.rounds[-1].order) >= 7
        and log.rounds[-1].sit_outs
        and set(log.rounds[-1].order) == set(log.rounds[-2].order)
        and not any(this.absent for this in log.rounds)
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_the_checker_sees_what_is_wrong(fault):
    """Each fault put into some good event is found; small fields are checked to the last place."""
    small = [log for log in events() if suitable(log) and len(log.rounds[-1].order) <= EXACT]
    assert len(small) >= 3
    for log in small:
        wrong = copy.deepcopy(log)
        fault(wrong)
        with pytest.raises(Fault, match=f"seed {log.seed}"):
            check(wrong)
