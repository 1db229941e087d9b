"""Random Swiss events, as many as there is time for: each round, and what comes of it, as the rules have it.

Each event has a seed of its own, which a fault names; `tests.event_story` tells it, `tests.event_judge`
judges it. They are held through the services, in this process, on a clock that stands; at the end
`crossruff verify` computes everything again.
"""

from collections import Counter
from dataclasses import dataclass

import structlog

from server.services import bulletins
from server.storage.database import open_database
from tests.bridge.swiss_checker import Log
from tests.clock import StandingClock
from tests.event_hands import AtTheDesk
from tests.event_judge import judge
from tests.event_story import Story
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import command


@dataclass(frozen=True)
class Profile:
    """How much."""

    events: int
    largest: int = 20  # pairs


SHORT = Profile(events=3, largest=8)
DEFAULT = Profile(events=200)
LONG = Profile(events=5000, largest=40)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """One event after another."""
    database = open_database(place.url)
    found: Counter[str] = Counter()
    try:
        with structlog.testing.capture_logs():
            hands = await AtTheDesk.open(database, StandingClock())
            for seed in range(run.seed, run.seed + profile.events):
                try:
                    diary = await Story(hands, seed, profile.largest).tell()
                    _count(found, await judge(hands, diary, seed))
                except Exception as error:
                    run.fault(f"event {seed}:", type(error).__name__, error)
                run.step(f"event {seed}, {len(run.faults)} faults")
        while await bulletins.number_shared(database):
            pass
    finally:
        await database.close()
    verified = await command(place, "verify")
    run.check(verified.returncode == 0, verified.stdout, verified.stderr)
    run.figures |= dict(found)


def _count(found: Counter[str], log: Log) -> None:
    """What there was in an event."""
    found["events"] += 1
    found["rounds"] += len(log.rounds)
    found["rounds with a sit-out"] += sum(bool(this.sit_outs) for this in log.rounds)
    found["rounds paired by hand"] += sum(this.by_hand for this in log.rounds)
    found["rounds with somebody absent"] += sum(bool(this.absent) for this in log.rounds)
    found["pairs that left"] += len(log.withdrawn_after)
    found["pairs that came late"] += sum(first > 1 for first in log.first_rounds.values())


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
