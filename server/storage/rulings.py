"""Rulings: what directors changed, as revisions that are appended and never changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, text, update

from server.bridge.contract import Outcome, parse_contract
from server.bridge.seats import Seat
from server.storage import sets
from server.storage.boards import Board
from server.storage.results import Result, StandingAward, outcome_values
from server.storage.tables import awards, boards, plays, results, revisions
from server.storage.types import scores_text


class RulingKind(StrEnum):
    """What was ruled."""

    VOID = "void"  # a result is none any more
    ADJUST = "adjust"  # a result is another one
    DISCONNECT_VOID = "disconnect-void"  # a disconnect is none any more
    PARTNER_LIFTED = "partner-lifted"  # what a disconnect costs the leaver's partner is taken from him


class Basis(StrEnum):
    """On what ground a score is adjusted; discipline is none (it takes a warning or a penalty instead)."""

    DAMAGE = "damage"  # an infraction did damage; both are stated
    UNPLAYABLE = "unplayable"
    SCORE_ERROR = "score_error"  # what was reported is not what happened


class Stand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the subject of a ruling stood before it, or stands after it; of a disconnect only ``live``."""

    live: bool
    contract: str | None = None  # None: passed out
    declarer: str | None = None
    tricks: int | None = None
    score: int = 0  # total points for NS
    award: StandingAward | None = None

    @property
    def outcome(self) -> Outcome:
        """Contract, declarer and tricks."""
        contract = None if self.contract is None else parse_contract(self.contract)
        return Outcome(contract, None if self.declarer is None else Seat(self.declarer), self.tricks)


@dataclass(frozen=True, slots=True)
class Revision:
    """One ruling: what it changed, why, by whom, when."""

    board: int
    number: int  # the version of the board that it made
    kind: RulingKind
    sequence: int | None  # of the result, or
    disconnect: int | None  # number of the disconnect
    arrived: int  # how many results had arrived on the board before it
    basis: Basis | None  # of an adjustment
    infraction: str | None
    damage: str | None
    reason: str
    before: Stand
    after: Stand
    client: int
    at: datetime


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Stand).decode


def stand(result: Result, award: StandingAward | None) -> Stand:
    """Where a result stands."""
    values = outcome_values(result.outcome)
    return Stand(live=result.live, score=result.score, award=award, **values)


def add(connection: Connection, revision: Revision) -> None:
    """Append a revision."""
    names = [column.name for column in revisions.c if column.name not in ("before", "after")]
    values = {name: getattr(revision, name) for name in names}
    values |= {name: _encode(getattr(revision, name)).decode() for name in ("before", "after")}
    connection.execute(insert(revisions).values(values))


def of_board(connection: Connection, board: int) -> list[Revision]:
    """Every revision of a board, in order."""
    statement = select(revisions).where(revisions.c.board == board).order_by(revisions.c.number)
    return [_revision(row) for row in connection.execute(statement)]


def of_disconnects(connection: Connection, numbers: Iterable[int]) -> dict[int, dict[RulingKind, Revision]]:
    """The revisions of these disconnects, as far as there are any; one of a kind at most."""
    statement = select(revisions).where(revisions.c.disconnect.in_(sorted(set(numbers))))
    found: dict[int, dict[RulingKind, Revision]] = {}
    for row in connection.execute(statement):
        found.setdefault(row.disconnect, {})[RulingKind(row.kind)] = _revision(row)
    return found


def live(connection: Connection, numbers: Iterable[int]) -> dict[int, dict[int, bool]]:
    """Results that are not void on these boards, in order of arrival: whether each has an award."""
    wanted = sorted(set(numbers))
    found: dict[int, dict[int, bool]] = {number: {} for number in wanted}
    statement = text(
        "SELECT r.board, r.sequence, (SELECT a.results FROM awards AS a "
        "WHERE a.board = r.board AND a.sequence = r.sequence) AS award FROM results AS r "
        f"WHERE r.board IN {sets.elements(connection, 'boards')} AND r.live ORDER BY r.board, r.sequence"
    )
    for row in connection.execute(statement, {"boards": sets.as_json(wanted)}):
        found[row.board][row.sequence] = row.award is not None
    return found


def change_result(connection: Connection, result: Result, award: StandingAward | None) -> None:
    """Write back a result as a ruling left it, with its award."""
    named = (results.c.board == result.board) & (results.c.sequence == result.sequence)
    values = outcome_values(result.outcome) | {
        "score": result.score,
        "live": result.live,
        "version": result.version,
    }
    connection.execute(update(results).where(named).values(values))
    its = (awards.c.board == result.board) & (awards.c.sequence == result.sequence)
    if award is None:
        connection.execute(delete(awards).where(its))
    else:
        given = {"ns": award.score.ns, "ew": award.score.ew, "datum": award.datum, "results": award.results}
        connection.execute(update(awards).where(its).values(given))


def forget_plays(connection: Connection, result: Result) -> list[int]:
    """A void result was played by nobody: forget who played it; their numbers."""
    its = (plays.c.board == result.board) & (plays.c.sequence == result.sequence)
    people = list(connection.execute(select(plays.c.player).where(its)).scalars())
    connection.execute(delete(plays).where(its))
    return people


def change_board(connection: Connection, board: Board) -> None:
    """Write back a board as a ruling left it."""
    values = {
        "scores": scores_text(board.scores),
        "ruled": board.ruled,
        "version": board.version,
        "change": board.change,
        "bulletins": board.bulletins,
        "revealed_at": board.revealed_at,
        "id": board.id,
    }
    sets.update(connection, boards, ("id",), [values])


def _revision(row: Row[Any]) -> Revision:
    values = dict(row._mapping)
    before, after = _decode(values.pop("before")), _decode(values.pop("after"))
    kind, basis = RulingKind(values.pop("kind")), values.pop("basis")
    basis = None if basis is None else Basis(basis)
    return Revision(kind=kind, basis=basis, before=before, after=after, **values)
