"""Taking results in, and reading them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection

from server.bridge.pool import Pool
from server.services.arrivals import (
    Accepted,
    BoardNumber,
    Known,
    Render,
    Report,
    Taken,
    Verdict,
    plan,
)
from server.services.bulletins import BoardChange, Wording, announce, changes
from server.storage import assignments, audit, boards, idempotency, players, results
from server.storage.database import Verb
from server.storage.players import Player
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

    def __call__(self, reports: Sequence[Report]) -> Verb[list[Verdict]]:
        """The verb that takes ``reports`` in, in one transaction."""
        return lambda connection: self._take(connection, reports)

    def _take(self, connection: Connection, reports: Sequence[Report]) -> list[Verdict]:
        now = self.now()
        known = self._look_up(connection, reports, now)
        verdicts = plan(reports, known, self.render)
        taken = [verdict for verdict in verdicts if isinstance(verdict, Taken)]
        if taken:
            changed = changes(taken)
            _keep(connection, taken, changed, known, now)
            announce(connection, changed, self.wording, now)
        return verdicts

    def _look_up(self, connection: Connection, reports: Sequence[Report], now: datetime) -> Known:
        named = [each.board for each in reports]
        numbers = boards.numbered(
            connection, [(b.week, b.pool, b.number) for b in named if isinstance(b, BoardNumber)]
        )
        # First the boards are locked, in ascending order: what is read after that cannot change any more.
        locked = boards.lock(connection, [*numbers.values(), *(b for b in named if isinstance(b, int))])
        board_of = [
            b
            if isinstance(b, int)
            else 0
            if isinstance(b, str)
            else numbers.get((b.week, b.pool, b.number), 0)
            for b in named
        ]
        people = players.find(connection, (player for report in reports for player in report.people))
        return Known(
            now=now,
            zone=self.zone,
            pools=self.pools,
            create_players=self.create_players,
            boards=locked,
            numbers=numbers,
            players=people,
            tables=results.reported(
                connection, [(board, r.table) for board, r in zip(board_of, reports, strict=True)]
            ),
            plays=_plays(connection, zip(board_of, reports, strict=True), people),
            answers=idempotency.find(connection, [(r.once.client, r.once.key) for r in reports]),
        )


def _plays(
    connection: Connection, reports: Iterable[tuple[int, Report]], people: Mapping[str, Player]
) -> dict[tuple[int, int | str], int]:
    """Who of those named, or which account linked to him, has played the board he is named on."""
    accounts = players.accounts(connection, (player.person for player in people.values()))
    of_person: dict[int, list[int]] = {}
    for account, person in accounts.items():
        of_person.setdefault(person, []).append(account)
    wanted = [
        (board, account)
        for board, report in reports
        for name in report.people
        if name in people
        for account in {people[name].number, *of_person[people[name].person]}
    ]
    return {
        (play.board, accounts.get(play.player, play.player)): play.sequence
        for play in results.plays_of(connection, wanted)
    }


def _keep(
    connection: Connection,
    taken: Sequence[Taken],
    changed: Sequence[BoardChange],
    known: Known,
    now: datetime,
) -> None:
    accepted = [each.accepted for each in taken]
    people = dict(known.players)
    new = {name for each in accepted for name in each.report.people} - people.keys()
    if new:
        people |= players.add(connection, new, now)
    results.add(connection, [_result(each, people, now) for each in accepted], _replaced(accepted, people))
    results.add_awards(
        connection, [(each.board.id, sequence, award) for each in accepted for sequence, award in each.awards]
    )
    results.add_disconnects(connection, [row for each in accepted for row in _disconnects(each, people, now)])
    assignments.end(connection, [(each.board.id, each.report.table) for each in accepted], now)
    boards.update(connection, [each.board for each in changed])
    keys = [(each.report.once.client, each.report.once.key) for each in accepted]
    idempotency.add(connection, [known.answers[key] for key in keys], now)
    audit.add(connection, [_entry(each) for each in accepted], now)


def _result(accepted: Accepted, people: Mapping[str, Player], now: datetime) -> Result:
    report = accepted.report
    north, east, south, west = (people[name].number for name in report.players)
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


def _details(report: Report, people: Mapping[str, Player]) -> str | None:
    """What is kept of a result beside its columns, as JSON; players by their numbers."""
    kept: dict[str, object] = {}
    if report.auction is not None:
        kept["auction"] = report.auction
    if report.play is not None:
        kept["play"] = report.play
    if report.substitutes:
        kept["replaced"] = {seat.value: people[name].number for seat, name in report.substitutes}
    return msgspec.json.encode(kept).decode() if kept else None


def _replaced(accepted: Sequence[Accepted], people: Mapping[str, Player]) -> list[Play]:
    """Who was replaced has played the board too, if only a part of it."""
    return [
        Play(each.board.id, people[name].number, each.sequence)
        for each in accepted
        for _, name in each.report.substitutes
    ]


def _disconnects(accepted: Accepted, people: Mapping[str, Player], now: datetime) -> list[dict[str, object]]:
    return [
        {
            "board": accepted.board.id,
            "player": people[name].number,
            "sequence": accepted.sequence,
            "client": accepted.report.once.client,
            "received_at": now,
        }
        for name in accepted.report.disconnects
    ]


def _entry(accepted: Accepted) -> audit.Entry:
    # The fingerprint proves later what was posted, without naming a player.
    return audit.Entry(accepted.report.once.client, "result", accepted.id, accepted.report.once.fingerprint)
