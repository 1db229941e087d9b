"""Master points and grades of players."""

from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.grades import GradeScale
from server.storage import event_entries, event_lists, players
from server.storage.database import Database
from server.storage.event_lists import Won


@dataclass(frozen=True, slots=True)
class Merit:
    """What a player has won in events."""

    won: tuple[Won, ...]  # event by event, newest first
    grade: int  # 1 to 12

    @property
    def masterpoints(self) -> int:
        """Master points of all events together."""
        return sum(each.points for each in self.won)


async def of_player(database: Database, scale: GradeScale, name: str) -> Merit:
    """Master points and grade of a player; who is unknown has none."""

    def query(connection: Connection) -> Merit:
        player = players.find(connection, [name]).get(name)
        if player is None:
            return Merit((), scale.grade(0))
        won = tuple(event_lists.won(connection, player.number))
        before = event_entries.grades_of(connection, [player.number]).get(player.number, 1)
        return Merit(won, scale.grade(sum(each.points for each in won), before))

    return await database.read(query)
