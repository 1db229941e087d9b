"""The rounds of events: their tables, boards, arrivals and scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, text, update

from server.bridge.swiss_by_hand import Objection
from server.storage import boards, sets
from server.storage.boards import Board
from server.storage.event_tables import (
    event_arrivals,
    event_boards,
    event_matches,
    event_rounds,
    event_scores,
)


class ByHand(msgspec.Struct, frozen=True):
    """A round as a director wants it."""

    matches: tuple[tuple[int, int], ...]
    sit_outs: tuple[int, ...] = ()
    despite: tuple[Objection[int], ...] = ()  # what spoke against it when it was taken
    dropped: tuple[Objection[int], ...] = ()  # what had it dropped when its round started


@dataclass(frozen=True, slots=True)
class Round:
    """A round."""

    number: int
    seed: int | None
    by_hand: ByHand | None  # as it is to be paired, or was
    sit_outs: tuple[int, ...]
    started_at: datetime | None
    appear_by: datetime | None  # when play is over: by when one had to be there
    playable_until: datetime | None  # when play is over: when the last board was dealt, by the clock
    ended_at: datetime | None  # when play was over
    scored_at: datetime | None
    dropped: ByHand | None = None  # as a director wanted it, which could not be done when it started


@dataclass(frozen=True, slots=True)
class Match:
    """A table of a round."""

    round: int
    table: int
    ns: int
    ew: int
    sits_first: int
    dealt: int = 0  # so many boards, the first ones, are dealt to it no more: it has asked, or may not
    skipped: int = 0  # so many of these it may not play, as they were seen at another table

    @property
    def name(self) -> str:
        """Under which its results are kept: one sitting."""
        return table_name(self.round, self.table)


@dataclass(frozen=True, slots=True)
class StoredScore:
    """What a pair has from a round."""

    round: int
    entry: int
    kind: str
    score: int
    finished: int
    boards: str  # JSON


def table_name(round_number: int, table: int) -> str:
    """The table of a result that was played at a table of a round."""
    return f"R{round_number}-T{table}"


def rounds(connection: Connection, event: int) -> list[Round]:
    """Every round that has started or was paired by hand, in order."""
    statement = select(event_rounds).where(event_rounds.c.event == event).order_by(event_rounds.c.round)
    return [_as_kept(row) for row in connection.execute(statement)]


def _as_kept(row: Row[Any]) -> Round:
    wanted = None if row.by_hand is None else msgspec.json.decode(row.by_hand, type=ByHand)
    dropped = wanted is not None and bool(wanted.dropped)
    return Round(
        row.round,
        None if row.seed is None else int(row.seed),
        None if dropped else wanted,
        row.sit_outs,
        row.started_at,
        row.appear_by,
        row.playable_until,
        row.ended_at,
        row.scored_at,
        wanted if dropped else None,
    )


def keep_by_hand(connection: Connection, event: int, number: int, wanted: ByHand | None) -> None:
    """Keep how a director wants a round, in place of what he wanted before; None: not at all any more."""
    _make(connection, event, number)
    mine = _round(event, number)
    told = None if wanted is None else msgspec.json.encode(wanted).decode()
    connection.execute(update(event_rounds).where(mine).values(by_hand=told))


def start(
    connection: Connection, event: int, number: int, seed: int | None, sit_outs: Sequence[int], at: datetime
) -> None:
    """Note that a round has started."""
    _make(connection, event, number)
    values = {
        "seed": None if seed is None else str(seed),
        "sit_outs": tuple(sit_outs),
        "started_at": at,
    }
    connection.execute(update(event_rounds).where(_round(event, number)).values(**values))


def sit_out(connection: Connection, event: int, number: int, pairs: Sequence[int]) -> None:
    """Note who sits out a round that has started."""
    connection.execute(update(event_rounds).where(_round(event, number)).values(sit_outs=tuple(pairs)))


def end(
    connection: Connection, event: int, number: int, appear_by: datetime, playable: datetime, at: datetime
) -> None:
    """Note that play in a round is over."""
    values = {"appear_by": appear_by, "playable_until": playable, "ended_at": at}
    connection.execute(update(event_rounds).where(_round(event, number)).values(**values))


def scored(connection: Connection, event: int, number: int, now: datetime) -> None:
    """Note that the scores of a round are stored, if they were not before."""
    mine = _round(event, number) & event_rounds.c.scored_at.is_(None)
    connection.execute(update(event_rounds).where(mine).values(scored_at=now))


def keep_matches(connection: Connection, event: int, number: int, rows: Sequence[Match]) -> None:
    """Store the tables of a round, in place of those that were there."""
    connection.execute(
        delete(event_matches).where(event_matches.c.event == event, event_matches.c.round == number)
    )
    values = [
        {
            "event": event,
            "round": number,
            "table_number": row.table,
            "ns": row.ns,
            "ew": row.ew,
            "sits_first": row.sits_first,
            "dealt": row.dealt,
            "skipped": row.skipped,
        }
        for row in rows
    ]
    if values:
        connection.execute(insert(event_matches), values)


def matches(connection: Connection, event: int, number: int | None = None) -> list[Match]:
    """Tables of a round, or of all, in order."""
    statement = select(event_matches).where(event_matches.c.event == event)
    if number is not None:
        statement = statement.where(event_matches.c.round == number)
    ordered = statement.order_by(event_matches.c.round, event_matches.c.table_number)
    return [
        Match(row.round, row.table_number, row.ns, row.ew, row.sits_first, row.dealt, row.skipped)
        for row in connection.execute(ordered)
    ]


def deal_next(connection: Connection, event: int, match: Match) -> None:
    """Note that a table asked for one more board."""
    mine = (event_matches.c.event == event) & (event_matches.c.round == match.round)
    statement = update(event_matches).where(mine, event_matches.c.table_number == match.table)
    connection.execute(statement.values(dealt=match.dealt + 1))


def add_boards(
    connection: Connection, event: int, number: int, made: Sequence[Board], now: datetime
) -> dict[int, int]:
    """Make the boards of a round; their rows by number."""
    found = boards.add_loose(connection, made, now)
    rows = [
        {"event": event, "round": number, "number": board.number, "board": row}
        for board, row in zip(made, found, strict=True)
    ]
    connection.execute(insert(event_boards), rows)
    return {row["number"]: row["board"] for row in rows}


def board_numbers(connection: Connection, event: int, number: int | None = None) -> dict[int, int]:
    """Rows of the boards of a round, or of all, by their numbers."""
    statement = select(event_boards).where(event_boards.c.event == event)
    if number is not None:
        statement = statement.where(event_boards.c.round == number)
    return {row.number: row.board for row in connection.execute(statement.order_by(event_boards.c.number))}


def arrive(connection: Connection, event: int, number: int, player: int, now: datetime) -> None:
    """Note that a player came to his table; the first time counts."""
    rows = [{"event": event, "round": number, "player": player, "at": now}]
    sets.insert(connection, event_arrivals, rows, "ON CONFLICT DO NOTHING")


def arrivals(connection: Connection, event: int, number: int) -> dict[int, datetime]:
    """When players came to their tables in a round."""
    mine = (event_arrivals.c.event == event) & (event_arrivals.c.round == number)
    return {row.player: row.at for row in connection.execute(select(event_arrivals).where(mine))}


_RESULTS = """
SELECT b.number AS number, r.table_name AS name, r.sequence AS sequence, r.score AS score
FROM event_boards AS b JOIN results AS r ON r.board = b.board
WHERE b.event = :event AND b.round = :round AND r.live ORDER BY b.number, r.sequence
"""


def results(connection: Connection, event: int, number: int) -> list[tuple[int, str, int, int]]:
    """Live results of a round: board number, table, sequence, total points for NS."""
    rows = connection.execute(text(_RESULTS), {"event": event, "round": number})
    return [(row.number, row.name, row.sequence, row.score) for row in rows]


def appeared(connection: Connection, event: int, number: int) -> set[str]:
    """Tables that have ever reported a board of a round, whatever was ruled about it."""
    statement = text(
        "SELECT DISTINCT r.table_name AS name FROM event_boards AS b JOIN results AS r ON r.board = b.board "
        "WHERE b.event = :event AND b.round = :round"
    )
    return {row.name for row in connection.execute(statement, {"event": event, "round": number})}


def keep_scores(connection: Connection, event: int, number: int, rows: Sequence[StoredScore]) -> None:
    """Store the scores of a round, in place of those that were there."""
    connection.execute(
        delete(event_scores).where(event_scores.c.event == event, event_scores.c.round == number)
    )
    values = [
        {
            "event": event,
            "round": number,
            "entry": row.entry,
            "kind": row.kind,
            "score": row.score,
            "finished": row.finished,
            "boards": row.boards,
        }
        for row in rows
    ]
    sets.insert(connection, event_scores, values)


def scores(connection: Connection, event: int) -> list[StoredScore]:
    """Scores of all rounds, by round and pair."""
    statement = select(event_scores).where(event_scores.c.event == event)
    ordered = statement.order_by(event_scores.c.round, event_scores.c.entry)
    return [
        StoredScore(row.round, row.entry, row.kind, row.score, row.finished, row.boards)
        for row in connection.execute(ordered)
    ]


def scored_rounds(connection: Connection, event: int) -> int:
    """How many rounds are scored."""
    statement = select(func.count()).where(
        event_rounds.c.event == event, event_rounds.c.scored_at.is_not(None)
    )
    found: int = connection.execute(statement).scalar_one()
    return found


def _make(connection: Connection, event: int, number: int) -> None:
    sets.insert(connection, event_rounds, [{"event": event, "round": number}], "ON CONFLICT DO NOTHING")


def _round(event: int, number: int) -> Any:
    return (event_rounds.c.event == event) & (event_rounds.c.round == number)
