"""What happens on the boards of a week, in short."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.week import Week
from server.storage import activity, boards
from server.storage.activity import Counts
from server.storage.boards import Board
from server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Activity:
    """What happens on the boards of a week."""

    counts: Mapping[str, Counts]  # by pool
    moving: list[Board]  # taking results, that with the newest result first
    retired: list[Board]  # of this week and the one before, the newest first


async def of_week(database: Database, week: Week, limit: int) -> Activity:
    """What happens on the boards of ``week``, at most ``limit`` boards of each kind."""

    def query(connection: Connection) -> Activity:
        moving = activity.moving(connection, str(week), limit)
        retired = activity.retired(connection, (str(week), str(week.plus(-1))), limit)
        found = boards.several(connection, moving + retired)
        return Activity(
            activity.counts(connection, str(week)),
            [found[number] for number in moving],
            [found[number] for number in retired],
        )

    return await database.read(query)
