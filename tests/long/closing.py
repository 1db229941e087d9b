"""Closing a week, killed at every step: whoever comes next ends it, with the figures of an undisturbed run.

Some weeks are played; once they are closed without disturbance. Then all that is forgotten, and they are
closed by processes that are killed, the first after its first transaction, the next after its second, until
one comes to its end. Meanwhile the last published revision stays readable, and results are taken in.
"""

import asyncio
import sys
from dataclasses import dataclass
from datetime import timedelta

from server.storage.database import open_database
from tests.clock import NOON, StandingClock
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import ROOT
from tests.services.played_weeks import FIRST, ONE_POOL, Played, chance, end, report

FORGOTTEN = ("rating_sums", "ratings", "snapshots", "weeks")
LATER = timedelta(hours=4)


@dataclass(frozen=True)
class Profile:
    """How much."""

    weeks: int
    boards: int
    tables: int  # of each board


SHORT = Profile(weeks=1, boards=2, tables=4)
DEFAULT = Profile(weeks=2, boards=10, tables=8)
LONG = Profile(weeks=6, boards=200, tables=8)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """The whole program over one database."""
    database = open_database(place.url)
    played = Played(database, StandingClock(NOON), dict(ONE_POOL))
    for number in range(profile.weeks):
        await _play_week(run, played, number, profile)
    due = end(FIRST.plus(profile.weeks - 1), hours=4)
    played.clock.set(due)
    await played.closing().close_due()
    undisturbed = await _published(played)
    run.check(len(undisturbed) == profile.weeks, "closed were", undisturbed)
    for table in FORGOTTEN:
        await played.run(f"DELETE FROM {table}")
    killed, last = 0, False
    while not last:
        code = await _closer(place.url, due.isoformat(), killed + 1)
        last = code == 0
        killed += not last
        run.check(code in (0, -9), "the closer ended with", code)
        found = await _published(played)
        run.check(found == undisturbed[: len(found)], "published is", found, "after", killed, "kills")
        run.check(await _is_whole(played), "a published snapshot lacks rows after", killed, "kills")
        due += timedelta(minutes=3)  # whoever was closing is taken to have ended
        run.step()
    run.check(await _published(played) == undisturbed, "in the end published is", await _published(played))
    run.figures["closers killed until one came to its end"] = killed
    run.figures["weeks with the checksums of an undisturbed run"] = len(undisturbed)
    await database.close()


async def _play_week(run: Run, played: Played, number: int, profile: Profile) -> None:
    week = FIRST.plus(number)
    played.clock.set(max(played.clock.now(), end(week.plus(-1))))
    crowd = [f"p{i}" for i in range(4 * profile.tables)]
    for index, board in enumerate(await played.boards(week, count=profile.boards), 1):
        run.rng.shuffle(crowd)
        seated = [tuple(crowd[i : i + 4]) for i in range(0, len(crowd), 4)]
        await played.played(*(report(board, four, chance(run.rng, index)) for four in seated))


async def _closer(url: str, instant: str, transactions: int) -> int:
    told = (sys.executable, "-m", "tests.long.closer", url, instant, str(transactions))
    process = await asyncio.create_subprocess_exec(*told, cwd=ROOT)
    return await process.wait()


async def _published(played: Played) -> list[tuple[object, ...]]:
    """Week, revision and checksum of what is published, oldest week first."""
    return await played.rows(
        "SELECT w.week, w.revision, s.checksum FROM weeks AS w JOIN snapshots AS s ON s.id = w.snapshot "
        "WHERE w.revision > 0 ORDER BY w.week"
    )


async def _is_whole(played: Played) -> bool:
    """Whether every published snapshot has all its rows."""
    rows = await played.rows(
        "SELECT s.players, (SELECT count(*) FROM ratings AS r WHERE r.snapshot = s.id) FROM snapshots AS s "
        "WHERE s.revision IS NOT NULL"
    )
    return all(players == there for players, there in rows)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
