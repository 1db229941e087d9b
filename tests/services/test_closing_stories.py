"""Whatever happens, and in whatever order: weeks come to what their raw rows say, computed another way."""

import shutil
from contextlib import suppress
from datetime import timedelta
from random import Random

import pytest

from server.bridge.rating import Estimator, Rules
from server.services import tallies
from server.services.arrivals import Taken
from server.services.errors import BoardWithdrawn, NothingToLift
from server.storage import players
from server.storage.database import open_database
from server.storage.ratings import COLUMNS
from tests.clock import StandingClock
from tests.services import closing_oracle
from tests.services.played_weeks import FIRST, POOLS, Played, chance, end, report

WEEKS = [FIRST.plus(i) for i in range(3)]
PEOPLE = [f"p{i}" for i in range(11)]
JOINT = ("imps", "cross")
LIVE = "SELECT sequence FROM results WHERE board = :b AND live"
FIGURES = ("points", "boards", "disconnects", "duplicate", "won", "drawn", "lost")


class Story:
    """Three weeks of play with everything that may happen, as a seed has it."""

    def __init__(self, play: Played, seed: int, shield: int) -> None:
        self.play = play
        self.rng = Random(seed)
        self.closing = play.closing(
            rules=Rules(shield_boards=shield, official=self.rng.choice(list(Estimator)))
        )
        self.boards: dict[tuple[str, str], list[int]] = {}
        self.met: dict[int, set[str]] = {}

    async def tell(self) -> None:
        """All of it, in order of time; one of the players is hidden."""
        now = self.play.clock.now()
        known = await self.play.database.write(lambda c: players.add(c, PEOPLE, now))
        hidden = known[PEOPLE[0]].number
        await self.play.database.write(lambda c: players.change(c, hidden, hidden=True))
        events = [self._event(week) for week in WEEKS for _ in range(26)]
        for at, happen, week in sorted(events, key=lambda event: event[0]):
            self.play.clock.set(at)
            await happen(week)

    def _event(self, week):
        """When, what, and in which week."""
        opens, over = end(week.plus(-1)), end(week)
        kind = self.rng.choices(
            [
                *(self._post, self._rule, self._withdraw, self._leave, self._take_back),
                *(self._lift, self._close, self._count),
            ],
            [60, 8, 1, 10, 3, 4, 8, 8],
        )[0]
        if kind == self._close:
            return over + timedelta(hours=self.rng.uniform(4, 80)), kind, week
        late = self.rng.random()
        hours = self.rng.uniform(0, 167) if late < 0.8 else self.rng.uniform(168, 168 + 70)
        return opens + timedelta(hours=hours), kind, week

    async def _board(self, week):
        pool = self.rng.choice(list(self.play.pools))
        key = (str(week), pool)
        if key not in self.boards:
            self.boards[key] = await self.play.boards(week, pool, 2, self.rng.random())
        return self.rng.choice(self.boards[key])

    async def _post(self, week):
        board = await self._board(week)
        for _ in range(self.rng.randint(1, 3)):
            fresh = [name for name in PEOPLE if name not in self.met.setdefault(board, set())]
            if len(fresh) < 5:
                return
            north, east, south, west, other = self.rng.sample(fresh, 5)
            replaced = {self.rng.choice("NESW"): other} if self.rng.random() < 0.15 else {}
            four = (north, east, south, west)
            gone = [*replaced.values(), *(name for name in four if self.rng.random() < 0.06)]
            made = report(board, four, chance(self.rng, 1), gone, replaced)
            (verdict,) = await self.play.post(made)
            if isinstance(verdict, Taken):
                self.met[board] |= {*four, *replaced.values()}

    async def _rule(self, week):
        board = await self._board(week)
        live = await self.play.rows(f"{LIVE} ORDER BY sequence", b=board)
        if live:
            outcome = chance(self.rng, 1) if self.rng.random() < 0.5 else None
            with suppress(BoardWithdrawn):
                await self.play.rule(board, self.rng.choice(live)[0], outcome)

    async def _withdraw(self, week):
        await self.play.withdraw(await self._board(week))

    async def _leave(self, week):
        """Two pairs that have played nothing together yet; their table may still report a result."""
        board, table = await self._board(week), f"left {self.rng.random()}"
        fresh = [name for name in PEOPLE if name not in self.met.setdefault(board, set())]
        if len(fresh) < 4:
            return
        four = fresh[:4] if self.rng.random() < 0.7 else self.rng.sample(fresh, 4)
        with suppress(BoardWithdrawn):
            for leaver in self.rng.sample(four, self.rng.choice([1, 1, 2])):
                await self.play.left(board, leaver, four, table)
            self.met[board] |= set(four)
            if self.rng.random() < 0.3:
                await self.play.post(report(board, four, chance(self.rng, 1), table=table))

    async def _take_back(self, _week):
        rows = await self.play.rows("SELECT number FROM disconnects WHERE live ORDER BY number")
        if rows:
            await self.play.take_back(self.rng.choice(rows)[0])

    async def _lift(self, _week):
        rows = await self.play.rows("SELECT number FROM disconnects WHERE live ORDER BY number DESC")
        if rows:
            with suppress(NothingToLift):
                await self.play.lift(rows[0][0])

    async def close_all(self) -> None:
        """Close what is due now, and count everything."""
        await self._close()
        while await self._count():
            pass

    async def _close(self, _week=None):
        for pool in self.play.pools:
            for each in await self.closing.due(pool):
                await self.closing.close(pool, each)

    async def _count(self, _week=None):
        return await tallies.refresh(self.play.database, "")


async def stored(play, pool, week):
    """Rows of the week's current snapshot, by player."""
    names = ", ".join(COLUMNS)
    rows = await play.rows(
        f"SELECT {names} FROM ratings JOIN weeks ON weeks.snapshot = ratings.snapshot "
        "WHERE weeks.week = :week AND weeks.pool = :pool",
        week=str(week),
        pool=pool,
    )
    return {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in rows}


def check_row(row, expected):
    """A row of a snapshot against what it must be."""
    known, figures = expected.known, expected.figures
    assert abs(row["rate"] - known.rate) < 1e-8
    assert abs(row["weight"] - known.weight) < 1e-8
    assert (row["rated"], row["week_rated"]) == (known.rated, len(known.board_rates))
    assert abs(row["recent"] - known.recent) < 1e-8
    if known.board_rates:
        mean = sum(known.board_rates) / len(known.board_rates)
        assert abs(row["week_rate"] - mean) < 1e-7
    else:
        assert row["week_rate"] is None
    for name in FIGURES[:3]:
        assert row[name] == getattr(figures, name)
    assert row["total_boards"] == expected.total_boards
    assert bool(row["flags"] & 1) == expected.provisional
    if expected.index is None:
        assert (row["joint_index"], row["joint_rank"]) == (None, 0)
    else:
        assert abs(row["joint_index"] - expected.index) < 1e-6


def check_places(found, before, expected, hidden, official):
    """Places on the lists, and places won."""
    joint = all(row.index is not None for row in expected.values())
    skill = closing_oracle.ranked(expected, hidden, joint and official is Estimator.JOINT)
    points = closing_oracle.ranked_by_points(expected, hidden)
    third = closing_oracle.ranked(expected, hidden, True) if joint else {}
    for name, places in (("skill", skill), ("points", points), ("joint", third)):
        for player, row in found.items():
            now = row[f"{name}_rank"]
            then = before.get(player, {}).get(f"{name}_rank", 0)
            assert now == places.get(player, 0), name
            assert row[f"{name}_moved"] == (then - now if now and then else None)


async def check_ratings(play, official, shield):
    """Every published week of every pool against the raw rows."""
    published = 0
    hidden = {number for (number,) in await play.rows("SELECT number FROM players WHERE hidden")}
    for pool in POOLS:
        names = await play.rows("SELECT week FROM weeks WHERE pool = :pool AND revision > 0", pool=pool)
        closes = {str(week): end(week) for week in WEEKS if (str(week),) in names}
        raw = await closing_oracle.weeks_of(play, pool, closes)
        rows = closing_oracle.closed(list(raw.values()), shield, pool in JOINT)
        before = {}
        for week, expected in zip(raw, rows, strict=True):
            found = await stored(play, pool, week)
            assert found.keys() == expected.keys()
            for player, row in found.items():
                check_row(row, expected[player])
            check_places(found, before, expected, hidden, official)
            before = found
            published += 1
    return published


async def check_totals(play):
    """Week totals, as the tallies have them, against the raw rows."""
    for pool in POOLS:
        raw = await closing_oracle.weeks_of(play, pool, {str(week): end(week) for week in WEEKS})
        for week, each in raw.items():
            rows = await play.rows(
                f"SELECT player, {', '.join(FIGURES)} FROM week_totals WHERE week = :week AND pool = :pool",
                week=week,
                pool=pool,
            )
            found = {player: tuple(map(int, figures)) for player, *figures in rows if any(figures)}
            wanted = {p: tuple(getattr(f, name) for name in FIGURES) for p, f in each.figures.items()}
            assert found == {player: figures for player, figures in wanted.items() if any(figures)}


@pytest.mark.parametrize("seed", range(3))
async def test_closed_weeks_are_what_their_rows_say(database, clock, seed):
    story = Story(Played(database, clock), seed, shield=0 if seed % 2 else 3)
    await story.tell()
    clock.set(end(WEEKS[-1], days=6))
    await story.close_all()
    rules = story.closing.rules
    assert await check_ratings(story.play, rules.official, rules.shield_boards) >= 6
    await check_totals(story.play)


@pytest.fixture
def one_of_each(sqlite_template, postgres_databases, tmp_path):
    """Addresses of a fresh database of each kind."""
    path, name = tmp_path / "crossruff.sqlite3", postgres_databases.clone()
    shutil.copyfile(sqlite_template, path)
    yield f"sqlite:///{path}", postgres_databases.url(name)
    postgres_databases.drop(name)


async def test_both_databases_come_to_the_same_bits(one_of_each):
    one, other = [await everything(url) for url in one_of_each]
    assert one == other
    revisions = [row[2] for row in one["snapshots"]]
    assert len(revisions) > 6
    assert max(revisions) > 1


async def everything(url):
    """All that a story leaves behind of ratings and totals, to the bit."""
    database = open_database(url)
    clock = StandingClock()
    story = Story(Played(database, clock), 1, shield=3)
    await story.tell()
    clock.set(end(WEEKS[-1], days=6))
    await story.close_all()
    asked = {
        "snapshots": "SELECT week, pool, revision, input, checksum, rules FROM snapshots ORDER BY 1, 2, 3",
        "ratings": f"SELECT {', '.join(COLUMNS)} FROM ratings ORDER BY snapshot, player",
        "totals": "SELECT * FROM week_totals ORDER BY week, pool, player",
        "lines": "SELECT board, change, lines FROM tallies ORDER BY board",
    }
    found = {name: await story.play.rows(statement) for name, statement in asked.items()}
    sums = await story.play.rows("SELECT snapshot, part, content FROM rating_sums ORDER BY snapshot, part")
    found["sums"] = [(snapshot, part, bytes(content)) for snapshot, part, content in sums]
    await database.close()
    return found
