"""Every line of a player's week: boards he finished, boards he left, and boards that a partner abandoned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.rating import Rules
from server.services import explain_week_tables
from server.services.closing_figures import charged_boards
from server.services.closing_steps import abandoned_boards
from server.services.explain_week_tables import BoardLine, FieldTable, Rates, field_table
from server.services.tallies import rated_players
from server.services.weeks import late_from
from server.storage import boards, disconnects, players, ratings, results
from server.storage.disconnects import Disconnect
from server.storage.players import Player
from server.storage.ratings import SnapshotRow
from server.storage.weeks import WeekRow


@dataclass(frozen=True, slots=True)
class RatedBy:
    """The snapshot of a rated week, and the rules that it was made by."""

    snapshot: SnapshotRow
    rules: Rules

    def rates(self, connection: Connection, numbers: Sequence[int]) -> Rates:
        """What some players brought into the week."""
        before = self.snapshot.before
        return Rates(self.rules, {} if before is None else ratings.rows_of(connection, before, numbers))


@dataclass(frozen=True, slots=True)
class LineSums:
    """What some lines come to."""

    points: int  # ten-thousandths
    boards: int
    board_rates: int
    week_rate: float | None  # mean of the board Rates; None: there are none


def sums(lines: Sequence[BoardLine]) -> LineSums:
    """What the lines come to."""
    rates = [each.board_rate for each in lines if each.board_rate is not None]
    return LineSums(
        sum(each.points for each in lines),
        sum(each.boards for each in lines),
        len(rates),
        sum(rates) / len(rates) if rates else None,
    )


def week_lines(
    connection: Connection, player: Player, row: WeekRow, by: RatedBy | None, over: bool
) -> list[BoardLine]:
    """The player's lines of a week as of now, by number of board, those of boards in play included.

    ``by`` is None as long as the week is not rated; ``over``: it has ended.
    """
    late = late_from(row)
    gone = {
        each.board: each
        for each in disconnects.of_player(connection, player.number, row.week, row.pool, late)
    }
    named = results.of_player(connection, player.number, row.week, row.pool)
    tables = [table for each in named if (table := field_table(connection, each, late)) is not None]
    lines = list(_finished(connection, player, tables, gone, by, over))
    done = {table.board.id for table in tables}
    nobody = [each for board, each in gone.items() if board not in done]
    if by is not None:
        nobody += _partners(connection, player, row, by.rules)
    lines += _abandoned(connection, player, nobody, by is not None)
    return sorted(lines, key=lambda each: each.board.number)


def _finished(
    connection: Connection,
    player: Player,
    tables: Sequence[FieldTable],
    gone: dict[int, Disconnect],
    by: RatedBy | None,
    over: bool,
) -> Iterator[BoardLine]:
    seated = sorted({number for table in tables for number in table.seats})
    people = players.by_number(connection, seated)
    rates = None if by is None else by.rates(connection, seated)
    for table in tables:
        left = gone.get(table.board.id)
        yield explain_week_tables.finished(player.number, table, people, rates, left, over)


def _partners(connection: Connection, player: Player, row: WeekRow, rules: Rules) -> list[Disconnect]:
    """Disconnects of his partners that cost him a Rate of 0 each."""
    found = charged_boards(abandoned_boards(connection, row, player.number), rules)
    charged = {each.board: each.leaver for each in found if each.partner == player.number}
    of_boards = disconnects.of_boards(connection, charged)
    return [each for board in charged for each in of_boards[board] if each.player == charged[board]]


def _abandoned(
    connection: Connection, player: Player, left: Sequence[Disconnect], rated: bool
) -> Iterator[BoardLine]:
    """Lines of boards that he or a partner left and nobody finished; nothing counts on a withdrawn board."""
    seats = {each.number: _seats(connection, each) for each in left}
    people = players.by_number(connection, {number for four in seats.values() for number in four})
    known = boards.several(connection, {each.board for each in left})
    for each in left:
        if known[each.board].withdrawn_at is None:
            seated = tuple(people[number] for number in seats[each.number])
            yield explain_week_tables.abandoned(player.number, known[each.board], each, seated, rated)


def _seats(connection: Connection, left: Disconnect) -> tuple[int, ...]:
    """Numbers of N, E, S, W where somebody left; of a result that came to nothing, of those rated there."""
    result = None if left.sequence is None else results.get(connection, left.board, left.sequence)
    return left.players or () if result is None else rated_players(result)
