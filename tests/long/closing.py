"""Closing weeks, killed at any moment, while results are taken in and rulings made: nothing is lost.

Weeks of two pools are played. Processes close them and are killed, each a little later than the one before,
before a transaction or within it, until one comes to its end. Then something is changed, so that there is a
next revision, and it begins again: upon the sums of the joint rating as they were kept, lost, and damaged.
All the time results are posted and directors rule, in time and too late. Whatever a week's last revision
lacks, the week is due; nothing that was published ever changes. In the end everything can be verified, and
the same rows closed without disturbance come to the same checksums.
"""

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import update

from server.bridge.week import Week
from server.services import bulletins, tallies
from server.services.arrivals import Taken
from server.services.verify import verify
from server.services.verify_ratings import verify_ratings
from server.services.verify_totals import verify_totals
from server.storage.database import open_database
from server.storage.week_tables import rating_sums
from tests.clock import NOON, StandingClock
from tests.long import closer
from tests.long.places import Place
from tests.long.program import Run, main
from tests.services.played_weeks import FIRST, Played, chance, end, report

STEP = timedelta(seconds=20)  # from one process to the next
ENDED = timedelta(minutes=3)  # after which whoever was closing is taken to have ended
SUMS = ("kept", "kept", "lost", "damaged")  # of the joint rating, when it begins again; first there are none
PAUSE = 0.03  # seconds from one result to the next
MEANWHILE = 10  # results and rulings while one process runs: the weeks grow no faster than it is killed later


@dataclass(frozen=True)
class Profile:
    """How much."""

    weeks: int
    boards: int  # of each week and pool
    tables: int  # of each board, before the week is over
    stride: int  # moments from one kill to the next, on average


SHORT = Profile(weeks=2, boards=1, tables=4, stride=48)
DEFAULT = Profile(weeks=3, boards=6, tables=8, stride=8)
LONG = Profile(weeks=6, boards=100, tables=8, stride=1)

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.long.closer"])


class Traffic:
    """Results and rulings, through the services, and what was acknowledged."""

    def __init__(self, run: Run, played: Played, profile: Profile) -> None:
        self.run, self.played, self.profile = run, played, profile
        self.weeks = [FIRST.plus(number) for number in range(profile.weeks)]
        self.boards: dict[int, Week] = {}
        self.tables: Counter[int] = Counter()  # by board
        self.acknowledged: list[tuple[int, int]] = []  # board, sequence
        self.void: set[tuple[int, int]] = set()
        self.rulings = 0

    async def play_weeks(self) -> None:
        """What is played before the last week is over."""
        for week in self.weeks:
            self.played.clock.set(max(self.played.clock.now(), end(week.plus(-1))))
            for pool in self.played.pools:
                for board in await self.played.boards(week, pool, self.profile.boards):
                    self.boards[board] = week
                    for _ in range(self.profile.tables):
                        await self.post(board)

    async def post(self, board: int) -> None:
        """One more result of a board, of four who have not played it."""
        four = [f"p{4 * self.tables[board] + seat}" for seat in range(4)]
        self.run.rng.shuffle(four)
        self.tables[board] += 1
        (verdict,) = await self.played.post(report(board, four, chance(self.run.rng, 1)))
        if self.run.check(isinstance(verdict, Taken), "refused was", verdict) and isinstance(verdict, Taken):
            self.acknowledged.append((board, verdict.accepted.sequence))

    async def rule(self, weeks: Sequence[Week], pool: str | None = None) -> None:
        """A result of these weeks is another one, or none."""
        mine = {board for (board,) in await self._boards_of(pool)}
        some = [at for at in self.acknowledged if self.boards[at[0]] in weeks and at[0] in mine]
        board, sequence = self.run.rng.choice([at for at in some if at not in self.void])
        if self.run.rng.random() < 0.7 or len(some) < 8:
            await self.played.rule(board, sequence, chance(self.run.rng, 1))
        else:
            await self.played.rule(board, sequence)
            self.void.add((board, sequence))
        self.rulings += 1

    async def during(self, work: asyncio.Future[int]) -> int:
        """Go on until the work is done. The sums of the first week stay as they are: nobody rules there."""
        for _ in range(MEANWHILE):
            if work.done():
                break
            if self.run.rng.random() < 0.15:
                await self.rule(self.weeks[1:])
            else:
                await self.post(self.run.rng.choice(list(self.boards)))
            await asyncio.sleep(PAUSE)
        return await work

    async def _boards_of(self, pool: str | None) -> list[tuple[int]]:
        if pool is None:
            return [(board,) for board in self.boards]
        return await self.played.rows("SELECT id FROM boards WHERE pool = :pool", pool=pool)


async def play(run: Run, place: Place, profile: Profile) -> None:
    """The whole program over one database."""
    database = open_database(place.url)
    played = Played(database, StandingClock(NOON), dict(closer.TWO_POOLS))
    traffic = Traffic(run, played, profile)
    await traffic.play_weeks()
    played.clock.set(end(traffic.weeks[-1], hours=4))
    before, killed = len(traffic.acknowledged), 0
    for sums in SUMS:
        await _spoil(played, sums)
        killed += await _close(run, place, traffic)
        for pool in played.pools:
            await traffic.rule(traffic.weeks[1:], pool)  # so that there is a next revision
    await _settle(played)
    await _check_end(run, traffic)
    undisturbed = await _closed_again(played)
    found = [(*row[:2], row[3]) for row in await _published(played)]
    run.check(undisturbed[0] == undisturbed[1], "undisturbed they come to", undisturbed)
    run.check(len(found) == 2 * profile.weeks, "closed were", found)
    run.figures["closers killed"] = killed
    run.figures["results posted and rulings made meanwhile"] = (
        f"{len(traffic.acknowledged) - before}, {traffic.rulings}"
    )
    run.figures["weeks with the checksums of an undisturbed run"] = len(found)
    await database.close()


async def _close(run: Run, place: Place, traffic: Traffic) -> int:
    """Close all that is due, by processes that are killed until one comes to its end; how many were."""
    killed, moment, code = 0, 1, -9
    seen: dict[tuple[object, object], tuple[object, ...]] = {}
    while code != 0:
        clock = traffic.played.clock
        process = _forks.Process(target=closer.close, args=(place.url, clock.now(), moment))
        code = await traffic.during(asyncio.ensure_future(asyncio.to_thread(_run, process)))
        if not run.check(code in (0, -9), "the closer ended with", code):
            return killed
        killed += code != 0
        await _check_meanwhile(run, traffic.played, seen, f"killed at {moment}")
        moment += run.rng.randint(1, 2 * traffic.profile.stride - 1)
        clock.advance(STEP)
        run.step(f"{killed} killed, the last at moment {moment}")
    return killed


def _run(process: multiprocessing.process.BaseProcess) -> int:
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


async def _check_meanwhile(
    run: Run, played: Played, seen: dict[tuple[object, object], tuple[object, ...]], when: str
) -> None:
    """What is published is whole, and stays as it is; what it lacks makes its week due."""
    for week, pool, *revision in await _published(played):
        before = seen.setdefault((week, pool), tuple(revision))
        later = isinstance(revision[0], int) and isinstance(before[0], int) and revision[0] > before[0]
        run.check(later or before == tuple(revision), when, week, pool, "was", before, "and is", revision)
        seen[week, pool] = tuple(revision)
    run.check(await _is_whole(played), when, "a published snapshot lacks rows")
    for pool in played.pools:
        due = {str(week) for week in await played.closing().due(pool, taken=True)}
        for week, counted, there in await _counted(played, pool):
            run.check(counted == there or week in due, when, week, pool, counted, "boards of", there)


async def _spoil(played: Played, sums: str) -> None:
    """Lose or damage the sums of the joint rating."""
    if sums == "lost":
        await played.run("DELETE FROM rating_sums")
    if sums == "damaged":
        spoiled = update(rating_sums).values(content=b"damaged")
        await played.database.write(lambda connection: connection.execute(spoiled))


async def _settle(played: Played) -> None:
    """Close the rest, count everything, number every message, and tidy up after those who were killed."""
    played.clock.advance(ENDED)
    closing = played.closing()
    await closing.close_due()
    await closing.tidy()
    while await tallies.refresh(played.database, ""):
        pass
    while await bulletins.number_shared(played.database):
        pass


async def _check_end(run: Run, traffic: Traffic) -> None:
    """Every acknowledged result is there and counted, nothing is left over, everything can be verified."""
    played = traffic.played
    stored = set(await played.rows("SELECT board, sequence FROM results"))
    run.check(stored == set(traffic.acknowledged), "not acknowledged or lost", stored)
    for pool in played.pools:
        run.check(await played.closing().due(pool, taken=True) == (), pool, "is still due")
        for week, counted, there in await _counted(played, pool):
            run.check(counted == there, week, pool, "has", counted, "boards of", there)
    left = await played.rows("SELECT id FROM snapshots WHERE revision IS NULL")
    run.check(not left, "left behind are", left)
    revisions = [revision for _, _, revision, *_ in await _published(played)]
    run.check(max(revisions, default=0) >= len(SUMS), "no more revisions than", revisions)
    now, weeks = played.clock.now(), 0
    for page in [each async for each in verify(played.database, now)]:
        run.check(not page.discrepancies, page.discrepancies)
    for counted in [each async for each in verify_totals(played.database)]:
        run.check(not counted.discrepancies, counted.discrepancies)
    for rated in [each async for each in verify_ratings(played.database, played.pools)]:
        run.check(not rated.discrepancies and not rated.waiting, rated)
        weeks += rated.weeks
    run.check(weeks == 2 * traffic.profile.weeks, "only so many weeks were verified:", weeks)


async def _closed_again(played: Played) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Weeks, pools and checksums before and after all ratings are forgotten, but for what was late."""
    found = []
    for again in (False, True):
        if again:
            await played.run("UPDATE weeks SET revision = 0, snapshot = NULL, changes = 0, closing_at = NULL")
            for table in ("rating_sums", "ratings", "snapshots"):
                await played.run(f"DELETE FROM {table}")
            await played.closing().close_due()
        found.append([(week, pool, checksum) for week, pool, _, checksum in await _published(played)])
    return found[0], found[1]


async def _published(played: Played) -> list[tuple[object, ...]]:
    """Week, pool, revision and checksum of what is published, oldest week first."""
    return await played.rows(
        "SELECT w.week, w.pool, w.revision, s.checksum FROM weeks AS w JOIN snapshots AS s "
        "ON s.id = w.snapshot WHERE w.revision > 0 ORDER BY w.week, w.pool"
    )


async def _counted(played: Played, pool: str) -> list[tuple[str, int, int]]:
    """Of each published week: player-boards of its last revision, and of the results that are in time."""
    found = await played.rows(
        "SELECT w.week, (SELECT coalesce(sum(r.boards), 0) FROM ratings AS r WHERE r.snapshot = w.snapshot), "
        "(SELECT 4 * count(*) FROM results AS r JOIN boards AS b ON b.id = r.board WHERE b.week = w.week "
        "AND b.pool = w.pool AND r.live AND r.received_at < w.late_from) "
        "FROM weeks AS w WHERE w.pool = :pool AND w.revision > 0",
        pool=pool,
    )
    return [(week, int(counted), int(there)) for week, counted, there in found]


async def _is_whole(played: Played) -> bool:
    """Whether every published snapshot has all its rows."""
    rows = await played.rows(
        "SELECT s.players, (SELECT count(*) FROM ratings AS r WHERE r.snapshot = s.id) FROM snapshots AS s "
        "WHERE s.revision IS NOT NULL"
    )
    return all(players == there for players, there in rows)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
