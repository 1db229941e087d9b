"""Master points and grades that follow from the final standings of an event."""

from datetime import datetime

from sqlalchemy import Connection

from server.bridge.grades import GradeScale
from server.bridge.masterpoints import masterpoints
from server.services.event_field import Field
from server.storage import event_entries
from server.storage.event_entries import Award


def awards(found: Field) -> list[Award]:
    """What the players of the pairs that are ranked get, by rank."""
    ranked = [each for each in found.placings if each.rank is not None]
    pairs = {each.number: each.players for each in found.entries}
    return [
        Award(player, given, placing.rank or 0, len(ranked))
        for placing, given in zip(ranked, masterpoints(len(ranked)), strict=False)
        for player in pairs[placing.pair]
    ]


def award(connection: Connection, found: Field, scale: GradeScale, now: datetime) -> None:
    """Give master points, in place of those that the event gave before; and the grades reached by them."""
    given = awards(found)
    event_entries.award(connection, found.event.id, given)
    total = event_entries.points_of(connection, [each.player for each in given])
    before = event_entries.grades_of(connection, total)
    reached = {player: scale.grade(points, before.get(player, 1)) for player, points in total.items()}
    event_entries.keep_grades(connection, reached, now)
