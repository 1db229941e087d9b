"""A hundred thousand players and ten weeks of their play in a database, filled directly: what pages read.

`python -m benchmarks.crowd` fills the database that the settings name. The last week is open; those before it
are to be closed by `crossruff rate`.
"""

import asyncio
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import asyncpg
import msgspec
import numpy as np
import numpy.typing as npt
from sqlalchemy import make_url

from benchmarks.weeks import BOARD, RESULT
from server.bridge.bulk import datum_imps
from server.bridge.five_figures import POINT
from server.bridge.seats import dealer_of, vulnerability_of
from server.bridge.week import Week, parse_week
from server.services.search_words import found_by
from server.settings import Settings, load_settings

Numbers = npt.NDArray[np.int64]

PLAYERS, WEEKS, SET = 100_000, 10, 10  # a table plays a set of so many boards in a row
SETS, TABLES = 500, 40  # sets of a week, tables at each: 200,000 results
BOARDS = SETS * SET  # of a week
LAST = parse_week("2026-W48")
CLOCK = "2026-11-27T12:00:00Z,1"  # in the last week
AT = datetime(2026, 11, 27, tzinfo=UTC)  # when everything came in
FIRST_NAMES = ("Ada", "Bo", "Chen", "Dörte", "Eva", "Finn", "Gül", "Hanna", "Ines", "Jürgen", "Kai", "Li")
LAST_NAMES = ("Andersen", "Brandt", "Chang", "Dubois", "Eriksson", "Fuchs", "García", "Hoffmann", "Ito", "王")
"""Every second player has a name, of one of each and a number."""


class Filled(Protocol):
    """A database that takes rows in bulk."""

    async def rows(self, table: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to a table."""


class IntoSqlite:
    """A file of SQLite's."""

    def __init__(self, file: Path) -> None:
        self.connection = sqlite3.connect(file, isolation_level=None)

    async def rows(self, table: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to a table."""
        names = tuple(columns)
        marks = ", ".join("?" for _ in names)
        self.connection.execute("BEGIN")
        self.connection.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)
        self.connection.execute("COMMIT")


class IntoPostgres:
    """A database of PostgreSQL's."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    async def rows(self, table: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to a table."""
        await self.connection.copy_records_to_table(table, records=rows, columns=list(columns))


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """A week: of each board who sat where at each of its tables, and what came of it."""

    seats: Numbers  # players' numbers, shape (4, boards, tables), seats N, E, S, W
    scores: Numbers  # total points for NS, shape (boards, tables)
    imps: Numbers  # of NS against the datum


def play(rng: np.random.Generator, skill: Any, activity: Any) -> Played:
    """A week of sets: to one half of them everybody is as likely to sit down, to the other some much more."""
    seats = np.empty((4, SETS, TABLES), np.int64)
    for number in range(SETS):
        drawn = rng.gumbel(size=PLAYERS) + (activity if number % 2 else 0)
        chosen = np.argpartition(drawn, PLAYERS - 4 * TABLES)[-4 * TABLES :]
        seats[:, number] = rng.permutation(chosen).reshape(4, TABLES)
    of_boards = np.repeat(seats, SET, axis=1)
    north, east, south, west = of_boards
    mean = skill[north] + skill[south] - skill[east] - skill[west]
    scores = 10 * np.clip(np.rint(20 * mean + rng.normal(0, 35, mean.shape)), -200, 200).astype(np.int64)
    return Played(of_boards + 1, scores, datum_imps(scores.astype(np.int16)).imps.astype(np.int64))


async def fill(settings: Settings) -> None:
    """Players, boards, results and what was counted of them."""
    rng = np.random.default_rng(1)
    skill, activity = rng.normal(0, 0.45, PLAYERS), rng.normal(0, 1.2, PLAYERS)
    if settings.embedded:
        into = IntoSqlite(Path(make_url(settings.database).database or ""))
        with closing(into.connection):
            await _everything(into, rng, skill, activity)
            into.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return
    url = make_url(settings.database).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(url)
    await _everything(IntoPostgres(connection), rng, skill, activity)
    for table, column in (("players", "number"), ("boards", "id")):
        highest = f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
        await connection.execute(highest)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def _everything(into: Filled, rng: np.random.Generator, skill: Any, activity: Any) -> None:
    names = [name_of(number) for number in range(1, PLAYERS + 1)]
    people = ((i, f"p{i}", name, AT) for i, name in enumerate(names, 1))
    await into.rows("players", ("number", "id", "name", "created_at"), people)
    words = ((word, i) for i, name in enumerate(names, 1) if name for word in found_by(name))
    await into.rows("name_words", ("word", "player"), words)
    for place in range(WEEKS):
        week = LAST.plus(place + 1 - WEEKS)
        await _week(into, week, place * BOARDS, play(rng, skill, activity))


def name_of(number: int) -> str | None:
    """The name of a player."""
    if number % 2:
        return None
    first = FIRST_NAMES[number // 2 % len(FIRST_NAMES)]
    return f"{first} {LAST_NAMES[number // 24 % len(LAST_NAMES)]}-{number}"


async def _week(into: Filled, week: Week, before: int, played: Played) -> None:
    """A week, whose boards are numbered from ``before`` on."""
    numbers, pool = range(before + 1, before + BOARDS + 1), "imps"
    await into.rows("board_sets", ("week", "pool", "created_at"), [(str(week), pool, AT)])
    await into.rows("boards", ("id", "number", "scores", *BOARD), _boards(week, numbers, played.scores))
    seats = [seat.reshape(-1).tolist() for seat in played.seats]
    scores, imps = played.scores.reshape(-1).tolist(), played.imps.reshape(-1).tolist()
    boards = [board for board in numbers for _ in range(TABLES)]
    sequences = list(range(1, TABLES + 1)) * BOARDS
    tables = [f"T{number}" for number in sequences]
    rows = zip(boards, sequences, tables, *seats, scores, strict=True)
    fixed = tuple(RESULT.values())
    named = ("board", "sequence", "table_name", "north", "east", "south", "west", "score", *RESULT)
    await into.rows("results", named, (row + fixed for row in rows))
    for seat in seats:
        await into.rows("plays", ("board", "player", "sequence"), zip(boards, seat, sequences, strict=True))
    awards = (
        (board, i, 100 * ns, -100 * ns, 0, 6) for board, i, ns in zip(boards, sequences, imps, strict=True)
    )
    await into.rows("awards", ("board", "sequence", "ns", "ew", "datum", "results"), awards)
    await into.rows("tallies", ("board", "change", "lines"), _tallies(numbers, played))
    totals = (
        "week",
        "pool",
        "player",
        "points",
        "boards",
        "disconnects",
        "duplicate",
        "won",
        "drawn",
        "lost",
    )
    await into.rows("week_totals", totals, _totals(str(week), pool, played))


def _boards(week: Week, numbers: Iterable[int], scores: Numbers) -> Iterator[tuple[Any, ...]]:
    for place, (number, of_board) in enumerate(zip(numbers, scores.tolist(), strict=True), 1):
        own: Mapping[str, Any] = {
            "week": str(week),
            "dealer": dealer_of(place).value,
            "vulnerability": vulnerability_of(place).value,
            "retired_at": AT,
        }
        yield number, place, ",".join(map(str, of_board)), *(BOARD | own).values()


def _tallies(numbers: Iterable[int], played: Played) -> Iterator[tuple[int, int, str]]:
    """What each board gave, in order of player."""
    for board, seats, imps in zip(
        numbers, played.seats.transpose(1, 0, 2).tolist(), played.imps.tolist(), strict=True
    ):
        lines = []
        for place, seat in enumerate(seats):
            for player, ns in zip(seat, imps, strict=True):
                own = ns if place % 2 == 0 else -ns
                lines.append(
                    (player, POINT * own, 1, 0, POINT * own, int(own > 0), int(own == 0), int(own < 0))
                )
        yield board, TABLES, msgspec.json.encode(sorted(lines)).decode()


def _totals(week: str, pool: str, played: Played) -> Iterator[tuple[Any, ...]]:
    players = played.seats.reshape(-1)
    own = np.concatenate([played.imps.reshape(-1) * sign for sign in (1, -1, 1, -1)])
    boards = np.bincount(players, minlength=PLAYERS + 1)
    points, won, lost = (
        np.bincount(players, weights=each, minlength=PLAYERS + 1).astype(np.int64)
        for each in (own, own > 0, own < 0)
    )
    for player in np.flatnonzero(boards).tolist():
        count, wins, losses = int(boards[player]), int(won[player]), int(lost[player])
        given = POINT * int(points[player])
        yield week, pool, player, given, count, 0, given, wins, count - wins - losses, losses


if __name__ == "__main__":
    asyncio.run(fill(load_settings()))
