"""Master points and grades of players."""

from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.grades import GradeScale
from server.storage import event_entries, players
from server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Merit:
    """What a player has won in events."""

    masterpoints: int
    grade: int  # 1 to 12


async def of_player(database: Database, scale: GradeScale, name: str) -> Merit:
    """Master points and grade of a player; who is unknown has none."""

    def query(connection: Connection) -> Merit:
        player = players.find(connection, [name]).get(name)
        if player is None:
            return Merit(0, scale.grade(0))
        points = event_entries.points_of(connection, [player.number]).get(player.number, 0)
        before = event_entries.grades_of(connection, [player.number]).get(player.number, 1)
        return Merit(points, scale.grade(points, before))

    return await database.read(query)
