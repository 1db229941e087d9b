"""Taking results in, and reading them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.bridge.swiss_event import OUTAGE_S
from server.bridge.week import Week
from server.services import sittings, weeks
from server.services.arrivals import (
    Accepted,
    Known,
    Render,
    Taken,
    Verdict,
    plan,
)
from server.services.bulletins import BoardChange, Wording, announce, changes
from server.services.reports import BoardNumber, Report
from server.services.sittings import Rounds
from server.storage import (
    arrivals,
    assignments,
    audit,
    boards,
    bulletins,
    disconnects,
    idempotency,
    players,
    results,
    rulings,
    sets,
)
from server.storage.boards import Board
from server.storage.database import Verb
from server.storage.results import Play, Result


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes reports in, by the rules of this installation."""

    now: Callable[[], datetime]
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    create_players: bool
    render: Render
    wording: Wording
    patience_s: float = OUTAGE_S  # rounds of events that nobody kept for longer get the time back

    def __call__(self, reports: Sequence[Report]) -> Verb[list[Verdict]]:
        """The verb that takes ``reports`` in, in one transaction."""
        return lambda connection: self._take(connection, reports)

    def _take(self, connection: Connection, reports: Sequence[Report]) -> list[Verdict]:
        now = self.now()
        # Events come before boards, boards before players: whoever locks goes this way.
        rounds = sittings.look_up(connection, [each.sitting for each in reports if each.sitting is not None])
        reports = [sittings.seated(each, rounds) for each in reports]
        reports = sittings.by_names_at_table(connection, reports)
        known = self._look_up(connection, reports, rounds, now)
        verdicts = plan(reports, known, self.render)
        taken = [verdict for verdict in verdicts if isinstance(verdict, Taken)]
        if taken:
            _keep(connection, taken, changes(taken), known, self.wording)
        return verdicts

    def _look_up(
        self, connection: Connection, reports: Sequence[Report], rounds: Rounds, now: datetime
    ) -> Known:
        named = [each.board for each in reports]
        numbers = boards.numbered(
            connection, [(b.week, b.pool, b.number) for b in named if isinstance(b, BoardNumber)]
        )
        # First the boards are locked, in ascending order: what is read after that cannot change any more.
        locked = boards.lock(connection, [*numbers.values(), *(b for b in named if isinstance(b, int))])
        board_of = [_board_of(name, numbers) for name in named]
        met = arrivals.meet(
            connection,
            [(board, report.table) for board, report in zip(board_of, reports, strict=True)],
            [(board, name) for board, r in zip(board_of, reports, strict=True) for name in r.people],
            [(report.once.client, report.once.key) for report in reports],
        )
        people = {person.id: person for person in met.players}
        persons = {name: person.person for name, person in people.items()}
        ruled = [board.id for board in locked.values() if board.ruled]
        return Known(
            now=now,
            zone=self.zone,
            pools=self.pools,
            create_players=self.create_players,
            boards=locked,
            numbers=numbers,
            players=people,
            tables=set(met.reported),
            late_from=self._late_from(connection, locked.values(), now),
            assigned=set(met.assigned),
            plays={(board, people[name].person): sequence for board, name, sequence in met.played},
            answers=idempotency.find(connection, met.keys) if met.keys else {},
            live=rulings.live(connection, ruled) if ruled else {},
            check_sitting=lambda report: sittings.check(report, rounds, persons, self.patience_s, now),
        )

    def _late_from(
        self, connection: Connection, found: Iterable[Board], now: datetime
    ) -> dict[tuple[Week | None, str | None], datetime]:
        """Of weeks that are over, from when on results are late. Nearly all results are of the open one."""
        over = {
            (board.week, board.pool): board
            for board in found
            if board.week is not None and now >= board.week.closes_at(self.zone)
        }
        return {key: weeks.late_from_of(connection, board, now, self.zone) for key, board in over.items()}


def _board_of(named: int | str | BoardNumber, numbers: Mapping[tuple[str, str, int], int]) -> int:
    """The board's row; 0 where there is none."""
    if isinstance(named, int):
        return named
    if isinstance(named, str):
        return 0
    return numbers.get((named.week, named.pool, named.number), 0)


def _keep(
    connection: Connection,
    taken: Sequence[Taken],
    changed: Sequence[BoardChange],
    known: Known,
    wording: Wording,
) -> None:
    accepted, now = [each.accepted for each in taken], known.now
    people = _people(connection, accepted, known)
    keys = [(each.report.once.client, each.report.once.key) for each in accepted]
    awards = [(each.board.id, sequence, award) for each in accepted for sequence, award in each.awards]
    with sets.together(connection) as into:
        results.add(into, [_result(each, people, now) for each in accepted], _replaced(accepted, people))
        results.add_awards(into, awards)
        disconnects.add(into, [row for each in accepted for row in _disconnects(each, people, now)])
        tables = {(each.board.id, each.report.table) for each in accepted}
        assignments.end(into, tables & known.assigned, now)
        boards.update(into, [each.board for each in changed])
        idempotency.add(into, [known.answers[key] for key in keys], now)
        audit.add(into, [_entry(each) for each in accepted], now)
        announce(into, changed, wording, now)
        bulletins.add(into, sittings.changed(accepted), now)


def _people(connection: Connection, accepted: Sequence[Accepted], known: Known) -> dict[str, int]:
    """Numbers of everybody who has played, those who are new too."""
    numbers = {name: person.number for name, person in known.players.items()}
    new = {name for each in accepted for name in each.report.people} - numbers.keys()
    if new:
        numbers |= {name: player.number for name, player in players.add(connection, new, known.now).items()}
    return numbers


def _result(accepted: Accepted, people: Mapping[str, int], now: datetime) -> Result:
    report = accepted.report
    north, east, south, west = (people[name] for name in report.players)
    return Result(
        board=accepted.board.id,
        sequence=accepted.sequence,
        table=report.table,
        players=(north, east, south, west),
        outcome=report.outcome,
        lead=report.lead,
        score=accepted.score,
        live=True,
        version=1,
        client=report.once.client,
        received_at=now,
        played_at=report.played_at,
        details=_details(report, people),
    )


def _details(report: Report, people: Mapping[str, int]) -> str | None:
    """What is kept of a result beside its columns, as JSON; players by their numbers."""
    kept: dict[str, object] = {}
    if report.auction is not None:
        kept["auction"] = report.auction
    if report.play is not None:
        kept["play"] = report.play
    if report.substitutes:
        kept["replaced"] = {seat.value: people[name] for seat, name in report.substitutes}
    return msgspec.json.encode(kept).decode() if kept else None


def _replaced(accepted: Sequence[Accepted], people: Mapping[str, int]) -> list[Play]:
    """Who was replaced has played the board too, if only a part of it."""
    return [
        Play(each.board.id, people[name], each.sequence)
        for each in accepted
        for _, name in each.report.substitutes
    ]


def _disconnects(accepted: Accepted, people: Mapping[str, int], now: datetime) -> list[dict[str, object]]:
    return [
        {
            "board": accepted.board.id,
            "player": people[name],
            "sequence": accepted.sequence,
            "client": accepted.report.once.client,
            "received_at": now,
        }
        for name in accepted.report.leavers
    ]


def _entry(accepted: Accepted) -> audit.Entry:
    # The fingerprint proves later what was posted, without naming a player.
    return audit.Entry(accepted.report.once.client, "result", accepted.id, accepted.report.once.fingerprint)
