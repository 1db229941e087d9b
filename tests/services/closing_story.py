"""Weeks with everything that may happen in them, as a seed has it; and what closed weeks are held against.

``check_ratings`` and ``check_totals`` compare what is stored with what `closing_oracle` makes of raw rows.
"""

from contextlib import suppress
from datetime import timedelta
from random import Random

from server.bridge.rating import Estimator, Rules
from server.services import tallies
from server.services.arrivals import Taken
from server.services.errors import BoardWithdrawn, NothingToLift
from server.storage import players
from server.storage.ratings import COLUMNS
from tests.services import closing_oracle
from tests.services.played_weeks import FIRST, POOLS, Played, chance, end, report

WEEKS = [FIRST.plus(i) for i in range(3)]
PEOPLE = [f"p{i}" for i in range(15)]
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
        self.pools = list(play.pools)  # in which it goes on
        self.each = 2  # boards of a week and pool
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
                *(self.post, self.void, self.adjust, self.withdraw, self.leave, self.take_back),
                *(self.lift, self.close, self.count),
            ],
            [60, 4, 4, 1, 10, 3, 4, 8, 8],
        )[0]
        if kind == self.close:
            return over + timedelta(hours=self.rng.uniform(4, 80)), kind, week
        late = self.rng.random()
        hours = self.rng.uniform(0, 167) if late < 0.8 else self.rng.uniform(168, 168 + 70)
        return opens + timedelta(hours=hours), kind, week

    async def _board(self, week):
        pool = self.rng.choice(self.pools)
        key = (str(week), pool)
        if key not in self.boards:
            self.boards[key] = await self.play.boards(week, pool, self.each, self.rng.random())
        return self.rng.choice(self.boards[key])

    async def post(self, week):
        """Up to three results of a board."""
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

    async def void(self, week):
        """A director takes a result back."""
        await self._rule(week, None)

    async def adjust(self, week):
        """A director assigns another result."""
        await self._rule(week, chance(self.rng, 1))

    async def _rule(self, week, outcome):
        board = await self._board(week)
        live = await self.play.rows(f"{LIVE} ORDER BY sequence", b=board)
        if live:
            with suppress(BoardWithdrawn):
                await self.play.rule(board, self.rng.choice(live)[0], outcome)

    async def withdraw(self, week):
        """A board counts for nothing any more."""
        await self.play.withdraw(await self._board(week))

    async def leave(self, week):
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

    async def take_back(self, _week):
        """A director lets a disconnect count no more."""
        rows = await self.play.rows("SELECT number FROM disconnects WHERE live ORDER BY number")
        if rows:
            await self.play.take_back(self.rng.choice(rows)[0])

    async def lift(self, _week):
        """A director takes from a partner what a board costs him that nobody finished."""
        rows = await self.play.rows(
            "SELECT number FROM disconnects WHERE live AND sequence IS NULL ORDER BY number DESC LIMIT 6"
        )
        for (number,) in rows:
            with suppress(NothingToLift):
                await self.play.lift(number)
                return

    async def close_all(self) -> None:
        """Close what is due now, and count everything."""
        await self.close()
        while await self.count():
            pass

    async def close(self, _week=None):
        """Close what is due now."""
        for pool in self.play.pools:
            for each in await self.closing.due(pool):
                await self.closing.close(pool, each)

    async def count(self, _week=None):
        """Count some boards; how many."""
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


async def check_ratings(play, official, shield, pools=tuple(POOLS)):
    """Every published week of these pools against the raw rows; how many weeks."""
    published = 0
    hidden = {number for (number,) in await play.rows("SELECT number FROM players WHERE hidden")}
    for pool in pools:
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
