"""Computing players' week totals again: what each board gives, from its results; and the sums of that."""

from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial
from operator import add

from sqlalchemy import Connection

from server.services.tallies import lines, played
from server.services.verify import Verified
from server.services.verify_boards import Discrepancy
from server.services.weeks import late_from
from server.storage import boards, checks, players, tallies, weeks
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.ids import board_id
from server.storage.tallies import COUNTED, Tally

PAGE = 200  # boards in one read


async def verify_totals(database: Database) -> AsyncIterator[Verified]:
    """Count every board again, a page at a time, then add up each week and pool as it was counted.

    A board that changed since it was counted is passed over: it is going to be counted.
    """
    after: int | None = 0
    while after is not None:
        found, after = await database.read(partial(_page, after))
        yield found
    for week, pool in await database.read(tallies.weeks):
        yield Verified(0, 0, tuple(await database.read(partial(_totals, week, pool))))


def _page(after: int, connection: Connection) -> tuple[Verified, int | None]:
    numbers = checks.board_numbers(connection, after, PAGE)
    counted = tallies.of_boards(connection, numbers)
    found: list[Discrepancy] = []
    for number in numbers:
        board = boards.get(connection, number)
        if board is not None and number in counted:
            found += _board(connection, board, counted[number])
    return Verified(0, 0, tuple(found)), numbers[-1] if numbers else None


def _board(connection: Connection, board: Board, counted: Tally) -> Iterator[Discrepancy]:
    named = board_id(board.id)
    if counted.change > board.change:
        yield Discrepancy(named, "change that was counted", str(counted.change), str(board.change))
    if counted.change != board.change:
        return
    computed = []
    if board.week is not None and board.pool is not None:
        row = weeks.get(connection, str(board.week), board.pool)
        computed = lines(played(connection, board), late_from(row))
    before = {line.player: line.figures for line in counted.lines}
    now = {line.player: line.figures for line in computed}
    yield from _differ(connection, named, before, now)


def _totals(week: str, pool: str, connection: Connection) -> list[Discrepancy]:
    computed: dict[int, tuple[int, ...]] = {}
    for line in tallies.lines_of_week(connection, week, pool):
        had = computed.get(line.player, (0,) * len(COUNTED))
        computed[line.player] = tuple(map(add, had, line.figures))
    stored = tallies.totals_of_week(connection, week, pool)
    return list(_differ(connection, f"{week} {pool}", stored, computed))


def _differ(
    connection: Connection,
    where: str,
    stored: Mapping[int, tuple[int, ...]],
    computed: Mapping[int, tuple[int, ...]],
) -> Iterator[Discrepancy]:
    nothing = (0,) * len(COUNTED)
    wrong = [p for p in stored.keys() | computed.keys() if stored.get(p, nothing) != computed.get(p, nothing)]
    names = players.by_number(connection, wrong) if wrong else {}
    for player in sorted(wrong):
        named = names[player].id if player in names else f"number {player}"
        figures = zip(COUNTED, stored.get(player, nothing), computed.get(player, nothing), strict=True)
        for name, before, now in figures:
            if before != now:
                yield Discrepancy(where, f"{name} of {named}", str(before), str(now))
