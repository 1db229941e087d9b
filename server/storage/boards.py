"""Boards and the sets they belong to."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select, text

from server.bridge.datum import parse_schedule
from server.bridge.deal import Deal, parse_deal
from server.bridge.field_bulk import BoardTerms
from server.bridge.pool import ScoringMethod, Terms
from server.bridge.seats import Seat, Vulnerability
from server.bridge.traveller import BoardState, Traveller, state_of
from server.bridge.week import Week, parse_week
from server.storage import sets
from server.storage.tables import board_sets, boards
from server.storage.types import scores_text


class Board(msgspec.Struct, frozen=True):
    """A board with the scores of its live results.

    A frozen value like all others; no dataclass because each arrival makes a new one, ten times faster so.
    """

    id: int
    week: Week | None  # None: a board of an event
    pool: str | None
    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal | None
    terms: Terms
    scores: tuple[int, ...]  # total points for NS, by sequence
    last_sequence: int
    retired_at: datetime | None
    withdrawn_at: datetime | None
    version: int
    change: int  # raised by every arrival and ruling
    bulletins: int = 0  # written to the board's channel
    revealed_at: datetime | None = None  # when the channel was told everything
    ruled: bool = False  # directors have ruled on its results: ``scores`` may leave some out

    def after(self, **changes: Any) -> "Board":
        """The board with some members changed."""
        return msgspec.structs.replace(self, **changes)

    @property
    def traveller(self) -> Traveller:
        """Its live results, to be scored."""
        points = None
        if self.terms.method is ScoringMethod.HCP_COMPENSATION and self.deal is not None:
            points = ns_points(self.deal)
        return Traveller(self.terms, self.scores, self.retired_at is not None, points)

    @property
    def state(self) -> BoardState:
        """Pending, scoring, retired or withdrawn."""
        if self.withdrawn_at is not None:
            return BoardState.WITHDRAWN
        return state_of(self.terms, len(self.scores), self.retired_at is not None)

    @property
    def scored(self) -> bool:
        """Whether it has enough results to compare with one another."""
        return len(self.scores) >= self.terms.score_at


_SELECT = select(
    boards.c.id,
    boards.c.scores,
    boards.c.last_sequence,
    boards.c.retired_at,
    boards.c.withdrawn_at,
    boards.c.version,
    boards.c.change,
    boards.c.bulletins,
    boards.c.revealed_at,
    boards.c.ruled,
    # What was settled when it was made.
    boards.c.week,
    boards.c.pool,
    boards.c.number,
    boards.c.dealer,
    boards.c.vulnerability,
    boards.c.deal,
    boards.c.method,
    boards.c.score_at,
    boards.c.retire_at,
    boards.c.trim,
)


def get(connection: Connection, number: int) -> Board | None:
    """The board with this number."""
    row = connection.execute(_SELECT.where(boards.c.id == number)).first()
    return None if row is None else _board(row)


def several(connection: Connection, numbers: Iterable[int]) -> dict[int, Board]:
    """These boards, as far as they exist."""
    wanted = text(f"boards.id IN {sets.elements(connection, 'numbers')}")
    rows = connection.execute(_SELECT.where(wanted), {"numbers": sets.as_json(sorted(set(numbers)))})
    return {row.id: _board(row) for row in rows.all()}


def lock(connection: Connection, numbers: Iterable[int]) -> dict[int, Board]:
    """These boards, as far as they exist, held until the transaction ends; locked in ascending order."""
    wanted = text(f"boards.id IN {sets.elements(connection, 'numbers')}")
    statement = _SELECT.where(wanted).order_by(boards.c.id).with_for_update()
    rows = connection.execute(statement, {"numbers": sets.as_json(sorted(set(numbers)))})
    return {row.id: _board(row) for row in rows.all()}


def numbered(
    connection: Connection, wanted: Iterable[tuple[str, str, int]]
) -> dict[tuple[str, str, int], int]:
    """Boards by week, pool and number."""
    rows = [dict(zip(("week", "pool", "number"), each, strict=True)) for each in sorted(set(wanted))]
    if not rows:
        return {}
    asked = sets.record_set(connection, "asked", week="text", pool="text", number="bigint")
    statement = text(
        f"SELECT boards.id, boards.week, boards.pool, boards.number FROM {asked} JOIN boards "
        "ON boards.week = asked.week AND boards.pool = asked.pool AND boards.number = asked.number"
    )
    found = connection.execute(statement, {"asked": sets.as_json(rows)})
    return {(row.week, row.pool, row.number): row.id for row in found}


def page(connection: Connection, week: str, pool: str, after: int, limit: int) -> list[Board]:
    """Boards of a set in order of number, those after number ``after``."""
    statement = (
        _SELECT.where(boards.c.week == week, boards.c.pool == pool, boards.c.number > after)
        .order_by(boards.c.number)
        .limit(limit)
    )
    return [_board(row) for row in connection.execute(statement)]


def beside(connection: Connection, week: str, pool: str, number: int) -> list[tuple[int, int] | None]:
    """Ids and numbers of the boards before and after one in its set; None where it is the first or last."""
    of_set = select(boards.c.id, boards.c.number).where(boards.c.week == week, boards.c.pool == pool)
    before = of_set.where(boards.c.number < number).order_by(boards.c.number.desc()).limit(1)
    after = of_set.where(boards.c.number > number).order_by(boards.c.number).limit(1)
    found = (connection.execute(statement).first() for statement in (before, after))
    return [None if row is None else (row.id, row.number) for row in found]


def lock_set(connection: Connection, week: str, pool: str, now: datetime) -> None:
    """Hold the set of a week and pool until the transaction ends; made when it is new."""
    rows = [{"week": week, "pool": pool, "created_at": now}]
    sets.insert(connection, board_sets, rows, "ON CONFLICT DO NOTHING")
    statement = select(board_sets).where(board_sets.c.week == week, board_sets.c.pool == pool)
    connection.execute(statement.with_for_update()).one()


def set_exists(connection: Connection, week: str, pool: str) -> bool:
    """Whether any board was made for this week and pool."""
    statement = select(boards.c.id).where(boards.c.week == week, boards.c.pool == pool).limit(1)
    return connection.execute(statement).first() is not None


def numbers_of_set(connection: Connection, week: str, pool: str) -> set[int]:
    """Board numbers taken in this week and pool."""
    statement = select(boards.c.number).where(boards.c.week == week, boards.c.pool == pool)
    return set(connection.execute(statement).scalars())


def add(connection: Connection, week: Week, pool: str, rows: Sequence[Board], now: datetime) -> list[Board]:
    """Make boards; those given carry no number of row yet. Returned in order of board number."""
    sets.insert(connection, boards, [_values(board, now) for board in rows])
    first = min(board.number for board in rows)
    wanted = {board.number for board in rows}
    statement = _SELECT.where(boards.c.week == str(week), boards.c.pool == pool, boards.c.number >= first)
    found = connection.execute(statement.order_by(boards.c.number))
    return [_board(row) for row in found if row.number in wanted]


def add_loose(connection: Connection, rows: Sequence[Board], now: datetime) -> list[int]:
    """Make boards that belong to no week; the numbers of their rows, in the same order."""
    made = []
    for board in rows:
        statement = insert(boards).values(**_values(board, now)).returning(boards.c.id)
        made.append(connection.execute(statement).scalar_one())
    return made


def retire(connection: Connection, numbers: Iterable[int], now: datetime) -> None:
    """Close boards to further results, and so reveal them; held until the transaction ends."""
    for board in lock(connection, numbers).values():
        if board.retired_at is None:
            update(connection, [board.after(retired_at=now)])


def update(into: sets.Into, rows: Iterable[Board]) -> None:
    """Write back what arrivals change: scores, sequence, retirement, change number."""
    values = [
        {
            "scores": scores_text(board.scores),
            "last_sequence": board.last_sequence,
            "retired_at": board.retired_at,
            "change": board.change,
            "bulletins": board.bulletins,
            "revealed_at": board.revealed_at,
            "id": board.id,
        }
        for board in rows
    ]
    sets.update(into, boards, ("id",), values)


def terms_of(board: Board) -> BoardTerms:
    """By what rules a board is scored, and what its cards are worth where the method asks for it."""
    return BoardTerms(board.terms, board.traveller.ns_points)


def ns_points(deal: Deal) -> int | None:
    """High-card points of NS; None when their hands are not given."""
    north, south = (deal.high_card_points(seat) for seat in (Seat.N, Seat.S))
    return None if north is None or south is None else north + south


def unrevealed(connection: Connection, closed: str, limit: int) -> list[int]:
    """Boards whose channel was not told everything though nobody plays them any more.

    They are retired, withdrawn, or of the week ``closed`` or an earlier one.
    """
    over = boards.c.retired_at.is_not(None) | boards.c.withdrawn_at.is_not(None) | (boards.c.week <= closed)
    statement = select(boards.c.id).where(boards.c.revealed_at.is_(None), over)
    return list(connection.execute(statement.order_by(boards.c.id).limit(limit)).scalars())


def _values(board: Board, now: datetime) -> dict[str, Any]:
    return {
        "week": None if board.week is None else str(board.week),
        "pool": board.pool,
        "number": board.number,
        "dealer": board.dealer.value,
        "vulnerability": board.vulnerability.value,
        "deal": None if board.deal is None else str(board.deal),
        "method": board.terms.method.value,
        "score_at": board.terms.score_at,
        "retire_at": board.terms.retire_at,
        "trim": board.terms.trim.text,
        "created_at": now,
    }


# A board is read for every result on it: what its columns say from its making on is worked out once.
@lru_cache(8192)
def _made(
    week: str | None, pool: str, number: int, dealer: str, vulnerability: str, deal: str | None, *terms: Any
) -> Board:
    return Board(
        id=0,
        week=None if week is None else parse_week(week),
        pool=pool,
        number=number,
        dealer=Seat(dealer),
        vulnerability=Vulnerability(vulnerability),
        deal=None if deal is None else parse_deal(deal),
        terms=terms_from(*terms),
        scores=(),
        last_sequence=0,
        retired_at=None,
        withdrawn_at=None,
        version=1,
        change=0,
    )


@lru_cache(1024)
def terms_from(method: str, score_at: int, retire_at: int | None, trim: str) -> Terms:
    """By what rules a board is scored, from its columns."""
    return Terms(ScoringMethod(method), score_at, retire_at, parse_schedule(trim))


def _board(row: Sequence[Any]) -> Board:
    number, scores, last, retired_at, withdrawn_at, version, change, told, revealed_at, ruled, *made = row
    return _made(*made).after(
        id=number,
        scores=scores,
        last_sequence=last,
        retired_at=retired_at,
        withdrawn_at=withdrawn_at,
        version=version,
        change=change,
        bulletins=told,
        revealed_at=revealed_at,
        ruled=bool(ruled),
    )
