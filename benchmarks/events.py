"""A Swiss pairs of 160 pairs, ten rounds of eight boards, on SQLite: how long its transitions take."""

import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from server.bridge.contract import parse_result
from server.bridge.event_rules import EventRules
from server.bridge.score import score_ns
from server.bridge.seats import vulnerability_of
from server.bridge.swiss_clock import State
from server.services import event_room, events, installation
from server.services.event_course import Keeper
from server.services.event_play import seats_of
from server.services.events import Announced
from server.storage import event_entries, event_rounds, players, results, tokens
from server.storage import events as stored
from server.storage.database import Database, open_database
from server.storage.events import moment, seconds
from server.storage.results import Result

PAIRS, ROUNDS, BOARDS = 160, 10, 8
BEGINS = datetime(2026, 11, 27, 12, tzinfo=UTC)
_OUTCOMES = ("4SN=", "3NTE=", "3NTS-1", "2HW=", "5DXN-2", "6CE=", "1NTS+2")
_KEEPER = Keeper(patience_s=1_000_000)  # nobody looks in between


def measured() -> dict[str, float]:
    """Seconds from the last result to the final ranking, and for the slowest start of a round."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(f"sqlite:///{Path(folder) / 'events.sqlite3'}"))


async def _measured(url: str) -> dict[str, float]:
    database = open_database(url)
    try:
        await installation.migrate(database)
        _, final, starts = await hold(database, PAIRS)
    finally:
        await database.close()
    return {"event of 160 pairs, final ranking, s": final, "event of 160 pairs, next round, s": max(starts)}


async def hold(database: Database, pairs: int) -> tuple[int, float, list[float]]:
    """Hold an event: its number, seconds to the final ranking, and seconds for each start of a round."""
    number = await database.write(partial(_announce, pairs))
    starts = [await _open(database, number, BEGINS + timedelta(minutes=1))]
    for round_number in range(1, ROUNDS + 1):
        await database.write(partial(_play, number, round_number))
        event = await database.read(partial(stored.get, number=number))
        if event is None or event.course.ends_at is None:
            raise RuntimeError("a round is played")
        ended = event.course.ends_at
        if round_number < ROUNDS:
            await _open(database, number, moment(ended))
            starts.append(await _open(database, number, moment(ended + event.rules.closing_s)))
    final = await _open(database, number, moment(ended))
    event = await database.read(partial(stored.get, number=number))
    if event is None or event.course.state is not State.FINISHED:
        raise RuntimeError("the event is not over")
    return number, final, starts


async def _open(database: Database, number: int, now: datetime) -> float:
    """Seconds in which everything is done that is due."""
    started = time.perf_counter()
    await database.write(lambda connection: _KEEPER.open(connection, number, now))
    return time.perf_counter() - started


def _announce(pairs: int, connection: Connection) -> int:
    client = tokens.client_number(connection, "benchmark", BEGINS)
    start = seconds(BEGINS + timedelta(minutes=1))
    rules = EventRules(open_at=seconds(BEGINS), start_at=start, rounds=ROUNDS, boards=BOARDS)
    made = events.create(connection, client, Announced("Benchmark", rules), True, BEGINS)
    names = [f"e{i:03}" for i in range(2 * pairs)]
    known = players.add(connection, names, BEGINS)
    for i in range(0, 2 * pairs, 2):
        event = _KEEPER.open(connection, made.id, BEGINS)
        event_room.enter(connection, event, (known[names[i]].number, known[names[i + 1]].number), BEGINS)
    return made.id


def _play(number: int, round_number: int, connection: Connection) -> None:
    """Every table reports every board."""
    source = random.Random(round_number)
    entries = {each.number: each for each in event_entries.of_event(connection, number)}
    rows = []
    for board, row in event_rounds.board_numbers(connection, number, round_number).items():
        for sequence, match in enumerate(event_rounds.matches(connection, number, round_number), 1):
            outcome = parse_result(source.choice(_OUTCOMES))
            rows.append(
                Result(
                    board=row,
                    sequence=sequence,
                    table=match.name,
                    players=seats_of(match, entries),
                    outcome=outcome,
                    lead=None,
                    score=score_ns(outcome, vulnerability_of(board)),
                    live=True,
                    version=1,
                    client=1,
                    received_at=BEGINS,
                    played_at=None,
                    details=None,
                )
            )
    results.add(connection, rows)


if __name__ == "__main__":
    print(measured())
