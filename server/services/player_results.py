"""Reading what a player has played: his results, newest boards first, read for all boards together."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.services import travellers, weeks
from server.services.errors import PlayerNotFound, ResultNotFound
from server.services.secrecy import Reader, Secrecy
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
        return _rows(connection, dict(named), reader, secrecy, now)

    return await database.read(query)


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

    def late_from(board: Board) -> datetime:
        key = (board.week, board.pool)
        if key not in late:
            late[key] = weeks.late_from_of(connection, board, now, secrecy.zone)
        return late[key]

    return {
        number: Kept(
            board,
            live.get(number, ()),
            awards.get(number, {}),
            rulings.of_board(connection, number) if board.ruled else (),
            late_from(board),
        )
        for number, board in found.items()
    }
