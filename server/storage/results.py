"""Results, who played them, and their awards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select, text

from server.bridge.contract import Outcome, parse_contract
from server.bridge.seats import Seat
from server.bridge.traveller import SideScores
from server.storage import sets
from server.storage.tables import awards, boards, plays, results


@dataclass(frozen=True, slots=True)
class Result:
    """One table's outcome on a board."""

    board: int
    sequence: int  # order of arrival on the board, from 1
    table: str
    players: tuple[int, int, int, int]  # numbers of N, E, S, W
    outcome: Outcome
    lead: str | None  # card as suit and rank
    score: int  # total points for NS
    live: bool  # false: void
    version: int
    client: int
    received_at: datetime
    played_at: datetime | None
    details: str | None  # JSON: auction, play; replaced: numbers of players by seat

    @property
    def replaced(self) -> dict[Seat, int]:
        """Numbers of players who were replaced, by seat."""
        details = msgspec.json.decode(self.details) if self.details else {}
        return {Seat(seat): number for seat, number in details.get("replaced", {}).items()}

    @property
    def people(self) -> tuple[int, ...]:
        """Numbers of everybody who played the board at this table, in part too."""
        return (*self.players, *self.replaced.values())


@dataclass(frozen=True, slots=True)
class StandingAward:
    """The award that a result has."""

    score: SideScores
    datum: int | None  # that it was measured against
    results: int  # how many results were compared, itself included


@dataclass(frozen=True, slots=True)
class Play:
    """Somebody has a live result on a board."""

    board: int
    player: int
    sequence: int


def of_board(connection: Connection, board: int) -> list[Result]:
    """Every result of a board, void ones included, in order of arrival."""
    statement = select(results).where(results.c.board == board).order_by(results.c.sequence)
    return [from_row(row) for row in connection.execute(statement)]


def several(connection: Connection, named: Iterable[tuple[int, int]]) -> dict[int, Result]:
    """These results (board, sequence), one of each board, by board."""
    asked, given = _asked(connection, named)
    same = text("results.board = asked.board AND results.sequence = asked.sequence")
    statement = select(results).join(text(asked), same)
    return {row.board: from_row(row) for row in connection.execute(statement, given)}


def live_of(connection: Connection, boards: Iterable[int]) -> dict[int, list[int]]:
    """Sequences of the live results of some boards, in order."""
    inside = text(f"results.board IN {sets.elements(connection, 'boards')}")
    statement = select(results.c.board, results.c.sequence).where(inside, results.c.live)
    ordered = statement.order_by(results.c.board, results.c.sequence)
    found: dict[int, list[int]] = {}
    for board, sequence in connection.execute(ordered, {"boards": sets.as_json(sorted(set(boards)))}):
        found.setdefault(board, []).append(sequence)
    return found


def get(connection: Connection, board: int, sequence: int) -> Result | None:
    """One result."""
    statement = select(results).where(results.c.board == board, results.c.sequence == sequence)
    row = connection.execute(statement).first()
    return None if row is None else from_row(row)


def of_table(connection: Connection, board: int, table: str) -> Result | None:
    """The result of a table on a board that is not void; there is one at most."""
    named = (results.c.board == board) & (results.c.table_name == table) & results.c.live
    row = connection.execute(select(results).where(named)).first()
    return None if row is None else from_row(row)


def awards_of(connection: Connection, board: int) -> dict[int, StandingAward]:
    """Awards on a board, by sequence."""
    rows = connection.execute(select(awards).where(awards.c.board == board))
    return {row.sequence: _award(row) for row in rows}


def awards_of_several(
    connection: Connection, named: Iterable[tuple[int, int]]
) -> dict[int, dict[int, StandingAward]]:
    """Awards of these results (board, sequence), one of each board, by board and sequence."""
    asked, given = _asked(connection, named)
    same = text("awards.board = asked.board AND awards.sequence = asked.sequence")
    found = connection.execute(select(awards).join(text(asked), same), given)
    return {row.board: {row.sequence: _award(row)} for row in found}


def _asked(connection: Connection, named: Iterable[tuple[int, int]]) -> tuple[str, dict[str, str]]:
    """SQL for these results (board, sequence), called ``asked``, and its parameter."""
    rows = [{"board": board, "sequence": sequence} for board, sequence in sorted(set(named))]
    asked = sets.record_set(connection, "asked", board="bigint", sequence="bigint")
    return asked, {"asked": sets.as_json(rows)}


def _award(row: Any) -> StandingAward:
    return StandingAward(SideScores(row.ns, row.ew), row.datum, row.results)


def plays_of(connection: Connection, wanted: Iterable[tuple[int, int]]) -> list[Play]:
    """Live results of these players on these boards (board, player)."""
    rows = [{"board": board, "player": player} for board, player in sorted(set(wanted))]
    asked = sets.record_set(connection, "asked", board="bigint", player="bigint")
    statement = text(
        "SELECT asked.board, asked.player, (SELECT p.sequence FROM plays AS p "
        f"WHERE p.board = asked.board AND p.player = asked.player) AS sequence FROM {asked}"
    )
    found = connection.execute(statement, {"asked": sets.as_json(rows)})
    return [Play(row.board, row.player, row.sequence) for row in found.all() if row.sequence is not None]


def add(into: sets.Into, rows: Sequence[Result], replaced: Sequence[Play] = ()) -> None:
    """Keep new results and who played them; ``replaced`` did so in part."""
    sets.insert(into, results, [_values(result) for result in rows])
    played = [
        {"board": result.board, "player": player, "sequence": result.sequence}
        for result in rows
        for player in result.players
    ]
    played += [{"board": play.board, "player": play.player, "sequence": play.sequence} for play in replaced]
    sets.insert(into, plays, sorted(played, key=lambda row: (row["board"], row["player"])))


def add_awards(into: sets.Into, given: Sequence[tuple[int, int, StandingAward]]) -> None:
    """Keep awards: board, sequence, award."""
    rows = [
        {
            "board": board,
            "sequence": sequence,
            "ns": award.score.ns,
            "ew": award.score.ew,
            "datum": award.datum,
            "results": award.results,
        }
        for board, sequence, award in given
    ]
    sets.insert(into, awards, rows)


def outcome_values(outcome: Outcome) -> dict[str, Any]:
    """An outcome as its columns hold it."""
    return {
        "contract": None if outcome.contract is None else str(outcome.contract),
        "declarer": None if outcome.declarer is None else outcome.declarer.value,
        "tricks": outcome.tricks,
    }


def of_player(connection: Connection, player: int, week: str, pool: str) -> list[tuple[int, int]]:
    """Live results (board, sequence) of a player in a week and pool, those that he was replaced in too."""
    statement = (
        select(plays.c.board, plays.c.sequence)
        .join(boards, boards.c.id == plays.c.board)
        .where(plays.c.player == player, boards.c.week == week, boards.c.pool == pool)
        .order_by(boards.c.number)
    )
    return [(board, sequence) for board, sequence in connection.execute(statement)]


def all_of_player(
    connection: Connection, player: int, pool: str, after: int, limit: int
) -> list[tuple[int, int]]:
    """Live results (board, sequence) of a player in a pool, newest boards first, before board ``after``."""
    statement = select(plays.c.board, plays.c.sequence).join(boards, boards.c.id == plays.c.board)
    mine = (plays.c.player == player) & (boards.c.pool == pool)
    if after:
        mine &= plays.c.board < after
    found = connection.execute(statement.where(mine).order_by(plays.c.board.desc()).limit(limit))
    return [(board, sequence) for board, sequence in found]


def _values(result: Result) -> dict[str, Any]:
    north, east, south, west = result.players
    return {
        "board": result.board,
        "sequence": result.sequence,
        "table_name": result.table,
        "north": north,
        "east": east,
        "south": south,
        "west": west,
        **outcome_values(result.outcome),
        "lead": result.lead,
        "score": result.score,
        "client": result.client,
        "received_at": result.received_at,
        "played_at": result.played_at,
        "details": result.details,
    }


def from_row(row: Row[Any]) -> Result:
    """A result from its columns."""
    return Result(
        board=row.board,
        sequence=row.sequence,
        table=row.table_name,
        players=(row.north, row.east, row.south, row.west),
        outcome=Outcome(
            None if row.contract is None else parse_contract(row.contract),
            None if row.declarer is None else Seat(row.declarer),
            row.tricks,
        ),
        lead=row.lead,
        score=row.score,
        live=bool(row.live),
        version=row.version,
        client=row.client,
        received_at=row.received_at,
        played_at=row.played_at,
        details=row.details,
    )
