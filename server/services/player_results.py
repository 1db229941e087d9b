"""Reading what a player has played: his results, newest boards first, read for all boards together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.rated import NotRated, not_rated_for
from server.bridge.week import Week
from server.services import travellers, weeks
from server.services.errors import PlayerNotFound, ResultNotFound
from server.services.secrecy import Reader, Secrecy
from server.services.shield import newcomers
from server.services.tallies import rated_players
from server.services.travellers import Kept, Row, TravellerView
from server.storage import boards, disconnects, players, results, rulings
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.ids import result_id


@dataclass(frozen=True, slots=True)
class PlayerResults:
    """Which results of a player are asked for."""

    player: str
    pool: str
    after: int  # boards with smaller numbers of row; 0: from the newest on
    limit: int
    hidden_too: bool


async def of_player(
    database: Database, wanted: PlayerResults, reader: Reader, secrecy: Secrecy, now: datetime
) -> list[tuple[Row, TravellerView]]:
    """A player's results, newest boards first, each with its traveller of that row alone.

    Raises PlayerNotFound.
    """

    def query(connection: Connection) -> list[tuple[Row, TravellerView]]:
        player = players.find(connection, [wanted.player]).get(wanted.player)
        if player is None or (player.hidden and not wanted.hidden_too):
            raise PlayerNotFound(wanted.player)
        named = results.all_of_player(connection, player.number, wanted.pool, wanted.after, wanted.limit)
        rows = _rows(connection, dict(named), reader, secrecy, now)
        return _for_player(connection, player.number, rows)

    return await database.read(query)


def _for_player(
    connection: Connection, player: int, rows: list[tuple[Row, TravellerView]]
) -> list[tuple[Row, TravellerView]]:
    """With the reasons that are his alone: he sat in for somebody, or a newcomer sat at the table."""
    seated: dict[tuple[Week, str], set[int]] = {}
    for row, _ in rows:
        if row.board.week is not None and row.board.pool is not None:
            seated.setdefault((row.board.week, row.board.pool), set()).update(rated_players(row.result))
    new = {key: newcomers(connection, *key, numbers) for key, numbers in seated.items()}
    found = []
    for row, view in rows:
        week, pool = row.board.week, row.board.pool
        shielded = set[int]() if week is None or pool is None else new[week, pool]
        why = _own_reason(row, player, shielded)
        found.append((row if why is None else replace(row, rated=False, reason=why.value), view))
    return found


def _own_reason(row: Row, player: int, new: set[int]) -> NotRated | None:
    """Why he has no board Rate for a result."""
    reason, own = None if row.reason is None else NotRated(row.reason), rated_players(row.result)
    return not_rated_for(reason, player not in own, player in new, bool(new.intersection(own)))


def _rows(
    connection: Connection, named: Mapping[int, int], reader: Reader, secrecy: Secrecy, now: datetime
) -> list[tuple[Row, TravellerView]]:
    """The results with these sequences on their boards."""
    own = results.several(connection, named.items())
    if missing := named.keys() - own.keys():
        board = min(missing)
        raise ResultNotFound(result_id(board, named[board]))
    kept = _kept(connection, named, secrecy, now)
    left = disconnects.of_boards(connection, named)
    everybody = {number for each in own.values() for number in (*each.players, *each.replaced.values())}
    everybody |= {each.player for several in left.values() for each in several}
    people = players.by_number(connection, everybody)
    rows = []
    for board in named:
        is_open = secrecy.open_to(connection, kept[board].board, reader, now)
        view = travellers.made(kept[board], [own[board]], people, is_open, now, secrecy.zone)
        rows.append((travellers.with_leavers(view.rows[0], left.get(board, ()), people), view))
    return rows


def _kept(
    connection: Connection, named: Mapping[int, int], secrecy: Secrecy, now: datetime
) -> dict[int, Kept]:
    """What is kept of boards of weeks, and of the results of these sequences."""
    found, live = boards.several(connection, named), results.live_of(connection, named)
    awards = results.awards_of_several(connection, named.items())
    late: dict[tuple[object, object], datetime] = {}
    timely: dict[datetime, dict[int, int]] = {}

    def late_from(board: Board) -> datetime:
        key = (board.week, board.pool)
        if key not in late:
            late[key] = weeks.late_from_of(connection, board, now, secrecy.zone)
        return late[key]

    def timely_of(number: int, board: Board) -> int:
        ends = late_from(board)
        if ends not in timely:
            timely[ends] = results.timely(connection, named, ends)
        return timely[ends].get(number, 0)

    return {
        number: Kept(
            board,
            live.get(number, ()),
            awards.get(number, {}),
            rulings.of_board(connection, number) if board.ruled else (),
            late_from(board),
            timely_of(number, board),
        )
        for number, board in found.items()
    }
