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


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_few_on_the_other_database(database, clock):
    await told(database, clock, range(100, 104), largest=10)
