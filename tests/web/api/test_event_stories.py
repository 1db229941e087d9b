"""Random Swiss events over HTTP: each round, and what comes of it, as the rules have it."""

from tests.event_hands import Remote
from tests.event_judge import judge
from tests.event_story import Story


async def test_random_events(server):
    hands = Remote(server)
    for seed in (3, 8, 11):
        try:
            diary = await Story(hands, seed, largest=8).tell()
            log = await judge(hands, diary, seed)
        except Exception as error:
            error.add_note(f"the event with seed {seed}")
            raise
        assert log.rounds
