"""A week of 10 million player-boards in a database, upon ratings of the weeks before: filled directly.

The results of the week are there row by row, in the order in which tables played; of the weeks before there
is what a closed week leaves behind. `python -m benchmarks.weeks <weeks before>` fills one.
"""

import asyncio
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np
from sqlalchemy import Connection, make_url, select, text, update

from benchmarks import rating
from benchmarks.rating import PLAYERS, RULES
from server.bridge.rating_classic import NOBODY
from server.bridge.rating_columns import WeekRows, no_abandoned, no_disconnects
from server.bridge.rating_joint import NOTHING, handed_over
from server.bridge.rating_packing import packed
from server.bridge.rating_points import WeekTotals
from server.bridge.rating_week import Snapshot, rate_week
from server.bridge.week import parse_week
from server.services import closing_steps
from server.services.closing import CHUNK
from server.services.closing_figures import Before, Figures, Gathered, placed
from server.services.closing_steps import Moment
from server.settings import Settings, load_settings
from server.storage import ratings
from server.storage.database import Database, open_database
from server.storage.tables import boards

WEEK = parse_week("2026-W48")
BOARDS, RESULTS, SET = (
    62_500,
    40,
    10,
)  # boards of the week, results of each, boards that a table plays in a row
AT = datetime(2026, 11, 25, tzinfo=UTC)  # when everything came in
CLOCK = "2026-11-29T20:30:00Z,1"  # the week is over, and its grace too

BOARD = {
    "week": str(WEEK),
    "pool": "imps",
    "dealer": "N",
    "vulnerability": "none",
    "deal": "N:A43.43.J8432.K64 J82.KQ8752.T6.52 K76.JT6.A97.AJ98 QT95.A9.KQ5.QT73",
    "method": "datum",
    "score_at": 6,
    "retire_at": RESULTS,
    "trim": "tenth",
    "last_sequence": RESULTS,
    "change": RESULTS,
    "retired_at": AT,
    "revealed_at": AT,
    "created_at": AT,
}
_TALLY = {"change": RESULTS, "lines": "[]"}  # counted, so that nothing is counted while a week is closed
RESULT = {
    "contract": "4S",
    "declarer": "N",
    "tricks": 10,
    "live": True,
    "version": 1,
    "client": 1,
    "received_at": AT,
}
_PLAYED = ("board", "sequence", "table_name", "north", "east", "south", "west", "score")


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Results in the order in which they came: a column of whole numbers for each of ``_PLAYED``."""

    columns: tuple[Any, ...]

    @property
    def scores(self) -> Any:
        """Total points for NS, a row for each board."""
        board, sequence, score = self.columns[0], self.columns[1], self.columns[-1]
        found = np.empty((BOARDS, RESULTS), np.int64)
        found[board - 1, sequence - 1] = score
        return found


def played(rng: np.random.Generator, skill: Any) -> Played:
    """Everybody plays some sets of boards, a table of four each; all tables of a round play at once."""
    tables = PLAYERS // 4
    sets = tables // RESULTS
    rounds = BOARDS // SET // sets
    parts = []
    for number in range(rounds):
        four = rng.permutation(PLAYERS).reshape(tables, 4)
        of_set = np.repeat(np.arange(sets) + number * sets, RESULTS)
        for board in range(SET):
            sequence = np.argsort(rng.random((sets, RESULTS)), axis=1).ravel() + 1
            north, east, south, west = four.T
            mean = skill[north] + skill[south] - skill[east] - skill[west]
            score = 10 * np.clip(np.rint(20 * mean + rng.normal(0, 35, tables)), -200, 200)
            order = rng.permutation(tables)
            number_of_table = np.arange(tables) + number * tables
            row = (
                of_set * SET + board + 1,
                sequence,
                number_of_table,
                north + 1,
                east + 1,
                south + 1,
                west + 1,
            )
            parts.append([column[order].astype(np.int64) for column in (*row, score)])
    return Played(tuple(np.concatenate(columns) for columns in zip(*parts, strict=True)))


async def fill(settings: Settings, weeks: int) -> None:
    """Players, boards, results, and the snapshot of the week before, after so many weeks."""
    rng = np.random.default_rng(1)
    skill = rng.normal(0, 0.45, PLAYERS)
    database = open_database(settings.database)
    await _keep(database, _history(rng, skill, weeks))
    await database.close()
    week = played(rng, skill)
    if settings.embedded:
        _fill_sqlite(Path(make_url(settings.database).database or ""), week)
    else:
        await _fill_postgres(settings.database, week)


def _boards(week: Played) -> Iterator[dict[str, Any]]:
    for number, scores in enumerate(week.scores.tolist(), start=1):
        yield {"id": number, "number": number, "scores": ",".join(map(str, scores)), **BOARD}


def _fill_sqlite(file: Path, week: Played) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        _insert(
            connection,
            "players",
            ({"number": i, "id": f"p{i}", "created_at": AT} for i in range(1, PLAYERS + 1)),
        )
        _insert(connection, "board_sets", [{"week": str(WEEK), "pool": "imps", "created_at": AT}])
        _insert(connection, "boards", _boards(week))
        _insert(connection, "tallies", ({"board": i, **_TALLY} for i in range(1, BOARDS + 1)))
        names = (*_PLAYED, *RESULT)
        marks = ", ".join("?" for _ in _PLAYED)
        fixed = [_sqlite(value) for value in RESULT.values()]
        rows = zip(*(column.tolist() for column in week.columns), strict=True)
        statement = (
            f"INSERT INTO results ({', '.join(names)}) VALUES ({marks}, {', '.join(map(repr, fixed))})"
        )
        connection.executemany(statement, rows)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _insert(connection: sqlite3.Connection, table: str, rows: Any) -> None:
    rows = iter(rows)
    first = next(rows)
    statement = f"INSERT INTO {table} ({', '.join(first)}) VALUES ({', '.join(f':{name}' for name in first)})"
    values = ({name: _sqlite(value) for name, value in row.items()} for row in (first, *rows))
    connection.executemany(statement, values)


def _sqlite(value: Any) -> Any:
    """As SQLAlchemy writes it."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ", "microseconds")
    return int(value) if isinstance(value, bool) else value


async def _fill_postgres(url: str, week: Played) -> None:
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    players = [(i, f"p{i}", AT) for i in range(1, PLAYERS + 1)]
    await connection.copy_records_to_table("players", records=players, columns=["number", "id", "created_at"])
    await connection.copy_records_to_table("board_sets", records=[(str(WEEK), "imps", AT)])
    names = ["id", "number", "scores", *BOARD]
    rows = [tuple(row.values()) for row in _boards(week)]
    await connection.copy_records_to_table("boards", records=rows, columns=names)
    counted = [(i, *_TALLY.values()) for i in range(1, BOARDS + 1)]
    await connection.copy_records_to_table("tallies", records=counted, columns=["board", *_TALLY])
    results = zip(*(column.tolist() for column in week.columns), strict=True)
    records = ((*row[:2], f"T{row[2]}", *row[3:], *RESULT.values()) for row in results)
    await connection.copy_records_to_table("results", records=records, columns=[*_PLAYED, *RESULT])
    for table, column in (("players", "number"), ("boards", "id")):
        # Given above, where the database itself gives the next ones.
        await connection.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
        )
    await connection.execute("ANALYZE")
    await connection.close()


def _history(rng: np.random.Generator, skill: Any, weeks: int) -> Figures:
    """What so many weeks of play come to; of the last one everything, of those before what the next needs."""
    players = np.arange(1, PLAYERS + 1, dtype=np.int64)
    classic, joint = NOBODY.grown(players), NOTHING
    for _ in range(weeks - 1):
        tables = rating.played(rng, skill)
        classic = rating.classic_of(classic, tables)
        joint = replace(joint, ties=handed_over(list(joint.ties)))
        joint = rating.sums_of(joint, players, tables, classic.rated >= RULES.shield_boards)
    joint = replace(joint, ties=handed_over(list(joint.ties)))
    rows = WeekRows(players, rating.played(rng, skill), no_disconnects(), no_abandoned())
    rated = rate_week(Snapshot(classic, joint), rows, RULES)
    nothing = np.zeros(PLAYERS, np.int64)
    week = Gathered(rows, WeekTotals(nothing, nothing, nothing), nothing[:0], "history")
    nowhere = np.zeros(PLAYERS, np.int32)
    before = Before("before", classic, True, nothing, (nowhere, nowhere, nowhere))
    return replace(placed(before, rated, week, RULES))


async def _keep(database: Database, made: Figures) -> None:
    """As a closing does."""
    week = WEEK.plus(-1)
    row = await database.write(lambda c: closing_steps.begin(c, week, "imps", AT))
    snapshot = await database.write(lambda c: closing_steps.stage(c, row, None, made, RULES, AT))
    columns = made.columns()
    for start in range(0, PLAYERS, CHUNK):
        some = [column[start : start + CHUNK] for column in columns]
        await database.write(lambda c, some=some: closing_steps.keep(c, row, snapshot, some, AT))
    state = made.rated.snapshot.joint
    assert state is not None
    for number, part in enumerate(packed(state)):
        await database.write(lambda c, n=number, p=part: ratings.add_sums(c, snapshot, n, p))
    moment = Moment(lambda: AT, AT + timedelta(days=1))
    await database.write(lambda c: closing_steps.publish(c, row, None, 0, snapshot, moment))


async def again(settings: Settings) -> None:
    """Another result than was reported, so that the week is to be closed again: as much work as at first."""
    database = open_database(settings.database)

    def adjust(connection: Connection) -> None:
        connection.execute(text("UPDATE results SET score = -score - 10 WHERE board = 1 AND sequence = 1"))
        scores = select(boards.c.scores).where(boards.c.id == 1)
        first, *others = connection.execute(scores).scalar_one()
        changed = {"scores": (-first - 10, *others), "change": boards.c.change + 1}
        connection.execute(update(boards).where(boards.c.id == 1).values(changed))

    await database.write(adjust)
    await database.close()


if __name__ == "__main__":
    if sys.argv[1] == "again":
        asyncio.run(again(load_settings()))
    else:
        asyncio.run(fill(load_settings(), int(sys.argv[1])))
