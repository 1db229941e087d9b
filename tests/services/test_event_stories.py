"""Random Swiss events, held through the services: each round, and what comes of it, as the rules have it."""

import pytest

from tests.event_hands import AtTheDesk
from tests.event_judge import judge
from tests.event_story import Story

EVENTS, AT_A_TIME = 50, 10


async def told(database, clock, seeds, largest=20):
    """Events with these seeds, each judged; what happened in them."""
    hands = await AtTheDesk.open(database, clock)
    logs = []
    for seed in seeds:
        try:
            diary = await Story(hands, seed, largest).tell()
            logs.append(await judge(hands, diary, seed))
        except Exception as error:
            error.add_note(f"the event with seed {seed}")
            raise
    return logs


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("first", range(0, EVENTS, AT_A_TIME))
async def test_random_events(database, clock, first):
    logs = await told(database, clock, range(first, first + AT_A_TIME))
    rounds = [this for log in logs for this in log.rounds]
    assert len(rounds) > 15
    assert any(this.sit_outs for this in rounds)
    assert any(this.absent for this in rounds)
    assert any(log.withdrawn_after for log in logs)
    assert any(rank is None for log in logs for _, rank in log.final)


class Tampered:
    """Reads an event, and changes one thing in what is told."""

    def __init__(self, hands, fault):
        self.hands, self.fault = hands, fault

    async def read(self, event, path):
        told = await self.hands.read(event, path)
        self.fault(path, told)
        return told


def another_total(path, told):
    if path == "standings":
        told["rows"][-1]["score"] += 0.01


def another_order(path, told):
    if path == "standings":
        told["rows"][:2] = told["rows"][1::-1]


def too_many_points(path, told):
    if path == "standings":
        told["rows"][1]["masterpoints"] += 1


def one_result_less(path, told):
    if path == "boards/1":
        told["results"].pop()


def another_score(path, told):
    if path == "boards/1":
        told["results"][0]["score"] += 10


def others_meet(path, told):
    """Two pairs change places; what they got goes with the seats."""
    if path == "rounds/2":
        first, second = told["tables"][:2]
        first["ew"], second["ew"] = second["ew"], first["ew"]


def another_sits_out(path, told):
    if path == "rounds/2":
        told["sit_outs"], told["tables"][-1]["ew"] = [told["tables"][-1]["ew"]], told["sit_outs"][0]


def another_card(path, told):
    if path == "entries/1":
        told["rounds"][0]["finished"] -= 1


FAULTS = [
    *(another_total, another_order, too_many_points, one_result_less, another_score),
    *(others_meet, another_sits_out, another_card),
]
PLAIN = 9  # a seed of seven pairs of whom nobody leaves or stays away


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_the_judge_sees_what_is_wrong(database, clock):
    hands = await AtTheDesk.open(database, clock)
    diary = await Story(hands, PLAIN).tell()
    await judge(hands, diary, PLAIN)
    for fault in FAULTS:
        with pytest.raises(AssertionError):
            await judge(Tampered(hands, fault), diary, PLAIN)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_few_on_the_other_database(database, clock):
    await told(database, clock, range(100, 104), largest=10)
