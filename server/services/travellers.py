"""Reading what happened on a board: its traveller, one result, and why each number is what it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.cross_imps import cross_imps_of
from server.bridge.datum import Datum, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import matchpoints, share_of_top
from server.bridge.seats import Seat
from server.bridge.traveller import SideScores, hundredths, percent
from server.services import event_field, weeks
from server.services.errors import BoardNotFound, ResultNotFound
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
class Kept:
    """What is kept of a board that its traveller is made of."""

    board: Board
    live: Sequence[int]  # sequences of its live results, as the board has their scores
    awards: Mapping[int, StandingAward]  # by sequence
    revisions: Sequence[Revision]
    late_from: datetime  # from then on what comes for it is late
    fields: Mapping[str, SideScores] | None = None  # by table: of an event, which scores its rounds itself


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


def _with_leavers(connection: Connection, row: Row) -> Row:
    """The row with who was replaced and who disconnected at its table."""
    everybody = disconnects.of_board(connection, row.board.id)
    involved = [*row.result.replaced.values(), *(each.player for each in everybody)]
    return with_leavers(row, everybody, players.by_number(connection, involved))


def with_leavers(row: Row, everybody: Iterable[Disconnect], people: Mapping[int, Player]) -> Row:
    """The row with who was replaced and who disconnected at its table, of all who left the board."""
    replaced, at_table, table = row.result.replaced, row.result.people, row.result.table
    left = [each for each in everybody if each.table == table and each.player in at_table]
    return replace(
        row,
        replaced=tuple((seat, people[number]) for seat, number in replaced.items()),
        disconnects=tuple((each, people[each.player]) for each in left),
    )


def view(
    connection: Connection, board: Board, reader: Reader, secrecy: Secrecy, now: datetime
) -> TravellerView:
    """The traveller of ``board``, within a transaction."""
    everything = results.of_board(connection, board.id)
    kept = Kept(
        board,
        [each.sequence for each in everything if each.live],
        results.awards_of(connection, board.id),
        rulings.of_board(connection, board.id) if board.ruled else [],
        weeks.late_from_of(connection, board, now, secrecy.zone),
        event_field.board_fields(connection, board.id) if board.week is None else None,
    )
    people = players.by_number(connection, (number for each in everything for number in each.players))
    is_open = secrecy.open_to(connection, board, reader, now)
    return made(kept, everything, people, is_open, now, secrecy.zone)


def made(
    kept: Kept,
    wanted: Sequence[Result],
    people: Mapping[int, Player],
    is_open: bool,
    now: datetime,
    zone: ZoneInfo,
) -> TravellerView:
    """The traveller with rows for the results that are ``wanted``."""
    board = kept.board
    places = {each.sequence: kept.live.index(each.sequence) for each in wanted if each.live}
    compared = dict(zip(places, _compare(board, places.values()), strict=True)) if board.scored else {}
    rows = []
    for each in wanted:
        figures = compared.get(each.sequence, _NOTHING)
        if kept.fields is not None:
            figures = replace(figures, field=kept.fields.get(each.table) if each.live else None)
        why = not_rated(board, each.live, board.scored, each.received_at >= kept.late_from, now, zone)
        scored = each.sequence in compared
        state = ResultState.SCORED if scored else ResultState.PENDING if each.live else ResultState.VOID
        north, east, south, west = (people[number] for number in each.players)
        rows.append(
            Row(
                board,
                each,
                (north, east, south, west),
                state,
                kept.awards.get(each.sequence),
                figures,
                why is None,
                why,
                tuple(revision for revision in kept.revisions if revision.sequence == each.sequence),
            )
        )
    return TravellerView(board, is_open, board.traveller.datum(), tuple(rows))


def _compare(board: Board, places: Iterable[int]) -> list[Figures]:
    """What the live results at these places are worth against all others; the board has enough of them."""
    scores = board.scores
    found = datum(scores, board.terms.trim)
    points = matchpoints(scores)
    field = board.traveller.field_scores() or ()
    figures = []
    for i in places:
        cross = hundredths(cross_imps_of(scores, i).mean)
        against = imps(scores[i] - found.value)
        share = percent(share_of_top(points[i], len(scores)))
        figures.append(
            Figures(
                dropped=found.dropped[i],
                field=field[i],
                datum_imps=SideScores(100 * against, -100 * against),
                cross_imps=SideScores(cross, -cross),
                matchpoints=share,
            )
        )
    return figures
