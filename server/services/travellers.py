"""Reading what happened on a board: its traveller, one result, and why each number is what it is."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection

from server.bridge.cross_imps import cross_imps_of
from server.bridge.datum import Datum, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import percentages
from server.bridge.seats import Seat
from server.bridge.traveller import SideScores, hundredths, percent
from server.services import event_field, weeks
from server.services.errors import BoardNotFound, PlayerNotFound, ResultNotFound
from server.services.rated import not_rated
from server.services.secrecy import Reader, Secrecy
from server.storage import boards, disconnects, players, results, rulings
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.disconnects import Disconnect
from server.storage.ids import board_id, result_id
from server.storage.players import Player
from server.storage.results import Result, StandingAward
from server.storage.rulings import Revision


class ResultState(StrEnum):
    """Where a result stands."""

    PENDING = "pending"  # its board has too few results yet
    SCORED = "scored"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Figures:
    """What a result is worth against its field, in hundredths; nothing while its board is pending."""

    dropped: bool | None = None  # left out of the datum
    field: SideScores | None = None  # by the method of the pool
    datum_imps: SideScores | None = None
    cross_imps: SideScores | None = None  # per comparison
    matchpoints: SideScores | None = None  # per cent


_NOTHING = Figures()


@dataclass(frozen=True, slots=True)
class Row:
    """One result with everything that its board makes of it."""

    board: Board
    result: Result
    players: tuple[Player, Player, Player, Player]  # N, E, S, W
    state: ResultState
    award: StandingAward | None
    figures: Figures
    rated: bool
    reason: str | None  # why not rated
    revisions: tuple[Revision, ...] = ()  # what directors ruled about it, in order
    # Only where one result is read by itself:
    replaced: tuple[tuple[Seat, Player], ...] = ()  # who was, by seat
    disconnects: tuple[tuple[Disconnect, Player], ...] = ()  # of whom


@dataclass(frozen=True, slots=True)
class TravellerView:
    """A board with its results, as far as the reader may see them."""

    board: Board
    open: bool
    datum: Datum | None
    rows: tuple[Row, ...]  # in order of arrival


@dataclass(frozen=True, slots=True)
class PlayerResults:
    """Which results of a player are asked for."""

    player: str
    pool: str
    after: int  # boards with smaller numbers of row; 0: from the newest on
    limit: int
    hidden_too: bool


async def traveller(
    database: Database, number: int, reader: Reader, secrecy: Secrecy, now: datetime
) -> TravellerView:
    """The traveller of a board. Raises BoardNotFound."""

    def query(connection: Connection) -> TravellerView:
        board = boards.get(connection, number)
        if board is None:
            raise BoardNotFound(board_id(number))
        return view(connection, board, reader, secrecy, now)

    return await database.read(query)


async def result(
    database: Database, named: tuple[int, int], reader: Reader, secrecy: Secrecy, now: datetime
) -> tuple[Row, TravellerView]:
    """One result (board, sequence) with the traveller that it stands in. Raises ResultNotFound."""

    def query(connection: Connection) -> tuple[Row, TravellerView]:
        board = boards.get(connection, named[0])
        if board is None or results.get(connection, *named) is None:
            raise ResultNotFound(result_id(*named))
        found = view(connection, board, reader, secrecy, now)
        row = next(row for row in found.rows if row.result.sequence == named[1])
        return _with_leavers(connection, row), found

    return await database.read(query)


async def of_player(
    database: Database, wanted: PlayerResults, reader: Reader, secrecy: Secrecy, now: datetime
) -> list[tuple[Row, TravellerView]]:
    """A player's results, newest boards first, each with its traveller. Raises PlayerNotFound."""

    def query(connection: Connection) -> list[tuple[Row, TravellerView]]:
        player = players.find(connection, [wanted.player]).get(wanted.player)
        if player is None or (player.hidden and not wanted.hidden_too):
            raise PlayerNotFound(wanted.player)
        numbers = results.all_of_player(connection, player.number, wanted.pool, wanted.after, wanted.limit)
        return [_row_of(connection, named, reader, secrecy, now) for named in numbers]

    return await database.read(query)


def _row_of(
    connection: Connection, named: tuple[int, int], reader: Reader, secrecy: Secrecy, now: datetime
) -> tuple[Row, TravellerView]:
    board = boards.get(connection, named[0])
    if board is None:
        raise ResultNotFound(result_id(*named))
    found = view(connection, board, reader, secrecy, now)
    row = next(row for row in found.rows if row.result.sequence == named[1])
    return _with_leavers(connection, row), found


def _with_leavers(connection: Connection, row: Row) -> Row:
    """The row with who was replaced and who disconnected at its table."""
    replaced, people, table = row.result.replaced, row.result.people, row.result.table
    everybody = disconnects.of_board(connection, row.board.id)
    left = [each for each in everybody if each.table == table and each.player in people]
    known = players.by_number(connection, [*replaced.values(), *(each.player for each in left)])
    return replace(
        row,
        replaced=tuple((seat, known[number]) for seat, number in replaced.items()),
        disconnects=tuple((each, known[each.player]) for each in left),
    )


def view(
    connection: Connection, board: Board, reader: Reader, secrecy: Secrecy, now: datetime
) -> TravellerView:
    """The traveller of ``board``, within a transaction."""
    everything = results.of_board(connection, board.id)
    awards = results.awards_of(connection, board.id)
    people = players.by_number(connection, (number for each in everything for number in each.players))
    live = [each.sequence for each in everything if each.live]
    revisions = rulings.of_board(connection, board.id) if board.ruled else []
    compared = dict(zip(live, _compare(board), strict=True)) if board.scored else {}
    late_from = weeks.late_from_of(connection, board, now, secrecy.zone)
    # A board of an event is scored with its round, by the method of the event.
    fields = event_field.board_fields(connection, board.id) if board.week is None else None
    rows = []
    for each in everything:
        figures = compared.get(each.sequence, _NOTHING)
        if fields is not None:
            figures = replace(figures, field=fields.get(each.table) if each.live else None)
        late = each.received_at >= late_from
        why = not_rated(board, each.live, board.scored, late, now, secrecy.zone)
        scored = each.sequence in compared
        state = ResultState.SCORED if scored else ResultState.PENDING if each.live else ResultState.VOID
        north, east, south, west = (people[number] for number in each.players)
        rows.append(
            Row(
                board,
                each,
                (north, east, south, west),
                state,
                awards.get(each.sequence),
                figures,
                why is None,
                why,
                tuple(revision for revision in revisions if revision.sequence == each.sequence),
            )
        )
    is_open = secrecy.open_to(connection, board, reader, now)
    return TravellerView(board, is_open, board.traveller.datum(), tuple(rows))


def _compare(board: Board) -> list[Figures]:
    """What every live result is worth against the others; the board has enough of them."""
    scores = board.scores
    found = datum(scores, board.terms.trim)
    shares = percentages(scores)
    field = board.traveller.field_scores() or ()
    figures = []
    for i, (score, own, share) in enumerate(zip(scores, field, shares, strict=True)):
        cross = hundredths(cross_imps_of(scores, i).mean)
        against = imps(score - found.value)
        figures.append(
            Figures(
                dropped=found.dropped[i],
                field=own,
                datum_imps=SideScores(100 * against, -100 * against),
                cross_imps=SideScores(cross, -cross),
                matchpoints=percent(share),
            )
        )
    return figures
