"""The shield of the ratings: who was new when a week was rated."""

from collections.abc import Iterable

from sqlalchemy import Connection

from server.bridge.week import Week
from server.services.closing_steps import rules_of
from server.storage import ratings, weeks


def newcomers(connection: Connection, week: Week, pool: str, numbers: Iterable[int]) -> set[int]:
    """Which of some players the shield took for newcomers when the week was rated; nobody before that."""
    row = weeks.get(connection, str(week), pool)
    if row.snapshot is None:
        return set()
    shield = rules_of(ratings.get(connection, row.snapshot)).shield_boards
    wanted = set(numbers)
    known = {} if row.before is None else ratings.rows_of(connection, row.before, wanted)
    return {each for each in wanted if (known[each].rated if each in known else 0) < shield}
